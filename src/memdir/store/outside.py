"""Recognises what others changed in a memory directory, so that history knows it too."""

import hashlib
import os

from memdir.core.secrets import masked
from memdir.core.topic import Provenance
from memdir.store.files import MAX_FILE_BYTES, Folder
from memdir.store.git import blob_id
from memdir.store.history import History, encoded
from memdir.store.journal import Change, Version

__all__ = ["OUTSIDE", "outside_changes", "version_in", "version_on_disk"]

OUTSIDE = Provenance(actor="outside", source="", reason="changed outside memdir")


def outside_changes(folder: Folder, files: list[str], history: History) -> tuple[Change, ...]:
    """Compare every file with what history holds and return the differences."""
    known = history.known()
    changes: list[Change] = []
    for file in files:
        version = version_on_disk(folder, file)
        if version is not None and not _is_known(version, known.get(file, "")):
            changes.append(Change(file, history.newest(file) if file in known else None, version))
    gone = [file for file in sorted(known.keys() - set(files)) if not folder.exists(file)]
    return (*changes, *(Change(file, history.newest(file), None) for file in gone))


def version_on_disk(folder: Folder, file: str) -> Version | None:
    """Read a file as history keeps it; None when it is not there or no memory of a sane size."""
    try:
        data, status = folder.read(file, MAX_FILE_BYTES + 1)
    except OSError:
        return None
    return None if len(data) > MAX_FILE_BYTES else _version(data, status.st_mtime_ns)


def version_in(path: str) -> Version:
    """Read a file of our own records, such as the trash."""
    with open(path, "rb") as file:
        return _version(file.read(), os.fstat(file.fileno()).st_mtime_ns)


def _version(data: bytes, saved_ns: int) -> Version:
    return Version(data.decode("utf-8", "surrogateescape"), saved_ns, hashlib.sha256(data).hexdigest())


def _is_known(version: Version, name: str) -> bool:
    # Masking is slow and rarely changes anything: the plain bytes are tried first.
    if not name:
        return False
    return name == blob_id(encoded(version.text)) or name == blob_id(encoded(masked(version.text)))
