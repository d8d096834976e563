"""What an import brings: topics, logs and an index as values, and what was refused while reading them."""

import os
from collections.abc import Iterator

from memdir.disk.files import MAX_FILE_BYTES, Folder, Unreadable
from memdir.memories.names import INDEX_NAME
from memdir.memories.scan import ScanReport, Skipped, topic_files
from memdir.progress import count_progress
from memdir.text.value import value_class

__all__ = ["MOST_FILES", "ImportSource", "IncomingFile", "memory_folder", "read_topics"]

MOST_FILES = 20_000
"""Files of one import: ten times what a large memory has, and a bound for a hostile one."""

_LOGS, _DEPTH = "logs", 3
"""Daily logs lie in logs/YYYY/MM."""


@value_class(frozen=True, slots=True)
class IncomingFile:
    """One text on its way in: where it shall lie, and since when it is so."""

    file: str
    text: str
    saved_ns: int | None = None


@value_class(frozen=True, slots=True)
class ImportSource:
    """All that one import brings, as data: nothing in it is trusted yet."""

    form: str
    """What it was read as: bundle, claude-code, mcp, markdown."""
    place: str
    topics: tuple[IncomingFile, ...] = ()
    logs: tuple[IncomingFile, ...] = ()
    index: IncomingFile | None = None
    refused: tuple[Skipped, ...] = ()
    history: bytes = b""
    """A git bundle of what was done, where the sender added it; nobody's word, and never mixed with ours."""

    @property
    def every(self) -> list[IncomingFile]:
        """All files that it brings."""
        return [*self.topics, *self.logs, *([self.index] if self.index else [])]


def memory_folder(path: str, form: str = "claude-code") -> ImportSource:
    """Read a memory directory byte for byte, its logs and index included; links are not followed."""
    refused: list[Skipped] = []
    with Folder(path) as folder:
        topics = tuple(read_topics(folder, refused))
        logs = tuple(_logs(folder, refused))
        index = _read(folder, INDEX_NAME, refused) if folder.exists(INDEX_NAME) else None
    return ImportSource(form, path, topics, logs, index, tuple(refused))


def read_topics(folder: Folder, refused: list[Skipped]) -> Iterator[IncomingFile]:
    """Yield every memory file below an open folder; what cannot be read is added to the refused."""
    report = ScanReport()
    files = sorted(file for file, _ in topic_files(folder, report))
    refused += report.skipped
    refused += [Skipped(file, f"an import has at most {MOST_FILES:,} files") for file in files[MOST_FILES:]]
    for file in count_progress(files[:MOST_FILES]):
        if read := _read(folder, file, refused):
            yield read


def _logs(folder: Folder, refused: list[Skipped]) -> Iterator[IncomingFile]:
    top = os.path.join(folder.path, _LOGS)
    for place, folders, names in os.walk(top):
        inside = os.path.relpath(place, folder.path)
        folders[:] = sorted(folders) if inside.count(os.sep) < _DEPTH else []
        for name in sorted(names):
            file = f"{inside}/{name}".replace(os.sep, "/")
            if name.endswith(".md") and name[0] != "." and (read := _read(folder, file, refused)):
                yield read


def _read(folder: Folder, file: str, refused: list[Skipped]) -> IncomingFile | None:
    try:
        data, status = folder.read(file, MAX_FILE_BYTES + 1)
        if len(data) <= MAX_FILE_BYTES:
            return IncomingFile(file, data.decode("utf-8", "surrogateescape"), status.st_mtime_ns)
        because = f"it is over {MAX_FILE_BYTES:,} bytes"
    except Unreadable as error:
        because = str(error).partition(": ")[2]
    except OSError as error:
        because = f"it cannot be read: {error.strerror}"
    refused.append(Skipped(file, because))
    return None
