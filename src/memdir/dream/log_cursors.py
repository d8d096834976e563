"""How far dreams have read each daily log, and which of its lines nobody has made anything of yet."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from memdir.disk.append_log import appended
from memdir.disk.error import storage_errors
from memdir.disk.files import Folder, folder_made
from memdir.text.value import value_class

__all__ = ["LogCursor", "LogCursors"]

_RECORD = "dream.logs"
"""In the state folder. Without it, days that were written before the last dream count as read."""


@value_class(frozen=True, slots=True)
class LogCursor:
    """How far one day was read."""

    lines: int = 0
    """So many lines were read; none, when the day still waits as a whole."""
    check: str = ""
    """Tells whether they are still the same."""
    open: tuple[int, ...] = ()
    """Numbers of the lines, from 1, that were read and still wait."""

    @classmethod
    def behind(cls, text: str, still_open: Iterable[int]) -> "LogCursor":
        """Return the cursor that stands at the end of a text."""
        lines = text.split("\n")
        while lines and not lines[-1].strip():  # what follows may be written into the last line
            lines.pop()
        return cls(len(lines), _check(lines), tuple(sorted(still_open)))

    @property
    def waits(self) -> bool:
        """Tell whether something is to be read, though nothing was written since."""
        return bool(self.open) or not self.lines

    def rest(self, text: str) -> str:
        """Return what is to be read of a day, each line in its place; all of it when it was rewritten."""
        lines = text.split("\n")
        if not self.lines or _check(lines[: self.lines]) != self.check:
            return text
        waiting = frozenset(self.open)
        return "\n".join(
            line if number > self.lines or number in waiting else "" for number, line in enumerate(lines, 1)
        )


class LogCursors:
    """The cursors of one memory directory, by the file of the day."""

    def __init__(self, state: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._state = state

    def all(self) -> dict[str, LogCursor]:
        """Return every cursor; nothing when there are none, or nobody understands them any more."""
        return self._understood() or {}

    def put(self, moved: Mapping[str, LogCursor]) -> None:
        """Keep where these cursors stand now, durably."""
        understood = self._understood()
        known = understood or {}
        if understood is not None and all(known.get(name) == cursor for name, cursor in moved.items()):
            return
        rows = {
            name: {"lines": one.lines, "check": one.check, "open": list(one.open)}
            for name, one in sorted((known | dict(moved)).items())
        }
        with storage_errors("How far the logs were read was not kept"), folder_made(self._state) as folder:
            if understood is None:
                _set_aside(folder)
            folder.write(_RECORD, json.dumps(rows).encode())

    def _understood(self) -> dict[str, LogCursor] | None:
        """Return every cursor; None when the record is damaged."""
        try:
            rows = json.loads(self._record())
            return {str(name): _cursor(row) for name, row in rows.items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _record(self) -> bytes:
        with storage_errors("How far the logs were read is not known"):
            try:
                with open(os.path.join(self._state, _RECORD), "rb") as file:
                    return file.read()
            except FileNotFoundError:
                return b"{}"


def _set_aside(folder: Folder) -> None:
    """Keep a damaged record under another name and tell of it: it may be the only one of what still waits."""
    from memdir.memories.history.recorder import NOTICES

    name = f"{_RECORD}.damaged-{os.urandom(3).hex()}"
    os.rename(os.path.join(folder.path, _RECORD), os.path.join(folder.path, name))
    notice = (
        f"How far dreams had read the daily logs could not be understood; it was set aside as {name} and "
        "begun anew. Lines of older logs that still waited are not read again: save by hand what matters.\n"
    )
    appended(folder, NOTICES, notice.encode())


def _check(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _cursor(row: Mapping[str, Any]) -> LogCursor:
    return LogCursor(int(row["lines"]), str(row["check"]), tuple(map(int, row["open"])))
