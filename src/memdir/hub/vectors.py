"""Vectors of a space: computed once by a worker, kept in PostgreSQL by content, taken over by every node."""

from collections.abc import Mapping
from time import monotonic

from memdir.hub.spaces import SpaceSession
from memdir.recall.semantic.meaning import VERSION, Meaning

__all__ = ["SpaceVectors"]

_AGAIN = 5.0
"""Seconds until a node asks again for vectors that PostgreSQL did not have."""

_MOST = 200
"""Memories whose vectors are read at a time."""

_TAKE = "SELECT content, vectors, tokens FROM memdir.vector WHERE version = %s AND content = ANY(%s)"

_STORE = """
INSERT INTO memdir.vector (space, version, content, vectors, tokens)
VALUES (memdir.current_space(), %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""

_DROP = "DELETE FROM memdir.vector WHERE version <> %s OR content <> ALL(%s)"
"""Of texts that are no more."""

_LEARNED = """
INSERT INTO memdir.learned (space, seq) VALUES (memdir.current_space(), %s)
ON CONFLICT (space) DO UPDATE SET seq = greatest(learned.seq, excluded.seq)
"""


class SpaceVectors:
    """The vectors of one copy of a space."""

    def __init__(self, meaning: Meaning) -> None:
        """Take what the copy knows of meanings."""
        self._meaning = meaning
        self._missing, self._later, self._seq = True, 0.0, -1

    def is_due(self, seq: int) -> bool:
        """Tell whether to ask PostgreSQL: memories changed, or some have no vectors and time has passed."""
        return seq != self._seq or (self._missing and monotonic() > self._later)

    def take(self, session: SpaceSession, contents: Mapping[str, str], seq: int) -> None:
        """Take over what PostgreSQL has and the copy, which is of this number, has not."""
        files = sorted([one.file for one in self._meaning.missing() if one.file in contents])
        for start in range(0, len(files), _MOST):
            self._take(session, {contents[file]: file for file in files[start : start + _MOST]})
        self._missing = bool(files and self._meaning.missing())
        self._later, self._seq = monotonic() + _AGAIN, seq

    def _take(self, session: SpaceSession, files: Mapping[str, str]) -> None:
        cursor = session.connection.cursor(binary=True)
        rows = cursor.execute(_TAKE, [VERSION, [*files]]).fetchall()
        if rows:
            self._meaning.take({files[content]: (vectors, tokens) for content, vectors, tokens in rows})

    def store(self, session: SpaceSession, contents: Mapping[str, str], seq: int) -> None:
        """Keep what the copy has for all nodes; the vectors of all versions up to a number are there then."""
        found = {content: self._meaning.rows(file) for file, content in contents.items()}
        rows = [(VERSION, content, *row) for content, row in found.items() if row]
        known = session.connection.execute(
            "SELECT content FROM memdir.vector WHERE version = %s", [VERSION]
        ).fetchall()
        old = {content for (content,) in known}
        session.connection.execute(_DROP, [VERSION, [*contents.values()]])
        with session.connection.cursor() as cursor:
            cursor.executemany(_STORE, [row for row in rows if row[1] not in old])
        if not self._meaning.missing():
            session.connection.execute(_LEARNED, [seq])
