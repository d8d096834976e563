"""The daily logs of a memory directory, `logs/YYYY/MM/YYYY-MM-DD.md`, and how far dreams have read them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime

from memdir.disk.files import Folder, make_folder, storage_errors
from memdir.memories.history.recorder import NOTICES
from memdir.memories.topic import saved_time
from memdir.text.value import value_class

__all__ = ["MAX_DAYS", "LogCursor", "LogCursors", "LogDay", "log_days"]

MAX_DAYS = 60
"""Days of logs that one dream looks at, the newest; older ones wait for the next."""

_RECORD = "dream.logs"
"""In the state folder. Without it, days that were written before the last dream count as read."""


@value_class(frozen=True, slots=True)
class LogCursor:
    """How far one day was read."""

    lines: int = 0
    """The number of lines that were read; 0 when the whole day waits."""
    check: str = ""
    """A hash of these lines: it tells whether they are still the same."""
    open: tuple[int, ...] = ()
    """Numbers of the lines, from 1, that were read and still wait."""

    @classmethod
    def behind(cls, text: str, still_open: Iterable[int]) -> LogCursor:
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


@value_class(frozen=True, slots=True)
class LogDay:
    """What was logged on one day."""

    file: str
    day: date
    text: str
    """The text to read; lines that an earlier dream dealt with are empty."""
    whole: str = ""
    """The whole text of the day."""

    @property
    def lines(self) -> list[tuple[int, str]]:
        """Return the lines that say something, with their numbers."""
        numbered = [(number, line.strip()) for number, line in enumerate(self.text.split("\n"), 1)]
        return [(number, line) for number, line in numbered if re.search(r"\w", line) and line[0] not in "#<"]

    def read(self, dealt_with: frozenset[str]) -> LogCursor:
        """Return where a dream stands that has dealt with these lines, each named by its file and number."""
        still_open = [number for number, _ in self.lines if f"{self.file}:{number}" not in dealt_with]
        return LogCursor.behind(self.whole, still_open)


def log_days(
    directory: str, since: datetime | None = None, cursors: Mapping[str, LogCursor] | None = None
) -> list[LogDay]:
    """Return the days written to since a moment, or that still wait, oldest first.

    What cannot be read is left out.
    """
    known = cursors or {}
    walked = os.walk(os.path.join(directory, "logs"))
    paths = [os.path.join(folder, name) for folder, _, names in walked for name in names]
    files = [os.path.relpath(path, directory).replace(os.sep, "/") for path in paths]
    named = sorted(file for file in files if _NAME.fullmatch(file))
    with suppress(OSError), Folder(directory) as folder:
        return [day for name in named if (day := _read(folder, name, since, known.get(name))) is not None]
    return []


class LogCursors:
    """The cursors of one memory directory, by the file of the day."""

    def __init__(self, state: str) -> None:
        self._state = state

    def all(self) -> dict[str, LogCursor]:
        """Return every cursor; nothing when there are none, or nobody understands them any more."""
        return self._read_cursors() or {}

    def put(self, moved: Mapping[str, LogCursor]) -> None:
        """Save these cursors durably."""
        understood = self._read_cursors()
        known = understood or {}
        if understood is not None and all(known.get(name) == cursor for name, cursor in moved.items()):
            return
        rows = {
            name: {"lines": one.lines, "check": one.check, "open": list(one.open)}
            for name, one in sorted((known | dict(moved)).items())
        }
        with storage_errors("How far the logs were read was not kept"), make_folder(self._state) as folder:
            if understood is None:
                _set_aside(folder)
            folder.write(_RECORD, json.dumps(rows).encode())

    def _read_cursors(self) -> dict[str, LogCursor] | None:
        """Return every cursor; None when the record is damaged."""
        with storage_errors("How far the logs were read is not known"):
            try:
                with open(os.path.join(self._state, _RECORD), "rb") as file:
                    data = file.read()
            except FileNotFoundError:
                return {}
        try:
            rows = json.loads(data)
            return {
                str(name): LogCursor(int(row["lines"]), str(row["check"]), tuple(map(int, row["open"])))
                for name, row in rows.items()
            }
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


_NAME = re.compile(r"logs/(\d{4})/(\d\d)/(\1-\2-\d\d)\.md")


def _read(folder: Folder, name: str, since: datetime | None, cursor: LogCursor | None) -> LogDay | None:
    try:
        data, status = folder.read(name)
        day = date.fromisoformat(os.path.basename(name).removesuffix(".md"))
    except (OSError, ValueError):
        return None
    waits = cursor is not None and cursor.waits
    if since is not None and saved_time(status.st_mtime_ns) <= since and not waits:
        return None
    text = data.decode("utf-8", "replace")
    return LogDay(name, day, cursor.rest(text) if cursor else text, text)


def _set_aside(folder: Folder) -> None:
    """Keep a damaged record under another name and leave a notice: nothing else lists the lines that wait."""
    name = f"{_RECORD}.damaged-{os.urandom(3).hex()}"
    folder.rename(_RECORD, name)
    notice = (
        f"How far dreams had read the daily logs could not be understood; it was set aside as {name} and "
        "begun anew. Lines of older logs that still waited are not read again: save by hand what matters.\n"
    )
    folder.append(NOTICES, notice.encode())


def _check(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]
