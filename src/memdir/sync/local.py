"""The files of a memory directory as a sync sees them: the hash of each, and who wrote or forgot it here."""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime

from memdir.disk.files import Folder, make_folder
from memdir.errors import HistoryError, LockTimeout
from memdir.memories.directory import MemoryDir
from memdir.memories.history.git import blob_id
from memdir.memories.history.history import HistoryEntry
from memdir.memories.names import key_problem
from memdir.memories.scan import ScanReport, Skipped, topic_files
from memdir.memories.writer import Writer
from memdir.progress import count_progress
from memdir.sync.remote import MAX_REMOTE_BYTES, Authorship
from memdir.text.value import value_class

__all__ = ["LocalFile", "LocalFiles", "LocalScanner", "forgotten_files", "local_authors"]


@value_class(frozen=True, slots=True)
class LocalFile:
    """One file as it was seen."""

    content: str
    """The hash of its bytes, as git names them."""
    saved_ns: int


@value_class(frozen=True, slots=True)
class LocalFiles:
    """All files that may be synced, and those that may not."""

    files: dict[str, LocalFile]
    refused: tuple[Skipped, ...] = ()
    exists: bool = True

    def is_closed(self, file: str) -> bool:
        """Tell whether a name is taken and cannot be synced, or lies where nothing can be read.

        Nothing is written or deleted there, on either side: what is not seen need not be gone.
        """
        return any(file == one.file or file.startswith(f"{one.file.rstrip('/')}/") for one in self.refused)


_CACHE = "seen.json"

_Row = tuple[int, int, int, int, str, str]
"""Inode, size and both times of a file, the hash of its bytes, and why it may not be synced."""

_FIELDS = 6


class LocalScanner:
    """Reads a directory; of files that did not change since the last time, only the stat."""

    def __init__(self, memories: MemoryDir, place: str) -> None:
        """Remember the directory, and the folder in which hashes are kept."""
        self._memories, self._place = memories, place
        self._known: dict[str, _Row] | None = None
        self._written: dict[str, tuple[str, int, int]] = {}

    def note_written(self, files: Mapping[str, tuple[bytes, int]]) -> None:
        """Take what was just written here, with its time: a file that has its size and time is not read."""
        self._written = {file: (blob_id(data), len(data), at) for file, (data, at) in files.items()}

    def scan(self) -> LocalFiles:
        """Return what is there now."""
        known = self._load() if self._known is None else self._known
        with self._memories.open_folder() as folder:
            if folder is None:
                return LocalFiles({}, exists=False)
            report, now, new = ScanReport(), dict[str, _Row](), list[str]()
            for file, entry in topic_files(folder, report):
                with suppress(OSError):  # it went just now
                    row, stamp = known.get(file), _stamp(entry.stat(follow_symlinks=False))
                    content, *wrote = self._written.get(file, ("",))
                    if row and row[:4] == stamp:
                        now[file] = row
                    elif content and wrote == [stamp[1], stamp[2]]:
                        now[file] = (*stamp, content, "")
                    else:
                        new.append(file)
            refused = [Skipped(one.file, f"it is not read here: {one.because}") for one in report.skipped]
            for file in count_progress(new):
                now |= _read(folder, file, refused)
        if now != known:
            self._store(now)
        self._known = now
        refused += [Skipped(file, row[5]) for file, row in now.items() if row[5]]
        files = {file: LocalFile(row[4], row[2]) for file, row in now.items() if not row[5]}
        return LocalFiles(files, tuple(refused))

    def obstacle(self, file: str) -> str | None:
        """Return why no file can stand there: a link or a file in the place of its folder, or a folder."""
        with self._memories.open_folder() as folder:
            try:
                holder, name = folder.holder(file) if folder else (None, "")
                there = holder and holder.at(os.lstat, name).st_mode
            except FileNotFoundError:
                return None
            except OSError:
                return "a link or a file stands here in the place of its folder"
        return "a folder or a link stands here in its place" if there and not stat.S_ISREG(there) else None

    def texts(self, files: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of files; one that is gone is left out."""
        found: dict[str, bytes] = {}
        with self._memories.open_folder() as folder:
            for file in files:
                with suppress(OSError):
                    found |= {file: folder.read(file, MAX_REMOTE_BYTES + 1)[0]} if folder else {}
        return found

    def _load(self) -> dict[str, _Row]:
        with suppress(OSError, ValueError, TypeError, AttributeError), Folder(self._place) as place:
            rows = json.loads(place.read(_CACHE, 1 << 26)[0])
            return {file: tuple(row) for file, row in rows.items() if len(row) == _FIELDS}
        return {}

    def _store(self, known: Mapping[str, _Row]) -> None:
        with suppress(OSError), make_folder(self._place) as place:
            place.replace_cache(_CACHE, json.dumps(known, separators=(",", ":")).encode())


def _stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _read(folder: Folder, file: str, refused: list[Skipped]) -> dict[str, _Row]:
    """Read one file and hash it; the stat is that of the bytes that were read."""
    try:
        data, status = folder.read(file, MAX_REMOTE_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        refused.append(Skipped(file, f"it cannot be read: {error.strerror or error}"))
        return {}
    large = f"it is over {MAX_REMOTE_BYTES:,} bytes" if len(data) > MAX_REMOTE_BYTES else ""
    return {file: (*_stamp(status), blob_id(data), key_problem(file) or large)}


_LOOKED_AT = 2_000
"""Operations among which a writer is looked for, the newest."""


def local_authors(writer: Writer, now: datetime, texts: Mapping[str, bytes]) -> dict[str, Authorship]:
    """Return session and actor of each text; one that history does not know was written outside."""
    hashes = {file: hashlib.sha256(data).hexdigest() for file, data in texts.items()}
    found: dict[str, Authorship] = {}
    for entry in _entries(writer, now):
        for file, mark in zip(entry.files, entry.marks, strict=True):
            if file not in found and mark.split(" ")[0] == hashes.get(file):
                found[file] = Authorship(session=entry.by.session, actor=entry.by.actor)
    return dict.fromkeys(texts, Authorship(actor="outside")) | found


def forgotten_files(writer: Writer, now: datetime) -> set[str]:
    """Return the files that went through memdir, by the newest operation on each."""
    newest: dict[str, bool] = {}
    for entry in _entries(writer, now):
        for file, mark in zip(entry.files, entry.marks, strict=True):
            newest.setdefault(file, mark.startswith("- -") and entry.verb != "outside")
    return {file for file, went in newest.items() if went}


def _entries(writer: Writer, now: datetime) -> list[HistoryEntry]:
    with suppress(HistoryError, LockTimeout, OSError):
        writer.recorder.catch_up(now)
        return writer.recorder.history.entries(limit=_LOOKED_AT)
    return []
