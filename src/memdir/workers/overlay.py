"""The overlay of a worker: its changes are collected over a memory directory that stays as it is.

A run reads and writes here; its result is a list of edits, each with the text it started from. Whoever
applies them does so in one step, and only if every file still reads as the worker saw it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock

from memdir.disk.files import Folder, storage_errors
from memdir.errors import Conflict
from memdir.memories.change import Change, version_on_disk
from memdir.memories.scan import ScanReport, topic_files
from memdir.text.value import replace

__all__ = ["Overlay", "edit_plan"]


class Overlay:
    """Pending texts over the content of a directory; readers see what is pending."""

    def __init__(self, content: str | Mapping[str, str | None]) -> None:
        """Begin with nothing pending over the memory directory at this path, or over these texts of files."""
        self._content = content
        self._edits: dict[str, Change] = {}
        self._lock = RLock()

    def text(self, file: str) -> str | None:
        """Return a file as it would be; None when there is none."""
        with self._lock:
            edit = self._edits.get(file)
        return edit.after if edit is not None else self._present_text(file)

    def files(self) -> list[str]:
        """Return the names of all files as they would be."""
        with self._lock:
            edits = dict(self._edits)
        names = {name for name in self._present_files() if name not in edits}
        return sorted(names | {file for file, edit in edits.items() if edit.after is not None})

    def put(self, file: str, text: str | None) -> None:
        """Set the text of a file; None removes it."""
        with self._lock:
            edit = self._edits.get(file) or Change(file, self._present_text(file), None)
            self._edits[file] = replace(edit, after=text)

    def edits(self) -> tuple[Change, ...]:
        """Return all edits, in the order of their first mention, also those that change nothing any more."""
        with self._lock:
            return tuple(self._edits.values())

    def changes(self) -> tuple[Change, ...]:
        """Return the edits that still change something."""
        return tuple([edit for edit in self.edits() if edit.before != edit.after])

    def _present_text(self, file: str) -> str | None:
        if not isinstance(self._content, str):
            return self._content.get(file)
        with _open_folder(self._content) as folder:
            version = version_on_disk(folder, file) if folder is not None else None
        return None if version is None else version.text

    def _present_files(self) -> list[str]:
        if not isinstance(self._content, str):
            return [file for file, text in self._content.items() if text is not None]
        with _open_folder(self._content) as folder:
            return [] if folder is None else [file for file, _ in topic_files(folder, ScanReport())]


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


@contextmanager
def _open_folder(directory: str) -> Iterator[Folder | None]:
    try:
        folder = Folder(directory)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    with folder, storage_errors(f"{directory} could not be read"):
        yield folder
