"""The lock of a dream: one small file in the memory directory, shared with other tools that consolidate it.

It holds the number of the process that dreams and is empty when none does; its time is that of the last
consolidation. A process that was killed leaves its number and a wrong time behind: the number counts for
nothing once the process is gone, and our own record in the state folder knows the time that was there before.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from math import inf

from memdir.disk.files import Folder, make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.memories.topic import saved_time
from memdir.text.value import value_class

__all__ = ["LOCK_NAME", "DreamLock", "LockHold", "OtherDream"]

LOCK_NAME = ".consolidate-lock"
_RECORD = "dream.lock"
_SLACK_NS = 2_000_000_000
"""Nanoseconds by which the clocks of files and of processes may differ."""


@value_class(frozen=True, slots=True)
class OtherDream:
    """Somebody else dreams at present."""

    pid: int


@value_class(frozen=True, slots=True)
class LockHold:
    """The lock is ours until it is released."""

    at_ns: int
    previous_ns: int | None
    """When the directory was consolidated before; None when it never was."""


class DreamLock:
    """The lock of one memory directory."""

    def __init__(self, directory: str, state: str) -> None:
        self._directory, self._state = directory, state

    def last(self) -> datetime | None:
        """Return when a consolidation was last finished, also while another runs; None when none ever was."""
        seen = self._read_state()
        previous = self._time_before(*seen) if seen else None
        return None if previous is None else saved_time(previous)

    def holder(self, now: datetime, stale_seconds: float) -> int:
        """Return the process that dreams at present; 0 when none does."""
        seen = self._read_state()
        return seen[0] if seen and _holds(*seen, now, stale_seconds) else 0

    def take(self, now: datetime, stale_seconds: float) -> LockHold | OtherDream:
        """Take the lock, also from a holder that is gone or takes too long; or say who has it."""
        with self._hold_lock() as folder:
            seen = _read_lock(folder)
            if seen and _holds(*seen, now, stale_seconds):
                return OtherDream(seen[0])
            at, previous = _nanoseconds(now), self._time_before(*seen) if seen else None
            with make_folder(self._state) as state:
                record = {"pid": os.getpid(), "at": at, "previous": previous}
                state.write(_RECORD, json.dumps(record).encode())
            folder.write(LOCK_NAME, str(os.getpid()).encode(), saved_ns=at)
            after = _read_lock(folder)
        # Other tools take no store lock: whoever wrote last has it.
        pid = after[0] if after else 0
        return LockHold(at, previous) if pid == os.getpid() else OtherDream(pid)

    def release(self, taken: LockHold, *, failed: bool = False) -> None:
        """Release the lock; after a failure the old time is restored. One that another took over stays."""
        time_ns = taken.previous_ns if failed else taken.at_ns
        with self._hold_lock() as folder:
            seen = _read_lock(folder)
            if seen and seen[0] == os.getpid():
                if time_ns is None:
                    folder.remove(LOCK_NAME)
                    folder.sync()
                else:
                    folder.write(LOCK_NAME, b"", saved_ns=time_ns)
            with make_folder(self._state) as state, suppress(FileNotFoundError):
                state.remove(_RECORD)

    def _time_before(self, pid: int, ns: int) -> int | None:
        """Return the time of the last consolidation that was finished."""
        # The record goes when our dream ends: while it is there, the lock's time is that of a beginning.
        path = os.path.join(self._state, _RECORD)
        with suppress(OSError, ValueError, KeyError, TypeError), open(path, "rb") as file:
            record = json.loads(file.read())
            if int(record["pid"]) == pid and abs(int(record["at"]) - ns) <= _SLACK_NS:
                return None if record["previous"] is None else int(record["previous"])
        return ns

    def _read_state(self) -> tuple[int, int] | None:
        try:
            with Folder(self._directory) as folder:
                return _read_lock(folder)
        except (FileNotFoundError, NotADirectoryError):
            return None

    @contextmanager
    def _hold_lock(self) -> Iterator[Folder]:
        fallback = os.path.join(self._state, "directory.lock")
        with (
            storage_errors("The lock of the dream was not changed"),
            make_folder(self._directory) as folder,
            DirectoryLock(self._directory, fallback),
        ):
            yield folder


def _read_lock(folder: Folder) -> tuple[int, int] | None:
    """Return the process that the file names, or 0, and its time in nanoseconds; None without a file."""
    found = folder.read_if_there(LOCK_NAME, 64)
    if found is None:
        return None
    word = found[0].decode("ascii", "replace").strip()
    return int(word) if word.isdecimal() and len(word) < 10 else 0, found[1].st_mtime_ns


def _holds(pid: int, since_ns: int, now: datetime, stale_seconds: float) -> bool:
    """Tell whether the process that wrote its number then still runs, and not another of that number."""
    if pid <= 0 or (_nanoseconds(now) - since_ns) / 1e9 > stale_seconds:
        return False
    if os.name != "posix":
        return True  # nobody can be asked without harm: the hour decides
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    started = _start_time(pid, now)
    return started is None or started * 1e9 <= since_ns + _SLACK_NS


def _start_time(pid: int, now: datetime) -> float | None:
    """Return when a process began, in seconds, never for a dead one; None when the system does not say."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        if fields[0] in (b"Z", b"X"):
            return inf  # killed, and only waits for its parent to take notice
        with open("/proc/stat", "rb") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime"))
        return boot + int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return _start_time_by_ps(pid, now)


def _start_time_by_ps(pid: int, now: datetime) -> float | None:
    try:
        done = subprocess.run(
            ["ps", "-o", "stat=,etime=", "-p", str(pid)], capture_output=True, timeout=2, check=True
        )
        state, elapsed = done.stdout.decode().split()
        if state.startswith("Z"):
            return inf
        days, _, clock = elapsed.rpartition("-")
        seconds = 0
        for part in clock.split(":"):
            seconds = seconds * 60 + int(part)
        return now.timestamp() - seconds - 86_400 * int(days or 0)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _nanoseconds(now: datetime) -> int:
    return int(now.timestamp() * 1_000_000) * 1_000
