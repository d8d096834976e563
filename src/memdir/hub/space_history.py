"""What was done to a space, as the history of any memory tells it; the log lies in PostgreSQL."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from itertools import groupby
from operator import attrgetter
from typing import Any

from psycopg.rows import namedtuple_row

from memdir.errors import NoSuchMemory
from memdir.hub.spaces import SpaceSession
from memdir.memories.change import Operation, Version, change_between, version_of
from memdir.memories.history.history import History, HistoryEntry, Mark, moved_from
from memdir.memories.topic import Provenance
from memdir.text.value import replace

__all__ = ["PAST", "SpaceHistory"]

PAST: ContextVar[Callable[[], AbstractContextManager[SpaceSession]] | None] = ContextVar("past", default=None)
"""Opens the log for the request that is being answered; without it there is no past."""

_MOST = 2_000
"""Versions that are looked at: pages show far fewer."""

_GONE = "gone"
"""Stands in a mark for a text that was purged or is too old."""

_LOG = """
SELECT v.request, v.seq, p.seq AS before, v.file, encode(sha256(v.data), 'hex') AS sha, v.saved_ns,
    encode(sha256(p.data), 'hex') AS sha_before, p.saved_ns AS saved_before, memdir.stamp(v.at) AS at,
    v.who, v.session, v.actor, r.answer #>> '{said,verb}' AS verb, r.answer #>> '{said,undoes}' AS undoes,
    CASE WHEN p.seq IS NULL THEN v.seq <> h.seq AND EXISTS (SELECT FROM memdir.pruning n WHERE n.seq > 0)
        ELSE p.data IS NULL AND p.saved_ns <> 0 END AS lost
FROM memdir.version v
JOIN memdir.head h ON h.space = v.space AND h.file = v.file
LEFT JOIN LATERAL (
    SELECT o.seq, o.data, o.saved_ns FROM memdir.version o
    WHERE o.space = v.space AND o.file = v.file AND o.seq < v.seq ORDER BY o.seq DESC LIMIT 1
) p ON true
LEFT JOIN memdir.request r ON r.space = v.space AND r.id = v.request
WHERE %s = '' OR v.file = %s
ORDER BY v.seq DESC LIMIT %s
"""

"""Each version, the one before it, and whether that had a text which is `lost`."""

_TEXTS = "SELECT seq, data, saved_ns FROM memdir.version WHERE seq = ANY(%s) AND data IS NOT NULL"


class SpaceHistory(History):
    """The newest operations of one space; a request is one operation."""

    def __init__(self, state: str) -> None:
        super().__init__(state, None)
        self._seqs: dict[tuple[str, str], tuple[int, int]] = {}

    @property
    def exists(self) -> bool:
        """Tell whether the log can be asked now."""
        return PAST.get() is not None

    def entries(self, *, file: str = "", limit: int = 0) -> list[HistoryEntry]:
        """Return operations, newest first, all or those of one file."""
        rows = self._query(_LOG, [file, file, limit or _MOST])
        self._seqs |= {(str(row.request), row.file): (row.seq, row.before or 0) for row in rows}
        found = [_entry([*some]) for _, some in groupby(rows, key=attrgetter("request"))]
        moves = self._moves([one for one in found if not one.verb and _may_be_rename(one)])
        return [one if one.verb else replace(one, verb=_verb(one, moves)) for one in found]

    def operation(self, entry: HistoryEntry) -> Operation:
        """Return one operation with the texts before and after; raise when one of them is gone."""
        if any(mark.before_sha == _GONE for mark in entry.marks):
            raise NoSuchMemory(
                "The text that this change replaced is gone: it was purged, or it was too old."
            )
        return super().operation(entry)

    def operations(self, entries: Sequence[HistoryEntry]) -> list[Operation]:
        """Return operations with those texts before and after that are still there."""
        seqs = [seq for one in entries for file in one.files for seq in self._numbers(one, file)]
        texts, done = self._versions(seqs), list[Operation]()
        for one in entries:
            rows = [(file, *self._numbers(one, file)) for file in one.files]
            changes = tuple(
                change_between(file, texts.get(before), texts.get(after)) for file, after, before in rows
            )
            done.append(Operation(one.id, one.at, one.verb, one.by, changes, one.undoes))
        return done

    def _moves(self, entries: Sequence[HistoryEntry]) -> set[str]:
        """Return the operations that gave a memory another name: the text went and came in one step."""
        return {one.id for one in self.operations(entries) if moved_from(one.changes)}

    def _numbers(self, entry: HistoryEntry, file: str) -> tuple[int, int]:
        return self._seqs.get((entry.id, file), (0, 0))

    def _versions(self, seqs: Iterable[int]) -> dict[int, Version]:
        wanted = sorted({seq for seq in seqs if seq})
        rows = self._query(_TEXTS, [wanted]) if wanted else []
        return {seq: version_of(bytes(data), saved_ns) for seq, data, saved_ns in rows}

    def _query(self, query: str, values: Sequence[Any]) -> list[Any]:
        opened = PAST.get()
        if opened is None:
            return []
        with opened() as session, session.connection.cursor(row_factory=namedtuple_row) as cursor:
            return cursor.execute(query.encode(), values).fetchall()


def _entry(rows: Sequence[Any]) -> HistoryEntry:
    first, files, marks = rows[0], tuple([row.file for row in rows]), tuple(map(_mark, rows))
    source = (first.who or "user") if first.actor == "user" else "assistant"
    by = Provenance(first.actor, source, session=first.session, reason=first.who)
    request, undoes = str(first.request), first.undoes or ""
    about = (request, first.at, first.verb or "", by)
    return HistoryEntry(*about, files=files, undoes=undoes, commit=request, marks=marks)


def _mark(row: Any) -> Mark:
    """Return both texts, as the history of any memory names them."""
    before = row.sha_before or (_GONE if row.lost else "")
    before_ns = (row.saved_before or 0) if row.sha_before else 0
    return Mark(row.sha or "", row.saved_ns if row.sha else 0, before, before_ns)


def _may_be_rename(entry: HistoryEntry) -> bool:
    """Tell whether one file went and another came."""
    there = sorted((bool(mark.sha), bool(mark.before_sha)) for mark in entry.marks)
    return there == [(False, True), (True, False)]


def _verb(entry: HistoryEntry, moves: set[str]) -> str:
    """Return what an operation did, where nobody wrote it down: a machine that syncs sends texts alone."""
    if entry.id in moves:
        return "rename"
    if not any(mark.sha for mark in entry.marks):
        return "forget"
    return "edit" if any(mark.before_sha for mark in entry.marks) else "remember"
