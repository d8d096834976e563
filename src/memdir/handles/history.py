"""`memory.history`: what was done to the memories, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.build import Parts, from_private, readable
from memdir.errors import NoSuchMemory, Rejected
from memdir.inbox.proposals import apply_edits
from memdir.memories.change import Change, Saved
from memdir.memories.history.authorship import known_writer
from memdir.memories.history.commits import History, HistoryEntry
from memdir.memories.history.undo import (
    AsBefore,
    OnCollision,
    Undone,
    done_at,
    restore_version,
    undo_operation,
    undoable,
)
from memdir.memories.history.versions import PastText, entries_of, file_ever_called, past_texts, version_named
from memdir.memories.names import TEAM_FOLDER, is_team_file
from memdir.memories.topic import Provenance
from memdir.text.diff import file_diff
from memdir.text.value import replace, value_class

__all__ = ["HistoryHandle"]

Entries = list[HistoryEntry]
Found = list[tuple[Parts, HistoryEntry]]


@value_class(frozen=True, slots=True)
class HistoryHandle:
    """The operations on one memory directory."""

    _parts: Parts

    @property
    def now(self) -> datetime:
        """The present moment in UTC, by the clock that dates each change of this memory."""
        return self._parts.world.clock()

    def list(self, name: str = "", *, limit: int = 0) -> Entries:
        """Return what was done, newest first: to everything, or to one memory."""
        own = self._parts.usable
        found = [readable(own, name)] if name else [(parts, "") for parts in own.audiences]
        entries = [
            from_private(parts, one) for parts, inside in found for one in _entries(parts, inside, limit)
        ]
        if len(found) > 1:
            entries = sorted(_merge_entries(entries), key=done_at, reverse=True)
        return entries if name else entries[: limit or None]

    def diff(self, operation: str | None = None) -> str:
        """Return what one operation changed, the newest by default, as a unified diff."""
        newest = self.list(limit=1)
        if not newest and operation is None:
            return ""
        texts = []
        for parts, entry in self._find_operation(newest[0].id if operation is None else operation):
            done = parts.writer.recorder.history.operation(entry)
            folder = "" if parts is self._parts else TEAM_FOLDER
            texts += [file_diff(f"{folder}{c.file}", c.before, c.after) for c in done.changes]
        return "".join(texts)

    def undo(self, operation: str | None = None, *, on_collision: str = "stop") -> Undone:
        """Take back one operation, by default the newest that was not undone and still has an effect."""
        self.list()  # history then knows what was changed outside memdir too
        how, passed = OnCollision(on_collision), set[str]()
        if operation is not None:
            return self._take_back(operation, how)
        while True:
            newest = self._newest(passed)
            try:
                return self._take_back(newest, how)
            except AsBefore:
                passed.add(newest)

    def _newest(self, without: Collection[str]) -> str:
        """Return the id of the newest operation on either directory that can be taken back."""
        found = self._in_each_history(lambda history: undoable(history.entries(), without))
        return max([entry for _, entry in found], key=done_at).id

    def _take_back(self, operation: str, how: OnCollision) -> Undone:
        """Take one operation back, in each directory that it changed, or in none."""
        by, now = self._parts.provenance("user"), self._parts.world.clock()
        done, nothing_to_do, found = list[Undone](), AsBefore(), self._find_operation(operation)
        for parts, entry in found if len(found) > 1 else ():  # what one directory refuses, both refuse
            with suppress(AsBefore):
                undo_operation(parts.writer, entry, by, now, how, check=True)
        for parts, entry in found:
            try:
                named = done[0].operation if done else ""
                undone = undo_operation(parts.writer, entry, by, now, how, named=named)
                done.append(from_private(parts, undone))
            except AsBefore as error:
                nothing_to_do = error
        if not done:
            raise nothing_to_do
        files = tuple([file for one in done for file in one.files])
        warnings = tuple([warning for one in done for warning in one.warnings])
        undid = _merge_entries([one.undid for one in done])[0]
        return replace(done[0], undid=undid, files=files, warnings=warnings)

    def _find_operation(self, operation: str) -> Found:
        """Return the directories that know an operation, and how each recorded it."""
        return self._in_each_history(lambda history: history.entry(operation))

    def _in_each_history(self, find: Callable[[History], HistoryEntry]) -> Found:
        """Return each directory whose history has what is looked for, with the entry; raise if none has."""
        found, unknown = list["tuple[Parts, HistoryEntry]"](), NoSuchMemory()
        for parts in self._parts.audiences:
            try:
                found.append((parts, find(parts.writer.recorder.history)))
            except NoSuchMemory as error:
                unknown = error
        if not found:
            raise unknown
        return found

    def change(
        self,
        edits: Sequence[Change],
        *,
        verb: str = "edit",
        actor: str = "user",
        source: str = "user",
        reason: str = "",
    ) -> str:
        """Make exact changes to files in one step, or none if one is not as it was seen; return its id."""
        own = self._parts.usable
        by, owners = own.provenance(actor, source, reason), [own.owner(one.file) for one in edits]
        parts = owners[0][0] if owners else own
        if any(owner is not parts for owner, _ in owners):
            raise Rejected("No step moves a memory between audiences but `memdir team promote NAME`.")
        edits = [replace(one, file=inside) for one, (_, inside) in zip(edits, owners, strict=True)]
        return apply_edits(parts.writer, edits, by, own.world.clock(), verb=verb).id

    @property
    def undo_works(self) -> bool:
        """Tell whether what was done through this handle can be undone: git is here, and it was recorded."""
        return self._parts.writer.recorder.undo_works

    def restore(self, name: str, operation: str | None = None) -> Saved:
        """Bring back a memory as an operation left it, or as it was before it was forgotten."""
        own, now = self._parts.usable, self._parts.world.clock()
        parts, inside = own.owner(name)
        file, version = version_named(parts.writer, inside, now, operation)
        saved = restore_version(parts.writer, file, version, own.provenance("user"), now)
        return from_private(parts, saved)

    def texts(self, name: str, entries: Sequence[HistoryEntry], *, limit: int = 20) -> Sequence[PastText]:
        """Return the newest past texts of a memory, newest first; `entries` is what `list` gave."""
        parts, inside = self._parts.usable.owner(name)
        history = parts.writer.recorder.history
        own_entries = entries if parts is self._parts else history.entries()
        return [from_private(parts, one) for one in past_texts(history, own_entries, inside, limit)]

    def writers(self, files: Sequence[str], entries: Sequence[HistoryEntry]) -> dict[str, Provenance | None]:
        """Return who wrote each of many memories through memdir; `entries` is what `list` gave."""
        own, team, found = self._parts, self._parts.team, dict[str, Provenance | None]()
        of_team = team.writer.recorder.history.entries() if team and any(map(is_team_file, files)) else []
        for file in files:
            parts, inside = own.owner(file)
            found[file] = known_writer(parts.writer.recorder, inside, entries if parts is own else of_team)
        return found

    def provenance(self, name: str) -> Provenance | None:
        """Return who wrote a memory through memdir; None when its header only claims it."""
        parts, inside = readable(self._parts, name)
        return parts.writer_of(parts.memories.read(inside).header.file)


def _entries(parts: Parts, name: str, limit: int) -> Entries:
    """Return what was done in one directory, brought up to date first."""
    writer, now = parts.writer, parts.world.clock()
    writer.note_outside(now)
    file = file_ever_called(writer, name) if name else ""
    recorder = writer.recorder
    return recorder.ask_history(now, lambda: entries_of(recorder.history, file, limit))


def _merge_entries(entries: Sequence[HistoryEntry]) -> Entries:
    """Return each operation once: one that changed both directories was recorded in both."""
    found: dict[str, HistoryEntry] = {}
    for one in entries:
        if other := found.get(one.id):
            one = replace(other, files=(*other.files, *one.files), marks=(*other.marks, *one.marks))  # noqa: PLW2901
        found[one.id] = one
    return [*found.values()]
