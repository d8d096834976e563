"""The daily logs of a memory directory, `logs/YYYY/MM/YYYY-MM-DD.md`: what a dream distils."""

import os
import re
from collections.abc import Iterator
from datetime import date, datetime

from memdir.core.value import value_class
from memdir.store.catalog import saved_time
from memdir.store.files import Folder

__all__ = ["MOST_DAYS", "LogDay", "log_days"]

MOST_DAYS = 60
"""Days of logs that one dream looks at, the newest: two months without a dream are rare."""


@value_class(frozen=True, slots=True)
class LogDay:
    """What was logged on one day."""

    file: str
    day: date
    text: str


def log_days(directory: str, since: datetime | None = None) -> list[LogDay]:
    """Return the days that were written to since a moment, oldest first; what cannot be read is left out."""
    try:
        folder = Folder.opened(directory)
    except OSError:
        return []
    with folder:
        names = sorted(_names(directory), reverse=True)[:MOST_DAYS]
        found = [day for name in names if (day := _read(folder, name, since)) is not None]
    return found[::-1]


_NAME = re.compile(r"logs/(\d{4})/(\d\d)/(\1-\2-\d\d)\.md")


def _names(directory: str) -> Iterator[str]:
    top = os.path.join(directory, "logs")
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), directory).replace(os.sep, "/")
            if _NAME.fullmatch(path):
                yield path


def _read(folder: Folder, name: str, since: datetime | None) -> LogDay | None:
    try:
        data, status = folder.read(name)
        match = _NAME.fullmatch(name)
        day = date.fromisoformat(match[3]) if match else date.min
    except (OSError, ValueError):
        return None
    if since is not None and saved_time(status.st_mtime_ns) <= since:
        return None
    return LogDay(name, day, data.decode("utf-8", "replace"))
