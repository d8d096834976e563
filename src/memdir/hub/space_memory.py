"""The memory of a space on a node: the parts of any memory, except that PostgreSQL keeps its history."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from threading import Lock, get_ident
from typing import Any

from psycopg.rows import namedtuple_row

from memdir.build import Options, Parts
from memdir.config.location import Verdict
from memdir.config.world import World
from memdir.disk.files import Folder, make_folder
from memdir.errors import NoSuchMemory, Rejected
from memdir.hub.spaces import SpaceSession
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.change import Change, Operation, Version, change_between, file_bytes, version_of
from memdir.memories.directory import MemoryDir
from memdir.memories.history.commits import History, HistoryEntry, Mark, moved_from
from memdir.memories.history.external_changes import OUTSIDE
from memdir.memories.history.recorder import Recorder
from memdir.memories.index.file import IndexCheck, IndexFile
from memdir.memories.plans import Plan
from memdir.memories.topic import Header, Provenance
from memdir.memories.writer import Writer
from memdir.models.protocol import Model
from memdir.text.value import replace

__all__ = [
    "EACH_CHANGE",
    "MODEL_VARIABLES",
    "OPEN_LOG",
    "Changed",
    "MayOnlyRead",
    "SpaceParts",
    "SpaceWriter",
    "space_world",
]

_ON = Verdict(on=True, because="it is the memory of a space", rule="at")

_PASSED_ON = ("MEMDIR_WEIGHTS",)
MODEL_VARIABLES = (
    "MEMDIR_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
)
"""Variables of the process that its memories may see for a model; only workers ask models."""

_Opener = Callable[[], AbstractContextManager[SpaceSession]]

OPEN_LOG: ContextVar[_Opener | None] = ContextVar("open_log", default=None)
"""Opens the log for the request that is being answered; without it the history is empty."""

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


class MayOnlyRead(Rejected):
    """A change was asked for by somebody who may only read."""


Changed = tuple[Operation, list[str]]


def _refuse_write(_make: Callable[[], Changed]) -> Changed:
    raise MayOnlyRead("This token may only read. Use one with the scope write.")


EACH_CHANGE: ContextVar[Callable[[Callable[[], Changed]], Changed]] = ContextVar(
    "each_change", default=_refuse_write
)
"""How a change outside a verb is made: it is refused, or published by itself."""


class _SpaceCatalog(Catalog):
    """The catalog of a copy: nobody else writes there, so files are looked at only when some came."""

    is_behind = True
    """Whether files came that did not go through the writer."""

    def refresh(self, folder: Folder, late: Callable[[], bool] | None = None) -> None:
        """Look at every file, if some came."""
        if self.is_behind:
            self.is_behind, looked = False, False  # before the look: what comes meanwhile makes another due
            try:
                super().refresh(folder, late)
                looked = not self.unread
            finally:
                self.is_behind = self.is_behind or not looked

    def is_fresh(self, _folder: Folder, _seconds: float) -> bool:
        """Tell whether no file came since the last look."""
        return not self.is_behind


class _SpaceIndex(IndexFile):
    """The index of a copy: it is no part of the space, so it is written when somebody looks at it."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self._mutex, self._written_at = Lock(), -1

    def edits(
        self,
        _folder: Folder,
        _catalog: Catalog,
        _changed: Mapping[str, Header | None],
        _words: str | None = None,
        _moved: Mapping[str, str] | None = None,
    ) -> list[Change]:
        return []

    def view(self, folder: Folder, catalog: Catalog) -> str:
        self._write(folder, catalog)
        return super().view(folder, catalog)

    def look(self, folder: Folder, catalog: Catalog) -> IndexCheck:
        self._write(folder, catalog)
        return super().look(folder, catalog)

    def _write(self, folder: Folder, catalog: Catalog) -> None:
        with self._mutex:
            if self._written_at == catalog.generation:
                return
            self._written_at = catalog.generation
            for edit in super().edits(folder, catalog, {}):
                if edit.after is None:
                    folder.remove(edit.file)
                else:
                    folder.stage(edit.file, file_bytes(edit.after), durable=False).place()


