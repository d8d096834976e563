"""What conversations were told about their memory: one line a prompt, on this machine only."""

import os
from contextlib import suppress

from memdir.text.value import value_class

__all__ = ["Load", "Loads"]

_FILE, _OLDER = "loads", "loads.1"
_LARGEST = 64_000
"""Bytes of each of the two files: several hundred conversations."""


@value_class(frozen=True, slots=True)
class Load:
    """One prompt that was put together, or the rule by which there was none."""

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
    """The loads of one memory directory, newest in one file, older ones in another."""

    def __init__(self, state: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._state = state

    def add(self, load: Load) -> None:
        """Write one down without waiting for the disk; a prompt does not fail because that fails."""
        from memdir.disk.append_log import appended, turn_over
        from memdir.disk.files import folder_made

        row = " ".join([str(getattr(load, name)) or "-" for name in load.__match_args__])
        with suppress(OSError), folder_made(self._state) as folder:
            turn_over(folder, _FILE, _LARGEST)
            appended(folder, _FILE, f"{row}\n".encode(), durably=False)

    def all(self) -> list[Load]:
        """Return what is kept, newest first."""
        lines: list[str] = []
        for name in (_OLDER, _FILE):
            with suppress(OSError), open(os.path.join(self._state, name), "rb") as file:
                lines += file.read(4 * _LARGEST).decode("utf-8", "replace").splitlines()
        return [load for load in map(_load, lines[::-1]) if load]


def _load(line: str) -> Load | None:
    """Read one line; None for a torn one, or one of another version."""
    try:
        at, kind, lines, characters, *others = ["" if part == "-" else part for part in line.split(" ")]
        limit, rule = others
        return Load(at, kind, int(lines), int(characters), limit, rule)
    except ValueError:
        return None
