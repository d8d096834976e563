"""The small files of a memory that are not derived, kept in PostgreSQL: inbox, cursors, costs, last dream."""

import os
from collections.abc import Iterator
from contextlib import suppress
from time import time_ns

from memdir.disk.files import Folder, make_folder
from memdir.hub.spaces import SpaceSession

__all__ = ["Records"]

_COSTS = "home/.claude/memdir/ledger"
_FOLDERS = ("state/inbox", "state/cursors/extract", _COSTS)
_FILES = ("memories/.consolidate-lock", "state/dream.lock", "state/dream.scan")

_MOST_BYTES = 8 << 20
"""Of one file: the costs of a month are the largest."""

_TAKE = "SELECT name, seq, data, saved_ns FROM memdir.record WHERE seq > %s ORDER BY seq"

_STORE = """
INSERT INTO memdir.record (space, name, seq, data, saved_ns) VALUES (memdir.current_space(), %s, %s, %s, %s)
ON CONFLICT (space, name) DO UPDATE SET seq = excluded.seq, data = excluded.data, saved_ns = excluded.saved_ns
"""

_NEXT = "UPDATE memdir.space SET seq = seq + 1 WHERE id = memdir.current_space() RETURNING seq"
"""Records have numbers of the space too, so that other nodes see that there is something new."""


class Records:
    """The records of one space in one cache folder."""

    def __init__(self, root: str) -> None:
        """Remember the folder of the cache."""
        self._root, self._seq = root, 0
        self._known: dict[str, tuple[int, ...]] = {}
        self._stored: dict[str, tuple[int, ...]] = {}

    def take(self, session: SpaceSession) -> None:
        """Write here what is new in PostgreSQL."""
        with Folder(self._root) as root:
            for name, seq, data, saved_ns in session.connection.execute(_TAKE, [self._seq]):
                self._put(root, name, data, saved_ns)
                self._seq = seq

    def _put(self, root: Folder, name: str, data: bytes | None, saved_ns: int) -> None:
        if data is not None:
            make_folder(os.path.join(self._root, os.path.dirname(name))).close()
            root.stage(name, data, saved_ns=saved_ns, durable=False).place()
            self._known[name] = root.identity(name)
        elif self._known.pop(name, None):
            with suppress(FileNotFoundError):
                root.remove(name)

    def changed_names(self) -> list[str]:
        """Return the names of those that came, changed or went since PostgreSQL knew them."""
        return self._changes(dict(self._present()))

    def _changes(self, now: dict[str, tuple[int, ...]]) -> list[str]:
        return [name for name in {**self._known, **now} if self._known.get(name) != now.get(name)]

    def store_costs(self, session: SpaceSession) -> None:
        """Add the costs alone to the transaction: work that failed was paid for, too."""
        self._store(session, [name for name in self.changed_names() if name.startswith(_COSTS)])

    def store(self, session: SpaceSession) -> int:
        """Add what changed to the transaction; return the number that it has, 0 where nothing changed."""
        self._stored = dict(self._present())
        return self._store(session, self._changes(self._stored))

    def _store(self, session: SpaceSession, names: list[str]) -> int:
        if not names:
            return 0
        row = session.connection.execute(_NEXT).fetchone()
        newest: int = row[0] if row else 0
        with Folder(self._root) as root:
            for name in names if newest else ():
                stamp = root.identity(name)
                data = root.read(name, _MOST_BYTES)[0] if stamp else None
                saved_ns = stamp[2] if stamp else time_ns()  # by which pruning knows what went long ago
                session.connection.execute(_STORE, [name, newest, data, saved_ns])
        return newest

    def mark_stored(self) -> None:
        """Take what was stored last for what PostgreSQL has."""
        self._known = self._stored

    def _present(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for folder in _FOLDERS:
            with suppress(FileNotFoundError):
                for name in os.listdir(f"{self._root}/{folder}"):
                    if not name.startswith(".") and name != "lock":
                        yield from self._stamp(f"{folder}/{name}")
        for name in _FILES:
            yield from self._stamp(name)

    def _stamp(self, name: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        with suppress(FileNotFoundError):
            status = os.lstat(f"{self._root}/{name}")
            yield name, (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
