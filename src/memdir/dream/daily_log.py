"""The daily logs of a memory directory, `logs/YYYY/MM/YYYY-MM-DD.md`: what a dream distils."""

import os
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime

from memdir.disk.files import Folder
from memdir.dream.log_cursors import LogCursor
from memdir.memories.catalog.row import saved_time
from memdir.text.value import value_class

__all__ = ["MOST_DAYS", "LogDay", "log_days"]

MOST_DAYS = 60
"""Days of logs that one dream looks at, the newest; older ones wait for the next."""


@value_class(frozen=True, slots=True)
class LogDay:
    """What was logged on one day."""

    file: str
    day: date
    text: str
    """What is to be read of it; lines that were dealt with before are empty."""
    whole: str = ""
    """All of it."""

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
    try:
        folder = Folder.opened(directory)
    except OSError:
        return []
    known = cursors or {}
    with folder:
        names = sorted(_names(directory), reverse=True)
        found = [day for name in names if (day := _read(folder, name, since, known.get(name))) is not None]
    return found[::-1]


_NAME = re.compile(r"logs/(\d{4})/(\d\d)/(\1-\2-\d\d)\.md")


def _names(directory: str) -> Iterator[str]:
    top = os.path.join(directory, "logs")
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), directory).replace(os.sep, "/")
            if _NAME.fullmatch(path):
                yield path


def _read(folder: Folder, name: str, since: datetime | None, cursor: LogCursor | None) -> LogDay | None:
    try:
        data, status = folder.read(name)
        match = _NAME.fullmatch(name)
        day = date.fromisoformat(match[3]) if match else date.min
    except (OSError, ValueError):
        return None
    waits = cursor is not None and cursor.waits
    if since is not None and saved_time(status.st_mtime_ns) <= since and not waits:
        return None
    text = data.decode("utf-8", "replace")
    return LogDay(name, day, cursor.rest(text) if cursor else text, text)
