"""Who wrote which memory, remembered by the stat of its file: asking history takes longer than a recall."""

import os
from collections.abc import Callable
from contextlib import suppress

from memdir.core.topic import Provenance
from memdir.store.files import folder_made

__all__ = ["KnownWriters"]

_FILE = "writers"
_VERSION = "memdir writers 1"
_FIELD = "\x1f"
_RECORDS = ("journal", "journal.closed", "history.git")
_MOST = 5_000
"""Memories that are remembered: those that are recalled, which are few."""


class KnownWriters:
    """The writers of the memories in one directory; derived from history, disposable."""

    def __init__(self, state: str, ask: Callable[[str], Provenance | None]) -> None:
        """Take what asks history about one file; nothing is read yet."""
        self._state, self._ask = state, ask
        self._rows: dict[str, tuple[str, ...]] | None = None

    def of(self, file: str, status: os.stat_result) -> Provenance | None:
        """Return who wrote the file that has this stat through memdir; None when nobody is known to have."""
        rows = self._loaded()
        signature = f"{status.st_mtime_ns:x}-{status.st_ctime_ns:x}-{status.st_size:x}-{status.st_ino:x}"
        row = rows.get(file)
        if row is None or row[0] != signature:
            if not any(os.path.exists(os.path.join(self._state, name)) for name in _RECORDS):
                return None  # nothing was ever written through memdir
            by = self._ask(file)
            row = (signature, by.actor, by.source, by.method) if by else (signature, "", "", "")
            rows[file] = row
            self._keep(rows)
        return Provenance(*row[1:4]) if row[1] else None

    def _keep(self, rows: dict[str, tuple[str, ...]]) -> None:
        """Write down what was learned, for the next process."""
        newest = list(rows.items())[-_MOST:]
        lines = [_VERSION, *[_FIELD.join((file, *row)) for file, row in newest], ""]
        with suppress(OSError), folder_made(self._state) as folder:
            folder.replace_cache(_FILE, "\n".join(lines).encode("utf-8", "surrogateescape"))

    def _loaded(self) -> dict[str, tuple[str, ...]]:
        if self._rows is None:
            self._rows = {}
            with suppress(OSError), open(os.path.join(self._state, _FILE), "rb") as file:
                version, *lines = file.read().decode("utf-8", "surrogateescape").split("\n")
                parts = [line.split(_FIELD) for line in lines] if version == _VERSION else []
                self._rows = {row[0]: tuple(row[1:]) for row in parts if len(row) == 5}
        return self._rows
