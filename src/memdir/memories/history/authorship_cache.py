"""A cache of who wrote which memory, by the stat of its file: to ask history takes longer than a recall.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from contextlib import suppress

from memdir.disk.files import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.memories.topic import Provenance

__all__ = ["KnownWriters"]

_FILE = "writers"
_VERSION = "memdir writers 3"
_FIELD = "\x1f"
_RECORDS = ("journal", "journal.closed", "history.git")
_NOBODY = ("", "", "", "", "")
_MOST = 5_000
"""Memories that are remembered: those that are recalled, which are few."""


class KnownWriters:
    """The writers of the memories in one directory; derived from history, disposable."""

    def __init__(self, state: str, ask: "Callable[[str], Provenance | None]") -> None:
        """Take what asks history about one file."""
        self._state, self._ask = state, ask
        self._rows: dict[str, tuple[str, ...]] | None = None

    def of(self, file: str, status: os.stat_result) -> "Provenance | None":
        """Return who wrote the file that has this stat through memdir; None when nobody is known to have."""
        from memdir.memories.topic import Provenance

        row = self._cached_writer(file, status)
        if row is None:
            by, rows = self._ask(file), self._load()
            row = (by.actor, by.source, by.method, by.person, by.sent) if by else _NOBODY
            rows[file] = (_signature(status), *row)
            self._keep(rows)
        actor, source, method, person, sent = row
        return Provenance(actor, source, method, person=person, sent=sent) if actor else None

    def _cached_writer(self, file: str, status: os.stat_result) -> tuple[str, ...] | None:
        """Return what is shown of a writer, empty for nobody; None when history has to be asked first."""
        row = self._load().get(file)
        if row is not None and row[0] == _signature(status):
            return row[1:]
        if any(os.path.exists(os.path.join(self._state, name)) for name in _RECORDS):
            return None
        return _NOBODY  # nothing was ever written through memdir

    def _keep(self, rows: dict[str, tuple[str, ...]]) -> None:
        """Write down what was learned, for the next process."""
        newest = list(rows.items())[-_MOST:]
        lines = [_VERSION, *[_FIELD.join((file, *row)) for file, row in newest], ""]
        with suppress(OSError), make_folder(self._state) as folder:
            folder.replace_cache(_FILE, "\n".join(lines).encode("utf-8", "surrogateescape"))

    def _load(self) -> dict[str, tuple[str, ...]]:
        if self._rows is None:
            self._rows = {}
            with suppress(OSError), open(os.path.join(self._state, _FILE), "rb") as file:
                version, *lines = file.read().decode("utf-8", "surrogateescape").split("\n")
                parts = [line.split(_FIELD) for line in lines] if version == _VERSION else []
                self._rows = {row[0]: tuple(row[1:]) for row in parts if len(row) == 7}
        return self._rows


def _signature(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns:x}-{status.st_ctime_ns:x}-{status.st_size:x}-{status.st_ino:x}"
