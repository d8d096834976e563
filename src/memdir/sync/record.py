"""Keep what was common at the last sync in the state folder; a damaged record is begun anew."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from memdir.disk.files import Folder
from memdir.sync.remote import Authorship, Pending, Record, RemoteFile

__all__ = ["DAMAGED", "RECORD", "load_record", "store_record"]

RECORD = "record.json"
"""In the folder of one remote; its time is that of the last sync that found something new."""

_MOST_BYTES = 1 << 26

DAMAGED = (
    "The record of the last sync was damaged and is begun anew: nothing is lost, but a memory that was "
    "changed here and there since comes back as a conflict, and one that was deleted may come back."
)


def load_record(folder: Folder) -> Record | None:
    """Return what was recorded last, empty when nothing was; None when it is damaged."""
    if not folder.exists(RECORD):
        return Record()
    try:
        data, _ = folder.read(RECORD, _MOST_BYTES)
        check, _, rows = data.partition(b"\n")
        return _from_json(json.loads(rows)) if int(check, 16) == zlib.crc32(rows) else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def store_record(folder: Folder, record: Record) -> None:
    """Replace the record durably."""
    rows = json.dumps(_as_json(record), separators=(",", ":")).encode()
    folder.write(RECORD, b"%08x\n%b" % (zlib.crc32(rows), rows))


def _as_json(record: Record) -> dict[str, object]:
    return {
        "revision": record.revision,
        "base": _rows(record.base),
        "ahead": _rows(record.ahead),
        "pulling": _rows(record.pulling),
        "whole": record.whole,
        "pending": [record.pending.revision, _rows(record.pending.files)],
    }


def _rows(files: Mapping[str, RemoteFile | None]) -> dict[str, object]:
    return {file: one and _row(one, one.by) for file, one in files.items()}


def _row(one: RemoteFile, by: Authorship) -> list[object]:
    return [one.content, one.version, one.saved_ns, by.who, by.at, by.session, by.actor]


def _from_json(row: dict[str, Any]) -> Record:
    revision, pending = row["pending"]
    return Record(
        row["revision"],
        _files(row["base"]),
        _files_or_none(row["ahead"]),
        _files(row["pulling"]),
        Pending(revision, _files_or_none(pending)),
        row["whole"],
    )


def _files(rows: Mapping[str, Any]) -> dict[str, RemoteFile]:
    by: dict[tuple[str, ...], Authorship] = {}  # few people wrote many files
    return {file: _file(row, by) for file, row in rows.items()}


def _files_or_none(rows: Mapping[str, Any]) -> dict[str, RemoteFile | None]:
    return {file: None if row is None else _file(row, {}) for file, row in rows.items()}


def _file(row: list[Any], known: dict[tuple[str, ...], Authorship]) -> RemoteFile:
    content, version, saved_ns, *words = row
    by = known.get(tuple(words)) or known.setdefault(tuple(words), Authorship(*words))
    return RemoteFile(content, version, int(saved_ns), by)
