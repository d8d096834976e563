"""The last failures of hooks, one line each: kept for `doctor`, because a hook tells its host nothing."""

import os
from contextlib import suppress
from datetime import datetime

from memdir.text.dates.calendar import utc_stamp

__all__ = ["HookLog"]

_FILE, _OLDER = "hooks.log", "hooks.log.1"
_LARGEST = 64_000
"""Bytes before the log is turned over: a few hundred failures tell as much as all of them."""


class HookLog:
    """The log in our own folder of the config home, and the one before it."""

    def __init__(self, config_home: str) -> None:
        """Remember where it lies; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir")

    def add(self, line: str, now: datetime) -> None:
        """Write down one failure; when even that fails there is nobody to tell."""
        from memdir.disk.append_log import appended, turn_over
        from memdir.disk.files import folder_made

        text = f"{utc_stamp(now)} {line[:1000]}\n"
        with suppress(OSError), folder_made(self._folder) as folder:
            with suppress(OSError):
                turn_over(folder, _FILE, _LARGEST)
            appended(folder, _FILE, text.encode("utf-8", "replace"))

    def newest(self, count: int) -> list[str]:
        """Return the last lines, newest first."""
        lines: list[str] = []
        for name in (_OLDER, _FILE):
            with suppress(OSError), open(os.path.join(self._folder, name), "rb") as file:
                lines += file.read(4 * _LARGEST).decode("utf-8", "replace").splitlines()
        return lines[: -count - 1 : -1]
