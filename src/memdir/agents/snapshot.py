"""Snapshots of an agent type's memory that a project carries, for those who have none yet or an older one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum

from memdir.disk.files import make_folder, storage_errors
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import value_class

__all__ = [
    "AgentSnapshot",
    "SnapshotState",
    "SnapshotUse",
    "record_taken",
    "snapshot_at",
    "snapshot_times",
    "write_snapshot",
]

_FILE, _TAKEN = "snapshot.json", "snapshots.taken"
_LARGEST = 10_000_000


class SnapshotUse(StrEnum):
    """What a person does with a snapshot."""

    KEEP = "keep"
    """Stay with what is here; this snapshot is not offered again."""
    REPLACE = "replace"
    """Have exactly what the snapshot has."""
    MERGE = "merge"
    """Have both: a text that differs comes in under another name."""


class SnapshotState(StrEnum):
    """How a snapshot stands to the memory that is here."""

    NONE = "none"
    INITIALISE = "initialise"
    OFFER = "offer"
    CURRENT = "current"


@value_class(frozen=True, slots=True)
class AgentSnapshot:
    """One snapshot and what it means here."""

    folder: str
    timestamp: str
    """When it was made; empty where there is none."""
    state: SnapshotState
    taken: str = ""
    """The timestamp of the snapshot that was last decided about here."""


def snapshot_at(folder: str, state: str, *, has_memory: bool) -> AgentSnapshot:
    """Return the snapshot in a folder; `state` is the state folder of the memory it is for."""
    timestamp = str(_content(os.path.join(folder, _FILE)).get("timestamp") or "")
    taken = str(_content(os.path.join(state, _TAKEN)).get(folder) or "")
    if not timestamp:
        means = SnapshotState.NONE
    elif not has_memory:
        means = SnapshotState.INITIALISE
    else:
        means = SnapshotState.OFFER if timestamp > taken else SnapshotState.CURRENT
    return AgentSnapshot(folder, timestamp, means, taken)


def snapshot_times(folder: str) -> dict[str, int]:
    """Return since when each text of a snapshot is so: a checkout does not keep the times of files."""
    times = _content(os.path.join(folder, _FILE)).get("files")
    rows = times.items() if isinstance(times, dict) else ()
    return {str(file): time for file, time in rows if isinstance(time, int) and 0 <= time < 2**63}


def write_snapshot(folder: str, files: Mapping[str, tuple[bytes, int]], now: datetime) -> str:
    """Write the files of a memory as the snapshot of a project, in place of an older one; return its time."""
    stamp = utc_stamp(now)
    with storage_errors("The snapshot was not written", folder), make_folder(folder) as place:
        older = [file for file in snapshot_times(folder) if file not in files and place.exists(file)]
        for file, (data, saved_ns) in files.items():
            place.write(file, data, saved_ns=saved_ns)
        times = {file: saved_ns for file, (_, saved_ns) in files.items()}
        content = {"timestamp": stamp, "files": times}
        place.write(_FILE, (json.dumps(content, indent=1, sort_keys=True) + "\n").encode())
        for file in older:
            place.remove(file)
        place.sync()
    return stamp


def record_taken(state: str, snapshot: AgentSnapshot) -> None:
    """Record that a person decided about a snapshot, so that it is not offered again."""
    known = _content(os.path.join(state, _TAKEN))
    with storage_errors("The choice was not recorded"), make_folder(state) as place:
        rows = {**known, snapshot.folder: snapshot.timestamp}
        place.write(_TAKEN, (json.dumps(rows, indent=1) + "\n").encode())


def _content(path: str) -> dict[str, object]:
    data = regular_bytes(path, _LARGEST)
    with suppress(ValueError, RecursionError):
        content = None if isinstance(data, Unread) else json.loads(data)
        return content if isinstance(content, dict) else {}
    return {}
