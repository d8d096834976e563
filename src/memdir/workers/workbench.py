"""What a worker wishes to change, gathered over a memory directory that stays as it is.

A run reads and writes here; its result is a list of wishes, each with the text it started from. Whoever
applies them does so in one step, and only if every file still reads as the worker saw it.
"""

from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING

from memdir.errors import Conflict
from memdir.text.value import replace, value_class
from memdir.workers.content import Content

if TYPE_CHECKING:
    from memdir.disk.files import Folder
    from memdir.memories.write.change import Write

__all__ = ["Wish", "Workbench", "plan_of"]


@value_class(frozen=True, slots=True)
class Wish:
    """What one file should become, and what it was when the worker first looked."""

    file: str
    was: str | None
    """None when there was no such file."""
    text: str | None
    """None when it is to be forgotten."""

    @property
    def verb(self) -> str:
        """Say what this is: create, edit, forget, or nothing when all was taken back."""
        if self.was == self.text:
            return "nothing"
        return "create" if self.was is None else "forget" if self.text is None else "edit"


class Workbench:
    """Pending texts over the content of a directory; readers see what is pending."""

    def __init__(self, content: Content) -> None:
        """Begin with nothing pending over this content."""
        self._content = content
        self._wishes: dict[str, Wish] = {}
        self._lock = RLock()

    def text(self, file: str) -> str | None:
        """Return a file as it would be; None when there is none."""
        with self._lock:
            wish = self._wishes.get(file)
        return wish.text if wish is not None else self._content.text(file)

    def files(self) -> list[str]:
        """Return the names of all files as they would be."""
        with self._lock:
            wishes = dict(self._wishes)
        names = {name for name in self._content.names() if name not in wishes}
        return sorted(names | {file for file, wish in wishes.items() if wish.text is not None})

    def put(self, file: str, text: str | None) -> None:
        """Wish for a text, or with None that the file be forgotten."""
        with self._lock:
            wish = self._wishes.get(file) or Wish(file, self._content.text(file), None)
            self._wishes[file] = replace(wish, text=text)

    def wishes(self) -> tuple[Wish, ...]:
        """Return every wish, in the order of their first mention, those that were taken back included."""
        with self._lock:
            return tuple(self._wishes.values())


def plan_of(wishes: Sequence[Wish]) -> "Callable[[Folder], list[Write]]":
    """Return the plan for `Writer.apply`: all wishes at once if every file is as it was, else `Conflict`."""

    def plan(folder: "Folder") -> "list[Write]":
        from memdir.memories.history.external_changes import version_on_disk
        from memdir.memories.write.change import Write

        wanted = [wish for wish in wishes if wish.verb != "nothing"]
        for wish in wanted:
            version = version_on_disk(folder, wish.file)
            present = None if version is None else version.text
            if present != wish.was or (version is None and folder.exists(wish.file)):
                raise Conflict(f"{wish.file} was changed by someone else meanwhile. Nothing was written.")
        return [Write(wish.file, wish.text) for wish in wanted]

    return plan
