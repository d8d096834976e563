"""Undo one whole operation, or say which files changed since."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memdir.disk.files import Folder
from memdir.errors import Conflict, NoSuchMemory, Rejected
from memdir.memories.change import Change, Edit, Operation, Saved, Version, version_on_disk
from memdir.memories.history.history import FOUND, HistoryEntry, masks, renames, with_secrets
from memdir.memories.index.text import is_reworded, join_words, restore_words, same_words
from memdir.memories.names import INDEX_NAME
from memdir.memories.plans import free_name
from memdir.memories.topic import Provenance, header_from, saved_time
from memdir.text.frontmatter.edits import with_value
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import value_class

if TYPE_CHECKING:
    from memdir.memories.writer import Writer

__all__ = [
    "AsBefore",
    "ChangedSince",
    "Collision",
    "OnCollision",
    "Undone",
    "done_at",
    "restore_version",
    "undo_operation",
    "undoable",
]


class OnCollision(StrEnum):
    """What to do with a file that changed after the operation that is undone."""

    STOP = "stop"
    OVERWRITE = "overwrite"
    """Bring the old text back; the present one stays in history."""
    BOTH = "both"
    """Leave the present text and put the old one, if there is one, beside it under another name."""

    @classmethod
    def _missing_(cls, value: object) -> OnCollision:
        raise Rejected(f"on_collision is {value!r}. It can be {', '.join(cls)}.")


@value_class(frozen=True, slots=True)
class Collision:
    """One file with both texts: what it says now, and what undoing would bring back."""

    file: str
    now: str | None
    then: str | None


class ChangedSince(Conflict):
    """Some files changed after the operation; nothing was written."""

    def __init__(
        self, operation: str, collisions: Sequence[Collision], newer: str = "", *, beside: bool = False
    ) -> None:
        """Name the files, and offer the ways on that there are; `newer` is the last change of these files.

        With `beside`, the old texts were to be put beside the present ones, and there are none.
        """
        self.operation, self.collisions, self.newer = operation, tuple(collisions), newer
        self.beside = beside
        files = ", ".join(collision.file for collision in collisions)
        made = ", which made that: there is no old text to put beside it" if beside else ""
        self.fact = f"{files} changed after {operation}{made}, so nothing was undone."
        ways = [f"undo {newer} first"] if newer else []
        ways.append(f"on_collision='overwrite' {self.overwriting}")
        if not self.made_new:
            ways.append("on_collision='both' puts the old text beside the present one")
        super().__init__(f"{self.fact} Ways on: {'; '.join(ways)}.")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of: its message alone does not make it again."""
        given = (self.operation, self.collisions, self.newer)
        return type(self), given, {"beside": self.beside, "fact": self.fact, "args": self.args}

    @property
    def made_new(self) -> bool:
        """Tell whether the operation made all of these files, so that there is no old text."""
        return all(collision.then is None for collision in self.collisions)

    @property
    def overwriting(self) -> str:
        """Return in words what undoing does to files that changed since."""
        if not self.made_new:
            return "brings the old text back"
        return "deletes what this change made, with all that was added since"


class AsBefore(NoSuchMemory):
    """All is as it was before the operation already, so that there is nothing to take back."""


