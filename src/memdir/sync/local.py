"""The files of a memory directory as a sync sees them: the hash of each, and who wrote or forgot it here."""

from __future__ import annotations

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
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.history.git import blob_id
from memdir.memories.names import key_problem
from memdir.memories.scan import ScanReport, Skipped, topic_files
from memdir.memories.writer import Writer
from memdir.progress import count_progress
from memdir.sync.remote import MAX_REMOTE_BYTES, Authorship, FileState
from memdir.text.value import value_class

__all__ = ["LocalFiles", "forgotten_files", "local_authors", "obstacles", "read_texts", "scan_files"]


@value_class(frozen=True, slots=True)
class LocalFiles:
    """All files that may be synced, and those that may not."""

    files: dict[str, FileState]
    refused: tuple[Skipped, ...] = ()
    exists: bool = True

    def is_closed(self, file: str) -> bool:
        """Tell whether a name is taken and cannot be synced, or lies where nothing can be read.

        Nothing is written or deleted there, on either side: what is not seen need not be gone.
        """
        return any(file == one.file or file.startswith(f"{one.file.rstrip('/')}/") for one in self.refused)


_CACHE = "seen.json"
"""In the folder of a remote: the row of each file when it was read last."""

_Row = tuple[int, int, int, int, str, str]
"""Inode, size and both times of a file, the hash of its bytes, and why it may not be synced."""

_FIELDS = 6


def scan_files(memories: MemoryDir, place: str) -> LocalFiles:
    """Return what is in a directory now; a file with the same stat as at the last scan is not read again."""
    known, rows, new, report = _load(place), dict[str, _Row](), list[str](), ScanReport()
    with memories.open_folder() as folder:
        if folder is None:
            return LocalFiles({}, exists=False)
        for file, entry in topic_files(folder, report):
            with suppress(OSError):  # it went just now
                if (row := known.get(file)) and row[:4] == _stamp(entry.stat(follow_symlinks=False)):
                    rows[file] = row
                else:
                    new.append(file)
        refused = [Skipped(one.file, f"it is not read here: {one.because}") for one in report.skipped]
        for file in count_progress(new):
            try:
                data, status = folder.read(file, MAX_REMOTE_BYTES + 1)
                large = f"it is over {MAX_REMOTE_BYTES:,} bytes" if len(data) > MAX_REMOTE_BYTES else ""
                rows[file] = (*_stamp(status), blob_id(data), key_problem(file) or large)
            except FileNotFoundError:
                continue
            except OSError as error:
                refused.append(Skipped(file, f"it cannot be read: {error.strerror or error}"))
    if rows != known:
        with suppress(OSError), make_folder(place) as holder:
            holder.replace_cache(_CACHE, json.dumps(rows, separators=(",", ":")).encode())
    refused += [Skipped(file, row[5]) for file, row in rows.items() if row[5]]
    files = {file: FileState(row[4], "", row[2]) for file, row in rows.items() if not row[5]}
    return LocalFiles(files, tuple(refused))


def _load(place: str) -> dict[str, _Row]:
    with suppress(OSError, ValueError, TypeError, AttributeError), Folder(place) as folder:
        rows = json.loads(folder.read(_CACHE, 1 << 26)[0])
        return {file: tuple(row) for file, row in rows.items() if len(row) == _FIELDS}
    return {}


def _stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def obstacles(memories: MemoryDir, files: Iterable[str]) -> dict[str, str]:
    """Return the files that cannot stand in a directory, and why: something else is in their place."""
    found: dict[str, str] = {}
    with memories.open_folder() as folder:
        if folder is None:
            return found
        for file in files:
            try:
                holder, name = folder.holder(file)
                if not stat.S_ISREG(holder.at(os.lstat, name).st_mode):
                    found[file] = "a folder or a link stands here in its place"
            except FileNotFoundError:
                continue
            except OSError:
                found[file] = "a link or a file stands here in the place of its folder"
    return found


def read_texts(memories: MemoryDir, files: Iterable[str]) -> dict[str, bytes]:
    """Return the bytes of files; one that is gone is left out."""
    found: dict[str, bytes] = {}
    with memories.open_folder() as folder:
        if folder is None:
            return found
        for file in files:
            with suppress(OSError):
                found[file] = folder.read(file, MAX_REMOTE_BYTES + 1)[0]
    return found


_LOOKED_AT = 2_000
"""Operations among which a writer is looked for, the newest."""


def local_authors(writer: Writer, now: datetime, texts: Mapping[str, bytes]) -> dict[str, Authorship]:
    """Return session and actor of each text; one that history does not know was written outside."""
    hashes = {file: hashlib.sha256(data).hexdigest() for file, data in texts.items()}
    found: dict[str, Authorship] = {}
    for entry in _entries(writer, now):
        for file, mark in zip(entry.files, entry.marks, strict=True):
            if file not in found and mark.sha == hashes.get(file):
                found[file] = Authorship(session=entry.by.session, actor=entry.by.actor)
    return dict.fromkeys(texts, Authorship(actor="outside")) | found


def forgotten_files(writer: Writer, now: datetime) -> set[str]:
    """Return the files that went through memdir, by the newest operation on each."""
    newest: dict[str, bool] = {}
    for entry in _entries(writer, now):
        for file, mark in zip(entry.files, entry.marks, strict=True):
            newest.setdefault(file, not mark.sha and entry.verb != "outside")
    return {file for file, went in newest.items() if went}


def _entries(writer: Writer, now: datetime) -> list[HistoryEntry]:
    with suppress(HistoryError, LockTimeout, OSError):
        writer.recorder.catch_up(now)
        return writer.recorder.history.entries(limit=_LOOKED_AT)
    return []
