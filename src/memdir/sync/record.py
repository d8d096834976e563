"""Keep what was common at the last sync in the state folder; a damaged record is begun anew."""

import json
import zlib
from collections.abc import Mapping
from functools import lru_cache
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
    content = {
        "revision": record.revision,
        "base": _rows(record.base),
        "ahead": _rows(record.ahead),
        "pulling": _rows(record.pulling),
        "whole": record.whole,
        "pending": [record.pending.revision, _rows(record.pending.files)],
    }
    rows = json.dumps(content, separators=(",", ":")).encode()
    folder.write(RECORD, b"%08x\n%b" % (zlib.crc32(rows), rows))


def _rows(files: Mapping[str, RemoteFile | None]) -> dict[str, object]:
    return {f: one and [one.content, one.version, one.saved_ns, *one.by.words] for f, one in files.items()}


def _from_json(row: dict[str, Any]) -> Record:
    revision, pending = row["pending"]
    base, ahead, pulling, sent = (
        {file: _file(*one) for file, one in rows.items() if one}
        for rows in (row["base"], row["ahead"], row["pulling"], pending)
    )
    gone, unsent = ({f: None for f, one in rows.items() if one is None} for rows in (row["ahead"], pending))
    return Record(
        row["revision"], base, {**ahead, **gone}, pulling, Pending(revision, {**sent, **unsent}), row["whole"]
    )


def _file(content: str, version: str, saved_ns: int, *by: str) -> RemoteFile:
    return RemoteFile(content, version, int(saved_ns), _authorship(*by))


_authorship = lru_cache(1_000)(Authorship)
"""Few people wrote many files."""