@dataclass(slots=True)
class Reversal:
    """Finds the texts that an operation replaced, and the files that changed since."""

    writer: Writer
    operation: Operation
    how: OnCollision
    moved: Mapping[str, str]
    """Where files are now that were renamed since."""
    warnings: list[str] = field(default_factory=list)
    _left: list[Collision] = field(default_factory=list)
    """Files that the operation made, that changed since, and that stay beside the old texts."""

    def __call__(self, folder: Folder) -> list[Edit]:
        """Return what to write; raise when something is in the way, or when there is nothing."""
        now = {file: version_on_disk(folder, file) for file in self._files()}
        found = [self._back(change, now) for change in self.operation.changes]
        edits = [one for one in found if isinstance(one, Edit)]
        if collisions := [one for one in found if isinstance(one, Collision)]:
            raise ChangedSince(self.operation.id, collisions)
        if self._left and not edits:
            raise ChangedSince(self.operation.id, self._left, beside=True)
        if not edits:
            raise AsBefore(f"There is nothing to undo: all is as it was before {self.operation.id} already.")
        self.warnings += [
            f"{left.file} was made by this change and changed since: it stays." for left in self._left
        ]
        return edits

    def _files(self) -> list[str]:
        files = self.operation.files
        return [*files, *(self.moved[file] for file in files if file in self.moved)]

    def _back(self, change: Change, now: Mapping[str, Version | None]) -> Edit | Collision | None:
        """Return what becomes of one file; nothing where it is as it was."""
        if change.file == INDEX_NAME:
            return self._index_back(change, now[INDEX_NAME]) if self.writer.memories.indexed else None
        moved = self.moved.get(change.file, "")
        if change.before is None and now.get(moved):
            return self._undo_creation(moved, now[moved])  # it made a memory that has another name by now
        current = now[change.file]
        if _sha(current) == _sha(change.before):
            return None
        as_left = _sha(current) == _sha(change.after)
        if change.before is None:
            return (
                Edit(change.file, _text(current), None)
                if as_left
                else self._undo_creation(change.file, current)
            )
        if not as_left and self.how is OnCollision.STOP:
            return Collision(change.file, _text(current), change.text_before)
        before = with_secrets(change.before, now.values())
        return self._brought_back(change.file, current, before, as_left=as_left)

    def _brought_back(self, file: str, current: Version | None, before: Version, *, as_left: bool) -> Edit:
        """Bring the old text back, in its place or, under a name of its own, beside the present one."""
        self.warnings += masks([(file, before)])
        if as_left or self.how is OnCollision.OVERWRITE:
            return Edit(file, _text(current), before.text, before.saved_ns)
        header = header_from(file, before.text, saved_time(before.saved_ns))
        name, free = free_name(self.writer.catalog, f"{header.name}-before", header.kind)
        return Edit(free, None, with_value(before.text, "name", name), before.saved_ns)

    def _undo_creation(self, file: str, current: Version | None) -> Edit | Collision | None:
        """Decide about a file that the operation made and that is not as it was left."""
        if self.how is OnCollision.OVERWRITE:
            return Edit(file, _text(current), None)
        collision = Collision(file, _text(current), None)
        if self.how is OnCollision.STOP:
            return collision
        self._left.append(collision)
        return None

    def _index_back(self, change: Change, present: Version | None) -> Edit | Collision | None:
        """Bring words and order of the index back; the pointers are those of today, whatever it said then."""
        now, before, after = _text(present) or "", change.text_before or "", change.text_after or ""
        changed = not any(same_words(mask_secrets(now), text) for text in (before, after))
        if changed and self.how is OnCollision.STOP:
            return Collision(INDEX_NAME, _text(present), change.text_before)
        both = changed and self.how is OnCollision.BOTH
        text = join_words(before, now) if both else restore_words(before, after, now)
        if not is_reworded(text, now, self.writer.catalog.__contains__):
            return None
        self.warnings += masks([(INDEX_NAME, change.before)] if change.before else [])
        return Edit(INDEX_NAME, _text(present), text)


def _sha(version: Version | None) -> str:
    return version.sha if version else ""


def _text(version: Version | None) -> str | None:
    return version.text if version else None


@value_class(frozen=True, slots=True)
class Undone:
    """What was taken back, and the operation that did it."""

    undid: HistoryEntry
    operation: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def undoable(entries: Sequence[HistoryEntry], without: Collection[str] = ()) -> HistoryEntry:
    """Choose the newest operation that was not undone yet, whoever did it; an undo steps further back.

    What others did is recorded when it is noticed: when it was done, its files tell. What was found when
    history began is no change: taking it back would remove memories that nobody touched. What sync brought
    was done elsewhere; it is taken back by its id alone.
    """
    changes = [
        entry
        for entry in _open_changes(entries)
        if entry.verb != FOUND
        and entry.by.actor != "sync"
        and entry.id not in without
        and any(after != before for after, _, before, _ in (mark.split(" ") for mark in entry.marks))
    ]
    if not changes:
        raise NoSuchMemory("There is nothing to undo: no change is left. `memdir history` shows them all.")
    mine = next((entry for entry in changes if entry.by.actor != "outside"), changes[0])
    return next(
        entry
        for entry in changes
        if entry is mine or set(entry.files) & set(mine.files) or done_at(entry) > done_at(mine)
    )


