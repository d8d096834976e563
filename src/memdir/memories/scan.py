"""Every memory file below a directory, found without following a link and without reading it."""

import os
from collections.abc import Iterator

from memdir.disk.files import NO_FILE, TEMP_PREFIX, Folder
from memdir.memories.names import INDEX_NAME, RESERVED_FOLDERS
from memdir.text.value import field, value_class

__all__ = ["MAX_DEPTH", "ScanReport", "Skipped", "topic_files"]

MAX_DEPTH = 16
"""Deeper folders are not memories that anyone filed by hand; the bound keeps a hostile tree cheap."""

_INDEX = INDEX_NAME.casefold()
_ASIDE = f"{_INDEX}.set-aside"
"""What a folder in the place of the index is renamed to: its files are no memories."""


@value_class(frozen=True, slots=True)
class Skipped:
    """A file that is not read, or neither sent nor taken, and why."""

    file: str
    because: str


@value_class(frozen=True, slots=True)
class ScanReport:
    """What a scan came across besides memories; it fills while the scan goes on."""

    skipped: list[Skipped] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    """Files that are memories, and that the system does not let us read now."""
    closed: dict[str, str] = field(default_factory=dict)
    """Folders that are there and that the system does not let us open, and why."""
    litter: list[str] = field(default_factory=list)
    """Stale temporary files, as relative paths."""
    folders: set[str] = field(default_factory=set)
    """Folders in which memories lie or could, as relative paths."""

    def skip(self, file: str, because: str) -> None:
        """Note a file that is not read."""
        self.skipped.append(Skipped(file, because))


def topic_files(
    folder: Folder, findings: ScanReport, prefix: str = ""
) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    """Yield every memory file with its directory entry; ask the entry for its stat before going on."""
    inner: list[str] = []
    with os.scandir(folder.fd if folder.fd >= 0 else folder.path) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                if name.startswith(TEMP_PREFIX):
                    findings.litter.append(prefix + name)
            elif name.endswith(".md") and entry.is_file(follow_symlinks=False):
                if len(name) == len(_INDEX) and name.casefold() == _INDEX:
                    continue
                if name.isprintable():
                    yield (prefix + name if prefix else name), entry
                else:
                    findings.skip(prefix + ascii(name)[1:-1], "its name has characters that cannot be shown")
            elif entry.is_dir(follow_symlinks=False):
                inner.append(name)
            elif name.endswith(".md") and name.casefold() != _INDEX:
                findings.skip(prefix + name, "a link" if entry.is_symlink() else "not a regular file")
    if inner:
        yield from _topic_files_below(folder, findings, prefix, sorted(inner))


def _topic_files_below(
    folder: Folder, findings: ScanReport, prefix: str, names: list[str]
) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    for name in names:
        folded = name.casefold()
        if (not prefix and folded in RESERVED_FOLDERS) or folded == _INDEX or folded.startswith(_ASIDE):
            continue
        if prefix.count("/") >= MAX_DEPTH or not name.isprintable():
            findings.skip(prefix + ascii(name)[1:-1] + "/", "a folder that is too deep or cannot be named")
            continue
        findings.folders.add(prefix + name)
        try:
            below = folder.below(name)
            yield from topic_files(below, findings, f"{prefix}{name}/")
            folder.let_go(name)
        except OSError as error:
            findings.skip(f"{prefix}{name}/", f"cannot be opened: {error.strerror}")
            if error.errno not in NO_FILE:
                findings.closed[f"{prefix}{name}/"] = error.strerror or str(error)
