"""The file system as one discovery sees it: folders resolved once, regular files read, nothing waited for."""

import os
import stat
from collections.abc import Callable, Iterable
from enum import Enum

from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.value import value_class

__all__ = ["LARGEST", "MOST_ENTRIES", "FileTree", "FileType", "Listing", "ResolvedPath"]

LARGEST = 16 << 20
"""Bytes read of a file: more than any model can be shown, and a bound on what a repository makes us hold."""

MOST_ENTRIES = 10_000
"""Entries of a folder of rules, subfolders included: a link may make one of half the disk."""


class FileType(Enum):
    """What stands at a path."""

    FILE = "a regular file"
    FOLDER = "a directory"
    NOTHING = "nothing"
    OTHER = "something that cannot be read"


@value_class(frozen=True, slots=True)
class ResolvedPath:
    """A path looked at: where it really is, and what is there."""

    real: str
    found: FileType
    linked: bool = False
    """Whether its last step is a link."""
    detail: str = ""


@value_class(frozen=True, slots=True)
class Listing:
    """The Markdown files below a folder, sorted by where they stand, and what was not entered."""

    files: tuple[str, ...]
    refused: tuple[str, ...]
    """Real paths of folders that links lead to and that may not be entered."""
    complete: bool
    """False when there were too many entries."""


class FileTree:
    """Answers about paths; what it learned about folders holds for as long as it lives."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def real(self, folder: str) -> str:
        """Return the real path of a folder, which need not exist."""
        known = self._folders.get(folder)
        if known is None:
            try:
                known = os.path.realpath(folder)
            except (OSError, ValueError):
                known = folder
            self._folders[folder] = known
        return known

    def trust(self, folders: Iterable[str]) -> None:
        """Take it that these paths are real ones: parts of one that was resolved."""
        self._folders.update({folder: folder for folder in folders})

    def spot(self, path: str) -> ResolvedPath:
        """Return what stands at a path, links followed."""
        folder, name = os.path.split(path)
        whole = self.real(path) if name in _STEPS else os.path.join(self.real(folder), name)
        linked = False
        try:
            mode = os.lstat(whole).st_mode
            linked = stat.S_ISLNK(mode)
            if linked:
                whole = os.path.realpath(whole)
                mode = os.stat(whole).st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return ResolvedPath(whole, FileType.NOTHING, linked)
        except OSError as error:
            return ResolvedPath(whole, FileType.OTHER, linked, _reason(error))
        found = _kind(mode)
        if found is FileType.FOLDER:
            self._folders[path] = whole
        return ResolvedPath(whole, found, linked)

    def read(self, path: str) -> bytes | Unread:
        """Return the bytes of a regular file whose real path this is; anything else is never waited for."""
        return regular_bytes(path, LARGEST)

    def markdown_below(self, folder: str, may_enter: Callable[[str], bool]) -> Listing:
        """List the Markdown files below a folder; whether to follow a link to a folder the caller decides."""
        files, refused, entries = list[str](), list[str](), 0
        pending = [(folder, frozenset({self.real(folder)}))]
        while pending and entries <= MOST_ENTRIES:
            place, above = pending.pop()
            for entry in _entries(place):
                entries += 1
                if entries > MOST_ENTRIES:
                    break
                spot = self._entry(entry)
                if spot.found is not FileType.FOLDER:
                    files += [entry.path] if entry.name.endswith(".md") else []
                elif spot.linked and not may_enter(spot.real):
                    refused.append(spot.real)
                elif spot.real not in above:  # a link to a folder around it would never end
                    pending.append((entry.path, above | {spot.real}))
        return Listing(tuple(sorted(files)), tuple(refused), complete=entries <= MOST_ENTRIES)

    def _entry(self, entry: "os.DirEntry[str]") -> ResolvedPath:
        try:
            if not entry.is_symlink():
                kind = FileType.FOLDER if entry.is_dir(follow_symlinks=False) else FileType.FILE
                return ResolvedPath(os.path.join(self.real(os.path.dirname(entry.path)), entry.name), kind)
        except OSError as error:
            return ResolvedPath(entry.path, FileType.OTHER, detail=_reason(error))
        return self.spot(entry.path)


_STEPS = frozenset({"", os.curdir, os.pardir})


def _kind(mode: int) -> FileType:
    if stat.S_ISREG(mode):
        return FileType.FILE
    return FileType.FOLDER if stat.S_ISDIR(mode) else FileType.OTHER


def _entries(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry, _ in zip(entries, range(MOST_ENTRIES + 1), strict=False)]
    except (OSError, ValueError):
        return []


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or "it is not a path a file can have").lower()
