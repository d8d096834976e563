"""The workbench of a worker: its changes are collected over a memory directory that stays as it is.

A run reads and writes here; its result is a list of edits, each with the text it started from. Whoever
applies them does so in one step, and only if every file still reads as the worker saw it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock

from memdir.disk.files import Folder, storage_errors
from memdir.errors import Conflict
from memdir.memories.change import Change, version_on_disk
from memdir.memories.scan import ScanReport, topic_files
from memdir.text.value import replace, value_class

__all__ = ["Content", "Workbench", "edit_plan", "fixed_content"]


@value_class(frozen=True, slots=True)
class Content:
    """The files below a workbench: their texts and names."""

    text: Callable[[str], str | None]
    names: Callable[[], Iterable[str]]


class Workbench:
    """Pending texts over the content of a directory; readers see what is pending."""

    def __init__(self, content: Content | str) -> None:
        """Begin with nothing pending over this content, or over the memory directory at this path."""
        self._content = content if isinstance(content, Content) else _disk_content(content)
        self._edits: dict[str, Change] = {}
        self._lock = RLock()

    def text(self, file: str) -> str | None:
        """Return a file as it would be; None when there is none."""
        with self._lock:
            edit = self._edits.get(file)
        return edit.after if edit is not None else self._content.text(file)

    def files(self) -> list[str]:
        """Return the names of all files as they would be."""
        with self._lock:
            edits = dict(self._edits)
        names = {name for name in self._content.names() if name not in edits}
        return sorted(names | {file for file, edit in edits.items() if edit.after is not None})

    def put(self, file: str, text: str | None) -> None:
        """Set the text of a file; None removes it."""
        with self._lock:
            edit = self._edits.get(file) or Change(file, self._content.text(file), None)
            self._edits[file] = replace(edit, after=text)

    def edits(self) -> tuple[Change, ...]:
        """Return all edits, in the order of their first mention, also those that change nothing any more."""
        with self._lock:
            return tuple(self._edits.values())


def fixed_content(texts: Mapping[str, str | None]) -> Content:
    """Return content that is given as texts by their files."""
    return Content(texts.get, lambda: [file for file, text in texts.items() if text is not None])


def edit_plan(edits: Sequence[Change]) -> Callable[[Folder], list[Change]]:
    """Return the plan for `Writer.apply`: all edits at once if every file is as it was, else `Conflict`.

    An edit that changes nothing is not written; its file must still be as it was.
    """

    def plan(folder: Folder) -> list[Change]:
        for edit in edits:
            version = version_on_disk(folder, edit.file)
            present = None if version is None else version.text
            if present != edit.before or (version is None and folder.exists(edit.file)):
                raise Conflict(f"{edit.file} was changed by someone else meanwhile. Nothing was written.")
        return [edit for edit in edits if edit.before != edit.after]

    return plan


def _disk_content(directory: str) -> Content:
    """Return the content of a memory directory as it is on disk at each call."""

    def text(file: str) -> str | None:
        with _open_folder(directory) as folder:
            version = version_on_disk(folder, file) if folder is not None else None
        return None if version is None else version.text

    def names() -> list[str]:
        with _open_folder(directory) as folder:
            return [] if folder is None else [file for file, _ in topic_files(folder, ScanReport())]

    return Content(text, names)


@contextmanager
def _open_folder(directory: str) -> Iterator[Folder | None]:
    try:
        folder = Folder(directory)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    with folder, storage_errors(f"{directory} could not be read"):
        yield folder
