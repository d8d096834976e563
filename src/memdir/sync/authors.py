"""What history on this machine says about files that are about to be sent: who wrote or forgot them."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from memdir.errors import HistoryError, LockTimeout
from memdir.memories.history.history import HistoryEntry
from memdir.memories.writer import Writer
from memdir.sync.remote import Authorship

__all__ = ["forgotten_files", "local_authors"]

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