class SpaceWriter(Writer):
    """Writes into a cache and lists what it wrote, for PostgreSQL; there is no other history."""

    catalog: _SpaceCatalog

    def __init__(self, root: str) -> None:
        """Take the folder of a cache."""
        memories = MemoryDir(os.path.join(root, "memories"), state := os.path.join(root, "state"))
        memories.catalog, memories.index = _SpaceCatalog(state), _SpaceIndex(state)
        super().__init__(memories, None)
        self.recorder = _NoHistory(memories.path, state, None)
        self.recorder.history = SpaceHistory(state)
        self.open_in = 0
        """The thread in which changes are allowed now."""
        self.done: list[Operation] = []
        self._begun = 0

    @property
    def is_touched(self) -> bool:
        """Whether the directory may hold something that PostgreSQL does not have."""
        return self._begun > 0

    @property
    def is_torn(self) -> bool:
        """Whether a change began and broke off."""
        return self._begun != len(self.done)

    def settle(self) -> None:
        """Forget what was done: PostgreSQL has it."""
        self.done.clear()
        self._begun = 0

    def note_outside(self, now: datetime, by: Provenance = OUTSIDE, *, file: str = "") -> None:
        """Do nothing: nobody else writes into a cache."""

    def apply(
        self, verb: str, by: Provenance, now: datetime, plan: Plan, *, undoes: str = "", named: str = ""
    ) -> tuple[Operation, list[str]]:
        """Do what the plan says if a verb is open; else as `EACH_CHANGE` of this request does."""
        if self.open_in != get_ident():
            each = EACH_CHANGE.get()
            return each(partial(self.apply, verb, by, now, plan, undoes=undoes, named=named))
        operation, warnings = super().apply(verb, by, now, plan, undoes=undoes, named=named)
        self.done += [operation] if operation.id else []
        return operation, warnings

    def _make(
        self, folder: Folder, operation: Operation, edits: Sequence[Change], now: datetime
    ) -> tuple[Operation, list[str]]:
        self._begun += 1
        return super()._make(folder, operation, edits, now)

    def _put_index(self, *_: object) -> None:
        """Do nothing: it is written when somebody looks at it."""

    @contextmanager
    def _lock(self) -> Iterator[Folder]:
        """Hold the directory alone among the threads of this process: no other process knows it."""
        with self.memories.threads, make_folder(self.memories.path) as folder:
            self.catalog.refresh(folder)
            yield folder


class _NoHistory(Recorder):
    """Writes nothing down: PostgreSQL has the operation log of a space and every version."""

    def note(self, _operation: Operation) -> str | None:
        return None

    def keep_removed(self, _operation: str, _changes: object) -> None:
        pass

    def follow(self, _now: datetime) -> None:
        pass

    def catch_up(self, _now: datetime, *, seconds: float = 0) -> None:
        pass


class SpaceHistory(History):
    """The newest operations of one space; a request is one operation."""

    def __init__(self, state: str) -> None:
        super().__init__(state, None)
        self._seqs: dict[tuple[str, str], tuple[int, int]] = {}

    @property
    def exists(self) -> bool:
        """Tell whether the log can be asked now."""
        return OPEN_LOG.get() is not None

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
        opened = OPEN_LOG.get()
        if opened is None:
            return []
        with opened() as session, session.connection.cursor(row_factory=namedtuple_row) as cursor:
            return cursor.execute(query.encode(), values).fetchall()


class SpaceParts(Parts):
    """The parts of the memory of one space, for one conversation."""

    def __init__(self, world: World, writer: SpaceWriter, model: Model | None = None) -> None:
        """Take what changes the cache; conversations of one space share it."""
        memories = writer.memories
        super().__init__(world, memories.path, memories.state, _ON, options=Options(model=model))
        self.writer, self.memories, self.recorder = writer, memories, writer.recorder


def space_world(root: str, env: Mapping[str, str], session: str = "", *, may_ask: bool = False) -> World:
    """Return all that the memory of a space may know about the node's machine.

    `may_ask` says that a model may be asked.
    """
    home = os.path.join(root, "home")
    names = (*_PASSED_ON, *MODEL_VARIABLES) if may_ask else _PASSED_ON
    known = {name: env[name] for name in names if env.get(name)}
    return World({**known, "HOME": home, "PATH": ""}, home, home, session=session)


def _entry(rows: Sequence[Any]) -> HistoryEntry:
    """Return the operation that a request was, from the rows of its versions."""
    first = rows[0]
    source = (first.who or "user") if first.actor == "user" else "assistant"
    by = Provenance(first.actor, source, session=first.session, reason=first.who)
    return HistoryEntry(
        id=str(first.request),
        at=first.at,
        verb=first.verb or "",
        by=by,
        files=tuple([row.file for row in rows]),
        undoes=first.undoes or "",
        commit=str(first.request),
        marks=tuple([_mark(row) for row in rows]),
    )


def _mark(row: Any) -> Mark:
    """Return both texts, as the history of any memory names them."""
    before = row.sha_before or (_GONE if row.lost else "")
    before_ns = (row.saved_before or 0) if row.sha_before else 0
    return Mark(row.sha or "", row.saved_ns if row.sha else 0, before, before_ns)


def _may_be_rename(entry: HistoryEntry) -> bool:
    """Tell whether one file was removed and another was added."""
    there = sorted((bool(mark.sha), bool(mark.before_sha)) for mark in entry.marks)
    return there == [(False, True), (True, False)]


def _verb(entry: HistoryEntry, moves: set[str]) -> str:
    """Return what an operation did, where nobody wrote it down: a machine that syncs sends texts alone."""
    if entry.id in moves:
        return "rename"
    if not any(mark.sha for mark in entry.marks):
        return "forget"
    return "edit" if any(mark.before_sha for mark in entry.marks) else "remember"
