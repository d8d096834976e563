"""Logs of two files each, a newer and an older one: prompts that were built, and failures of hooks.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from contextlib import suppress

from memdir.disk.append_log import rotate
from memdir.disk.files import make_folder
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["HookLog", "Load", "Loads", "RotatingLog"]

_LARGEST = 64_000
"""Bytes of each file of a small log: several hundred lines."""

_MOST_READ = 8_000_000
"""Bytes that are read of a file, whoever wrote it."""


@value_class(frozen=True, slots=True)
class RotatingLog:
    """A log file that becomes `<name>.1` when it is too large. A failure to write it stops nobody."""

    folder: str
    name: str
    largest: int
    """Bytes of each of the two files."""

    def add(self, line: str) -> None:
        """Add a line without waiting for the disk."""
        with suppress(OSError), make_folder(self.folder) as folder:
            with suppress(OSError):
                rotate(self.folder, self.name, self.largest)
            folder.append(self.name, f"{line}\n".encode("utf-8", "replace"), durably=False)

    def lines(self) -> list[str]:
        """Return the lines of both files, newest first."""
        lines: list[str] = []
        for name in (f"{self.name}.1", self.name):
            with suppress(OSError), open(os.path.join(self.folder, name), "rb") as file:
                lines += file.read(_MOST_READ).decode("utf-8", "replace").split("\n")
        return [line for line in reversed(lines) if line]


@value_class(frozen=True, slots=True)
class Load:
    """One prompt that was built, or the reason why there was none."""

    at: str
    """UTC, seconds, `Z`; empty where nobody knew the time."""
    kind: str
    """The mode: private, combined, daily-log; or off."""
    lines: int
    """Of the whole index, as are the characters."""
    characters: int
    limit: str = ""
    """Which limits of the index were passed: lines, characters, or both with a comma."""
    rule: str = ""
    """What switched memory off: variable, bare, remote, setting."""


class Loads:
    """The prompts that were built for one memory directory."""

    def __init__(self, state: str) -> None:
        self._log = RotatingLog(state, "loads", _LARGEST)

    def add(self, load: Load) -> None:
        """Add one."""
        self._log.add(" ".join([str(getattr(load, name)) or "-" for name in load.__match_args__]))

    def all(self) -> list[Load]:
        """Return all, newest first."""
        return [load for load in map(_load, self._log.lines()) if load]


class HookLog:
    """The last failures of hooks, for `doctor`: a hook tells its host nothing."""

    def __init__(self, config_home: str) -> None:
        self._log = RotatingLog(os.path.join(config_home, "memdir"), "hooks.log", _LARGEST)

    def add(self, line: str, now: "datetime") -> None:
        """Add one failure."""
        from memdir.text.dates.calendar import utc_stamp

        self._log.add(f"{utc_stamp(now)} {line[:1000]}")

    def newest(self, count: int) -> list[str]:
        """Return the last lines, newest first."""
        return self._log.lines()[:count]


def _load(line: str) -> Load | None:
    """Read one line; None for a torn one, or one of another version."""
    try:
        at, kind, lines, characters, *others = ["" if part == "-" else part for part in line.split(" ")]
        limit, rule = others
        return Load(at, kind, int(lines), int(characters), limit, rule)
    except ValueError:
        return None