def undo_operation(
    writer: Writer,
    entry: HistoryEntry,
    by: Provenance,
    now: datetime,
    collision: OnCollision = OnCollision.STOP,
    *,
    named: str = "",
    check: bool = False,
) -> Undone:
    """Take one operation back as a new operation, which can itself be undone; it may be given its id.

    With `check` only what is in the way is raised, and nothing is written.
    """
    history = writer.recorder.history
    operation, entries = history.operation(entry), history.entries()
    later = entries[: [one.id for one in entries].index(entry.id)]
    reversal = Reversal(writer, operation, collision, _later_names(entries, later, entry))
    try:
        plan = (lambda folder: reversal(folder)[:0]) if check else reversal
        new, warnings = writer.apply("undo", by, now, plan, undoes=entry.id, named=named)
    except ChangedSince as found:
        newer = _newer(entries, later, found)
        raise ChangedSince(entry.id, found.collisions, newer, beside=found.beside) from None
    if entry.verb == FOUND:
        warnings = ["This took away what was there before anything was recorded.", *warnings]
    return Undone(entry, new.id, tuple(new.files), (*reversal.warnings, *warnings))


def restore_version(writer: Writer, file: str, version: Version, by: Provenance, now: datetime) -> Saved:
    """Bring one version of a file back, with its own time; no operation where it is there already."""
    present = writer.version_now(file)
    if present and present.sha == version.sha:
        return writer.result_of("", Change(file, present, present))
    edit = Edit(file, present.text if present else None, version.text, version.saved_ns)
    operation, warnings = writer.apply("restore", by, now, lambda _: [edit])
    return writer.result_of(operation.id, operation.changes[0], (*masks([(file, version)]), *warnings))


def _open_changes(entries: Sequence[HistoryEntry]) -> Iterator[HistoryEntry]:
    """Yield what was not undone, newest first; undoing is no change of its own, taking that back is one."""
    taken_back = {entry.undoes for entry in entries if entry.undoes}
    steps_back = set[str]()
    for entry in reversed(entries):
        if entry.undoes and entry.undoes not in steps_back:
            steps_back.add(entry.id)
    return (entry for entry in entries if entry.id not in taken_back | steps_back)


def done_at(entry: HistoryEntry) -> int:
    """Return when a change was made: its files say so, if they are not older texts that came back."""
    noted, times = _nanoseconds(entry.at), [mark.split(" ")[1] for mark in entry.marks]
    newest = max([int(time) for time in times if time != "-"], default=0)
    if newest >= noted or (entry.by.actor == "outside" and "-" not in times):
        return newest
    return noted + 10**9 - 1  # a moment is recorded in whole seconds


def _nanoseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp()) * 10**9


def _newer(entries: Sequence[HistoryEntry], later: Sequence[HistoryEntry], found: ChangedSince) -> str:
    """Return the id of the newest later change of the files that are in the way, if there is one."""
    files, after = {collision.file for collision in found.collisions}, {one.id for one in later}
    changes = (one for one in _open_changes(entries) if one.id in after and files & set(one.files))
    return next((one.id for one in changes), "")


def _later_names(
    entries: Sequence[HistoryEntry], later: Sequence[HistoryEntry], entry: HistoryEntry
) -> dict[str, str]:
    """Return where those files of an operation are now that were renamed after it."""
    moves, now = renames(entries), {file: file for file in entry.files}
    for before, after in (moves[one.id] for one in reversed(later) if one.id in moves):
        now |= {file: after for file, place in now.items() if place == before}
    return {file: place for file, place in now.items() if place != file}
