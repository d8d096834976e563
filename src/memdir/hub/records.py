"""What PostgreSQL keeps of a copy besides memories: inbox, cursors, costs, last dream, and vectors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic, time_ns

from memdir.disk.files import Folder, make_folder
from memdir.hub.spaces import SpaceSession
from memdir.recall.semantic.vectors import VERSION, VectorStore

__all__ = ["Records", "SpaceVectors"]

_COSTS = "home/.claude/memdir/ledger"
_FOLDERS = ("state/inbox", "state/cursors/extract", _COSTS)
_FILES = ("memories/.consolidate-lock", "state/dream.lock", "state/dream.scan")

_MOST_BYTES = 8 << 20
"""Of one file: the costs of a month are the largest."""

_STORE = """
INSERT INTO memdir.record (space, name, seq, data, saved_ns) VALUES (memdir.current_space(), %s, %s, %s, %s)
ON CONFLICT (space, name) DO UPDATE SET seq = excluded.seq, data = excluded.data, saved_ns = excluded.saved_ns
"""

_NEXT = "UPDATE memdir.space SET seq = seq + 1 WHERE id = memdir.current_space() RETURNING seq"
"""Records have numbers of the space too, so that other nodes see that there is something new."""

_AGAIN = 5.0
"""Seconds until a node asks again for vectors that PostgreSQL did not have."""

_MOST = 200
"""Memories whose vectors are read at a time."""

_STORE_VECTORS = """
INSERT INTO memdir.vector (space, version, content, vectors, tokens)
VALUES (memdir.current_space(), %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""

_DROP = "DELETE FROM memdir.vector WHERE version <> %s OR content <> ALL(%s)"
"""Removes the vectors of texts that no memory has now."""

_LEARNED = """
INSERT INTO memdir.learned (space, seq) VALUES (memdir.current_space(), %s)
ON CONFLICT (space) DO UPDATE SET seq = greatest(learned.seq, excluded.seq)
"""


_Stamp = tuple[int, ...]
"""Inode, size and both times of a file."""


class Records:
    """The records of one space in one cache folder."""

    def __init__(self, root: str) -> None:
        self._root, self._seq = root, 0
        self._known: dict[str, _Stamp] = {}
        self._stored: dict[str, _Stamp] = {}

    def take(self, session: SpaceSession) -> None:
        """Write here what is new in PostgreSQL."""
        with Folder(self._root) as root:
            query = "SELECT name, seq, data, saved_ns FROM memdir.record WHERE seq > %s ORDER BY seq"
            for name, seq, data, saved_ns in session.connection.execute(query, [self._seq]):
                if data is not None:
                    make_folder(os.path.join(self._root, os.path.dirname(name))).close()
                    root.stage(name, data, saved_ns=saved_ns, durable=False).place()
                    self._known[name] = root.identity(name)
                elif self._known.pop(name, None):
                    with suppress(FileNotFoundError):
                        root.remove(name)
                self._seq = seq

    def changed_names(self, stamps: Mapping[str, _Stamp] | None = None) -> list[str]:
        """Return the names of those that came, changed or went since PostgreSQL knew them."""
        now = self._stamps() if stamps is None else stamps
        return [name for name in {**self._known, **now} if self._known.get(name) != now.get(name)]

    def store_costs(self, session: SpaceSession) -> None:
        """Add the costs alone to the transaction: work that failed was paid for, too."""
        self._store(session, [name for name in self.changed_names() if name.startswith(_COSTS)])

    def store(self, session: SpaceSession) -> int:
        """Add what changed to the transaction; return the number that it has, 0 where nothing changed."""
        self._stored = self._stamps()
        return self._store(session, self.changed_names(self._stored))

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
        """Note that PostgreSQL has what was stored last."""
        self._known = self._stored

    def _stamps(self) -> dict[str, _Stamp]:
        """Return the records that are there now."""
        names = list(_FILES)
        for folder in _FOLDERS:
            with suppress(FileNotFoundError):
                inside = [name for name in os.listdir(f"{self._root}/{folder}") if name != "lock"]
                names += [f"{folder}/{name}" for name in inside if not name.startswith(".")]
        with Folder(self._root) as root:
            return {name: stamp for name in names if (stamp := root.identity(name))}


class SpaceVectors:
    """The vectors of one copy of a space."""

    def __init__(self, vectors: VectorStore) -> None:
        self._vectors = vectors
        self._missing, self._later, self._seq = True, 0.0, -1

    def is_due(self, seq: int) -> bool:
        """Tell whether to ask PostgreSQL: memories changed, or some have no vectors and time has passed."""
        return seq != self._seq or (self._missing and monotonic() > self._later)

    def take(self, session: SpaceSession, contents: Mapping[str, str], seq: int) -> None:
        """Take over what PostgreSQL has and the copy, which is of this number, has not."""
        files = sorted([one.file for one in self._vectors.missing() if one.file in contents])
        for start in range(0, len(files), _MOST):
            self._take(session, {contents[file]: file for file in files[start : start + _MOST]})
        self._missing = bool(files and self._vectors.missing())
        self._later, self._seq = monotonic() + _AGAIN, seq

    def _take(self, session: SpaceSession, files: Mapping[str, str]) -> None:
        cursor = session.connection.cursor(binary=True)
        query = "SELECT content, vectors, tokens FROM memdir.vector WHERE version = %s AND content = ANY(%s)"
        if rows := cursor.execute(query, [VERSION, [*files]]).fetchall():
            self._vectors.take({files[content]: (vectors, tokens) for content, vectors, tokens in rows})

    def store(self, session: SpaceSession, contents: Mapping[str, str], seq: int) -> None:
        """Keep what the copy has for all nodes; the vectors of all versions up to a number are there then."""
        found = {content: self._vectors.rows(file) for file, content in contents.items()}
        connection, query = session.connection, "SELECT content FROM memdir.vector WHERE version = %s"
        old = {content for (content,) in connection.execute(query, [VERSION])}
        new = [(VERSION, content, *row) for content, row in found.items() if row and content not in old]
        connection.execute(_DROP, [VERSION, [*contents.values()]])
        with connection.cursor() as cursor:
            cursor.executemany(_STORE_VECTORS, new)
        if not self._vectors.missing():
            connection.execute(_LEARNED, [seq])
