"""A whole memory in one file: JSON lines, every text byte for byte with its time, and a count at the end.

{"memdir bundle": 1, "made": "2026-11-16T14:00:00Z"}
{"section": "private", "file": "user_role.md", "saved_ns": 1794837600000000000, "text": "..."}
{"section": "history", "file": "history.bundle", "base64": "..."}
{"end": 2}

Sections are private, team, agents/SCOPE/TYPE and history. A file that does not end in its count is refused.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from memdir.disk.files import make_folder, storage_errors
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Rejected
from memdir.memories.change import file_bytes
from memdir.memories.names import INDEX_NAME
from memdir.memories.scan import Skipped
from memdir.progress import count_progress
from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.search import find_secrets
from memdir.text.value import value_class
from memdir.transfer.plan import ImportSource, IncomingFile, memory_folder

__all__ = ["PRIVATE", "Exported", "bundle_sections", "is_bundle", "write_bundle", "write_folder"]

PRIVATE, _HISTORY = "private", "history"
_MARK, _VERSION = "memdir bundle", 1
_LARGEST = 512_000_000
"""Bytes of a bundle: it is read whole."""
_SECTION = re.compile(r"private|team|agents/(?:user|project|local)/[A-Za-z0-9._-]{1,100}")


@value_class(frozen=True, slots=True)
class Exported:
    """A bundle or folder that was written."""

    path: str
    files: int
    sections: tuple[str, ...]
    left_out: tuple[Skipped, ...] = ()
    secrets: tuple[str, ...] = ()
    """Files in it that hold what looks like a credential: whoever gets the bundle gets those too."""


def write_bundle(path: str, directories: Mapping[str, str], now: datetime, history: bytes = b"") -> Exported:
    """Write the directories of these sections, and a git bundle of the history if given, into one file."""
    if os.path.lexists(path) and not is_bundle(path):
        raise Rejected(f"{path} is there already and is no bundle. Name a file that is not there yet.")
    sources = {section: memory_folder(where) for section, where in directories.items()}
    rows: list[dict[str, object]] = [
        {"section": section, "file": one.file, "saved_ns": one.saved_ns, "text": one.text}
        for section, source in sources.items()
        for one in source.every
    ]
    if history:
        coded = base64.b64encode(history).decode()
        rows.append({"section": _HISTORY, "file": "history.bundle", "base64": coded})
    lines = [{_MARK: _VERSION, "made": utc_stamp(now)}, *rows, {"end": len(rows)}]
    folder, name = os.path.split(os.path.abspath(path))
    with storage_errors("Not exported", path), make_folder(folder) as holder:
        holder.write(name, "".join(f"{json.dumps(line)}\n" for line in lines).encode())
    found = [one for source in sources.values() for one in source.refused]
    secrets = tuple(one for source in sources.values() for one in _secrets(source))
    return Exported(os.path.abspath(path), len(rows), tuple(sources), tuple(found), secrets)


def write_folder(path: str, directory: str) -> Exported:
    """Write a memory directory as another one, byte for byte with the times, where nothing is yet."""
    if os.path.lexists(path) and os.listdir(path):
        raise Rejected(f"{path} holds something already. Name a folder that is not there yet.")
    source = memory_folder(directory)
    with storage_errors("Not exported", path), make_folder(os.path.abspath(path)) as folder:
        for one in source.every:
            folder.write(one.file, file_bytes(one.text), saved_ns=one.saved_ns)
    secrets = tuple(_secrets(source))
    return Exported(os.path.abspath(path), len(source.every), (PRIVATE,), source.refused, secrets)


def is_bundle(path: str) -> bool:
    """Tell whether a file begins as a bundle does."""
    with open(path, "rb") as file:
        return file.read(len(_MARK) + 2) == f'{{"{_MARK}'.encode()


def bundle_sections(path: str) -> dict[str, ImportSource]:
    """Read a bundle; raise for one that is cut short or no bundle at all."""
    data = regular_bytes(path, _LARGEST)
    if isinstance(data, Unread):
        raise Rejected(f"{path} cannot be read: {data.because}.")
    lines = [line for line in data.split(b"\n") if line.strip()]
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1)]
    if rows[0].get(_MARK) != _VERSION:
        raise Rejected(f"{path} is a bundle of another version. This memdir reads version {_VERSION}.")
    if rows[-1] != {"end": len(rows) - 2}:
        raise Rejected(f"{path} is cut short: its last line does not count what is in it. Export it again.")
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows[1:-1]:
        sections.setdefault(str(row.get("section")), []).append(row)
    history = b""
    for row in sections.pop(_HISTORY, ()):
        with suppress(ValueError):
            history = history or base64.b64decode(str(row.get("base64", "")), validate=True)
    return {
        section: _source(path, some, history if section == PRIVATE else b"")
        for section, some in sections.items()
        if _SECTION.fullmatch(section)
    }


def _row(path: str, number: int, line: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        if isinstance(row := json.loads(line), dict):
            return row
    raise Rejected(f"{path} is damaged: line {number} holds no JSON object. Export it again.")


def _source(path: str, rows: list[dict[str, Any]], history: bytes) -> ImportSource:
    read = [IncomingFile(str(r.get("file")), r["text"], r.get("saved_ns")) for r in rows if _is_sound(r)]
    odd = [Skipped(str(r.get("file"))[:100], "it has no text") for r in rows if not _is_sound(r)]
    index = next((one for one in read if one.file == INDEX_NAME), None)
    logs = tuple(one for one in read if one.file.startswith("logs/"))
    topics = tuple(one for one in read if one is not index and not one.file.startswith("logs/"))
    return ImportSource("bundle", path, topics, logs, index, tuple(odd), history)


def _is_sound(row: dict[str, Any]) -> bool:
    saved = row.get("saved_ns")
    timed = saved is None or (isinstance(saved, int) and 0 <= saved < 2**63)
    return isinstance(row.get("text"), str) and isinstance(row.get("file"), str) and timed


def _secrets(source: ImportSource) -> list[str]:
    return [one.file for one in count_progress(source.every) if find_secrets(one.text)]
