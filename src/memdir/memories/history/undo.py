"""Undo one whole operation, or say which files changed since."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memdir.disk.files import Folder
from memdir.errors import Conflict, NoSuchMemory, Rejected
from memdir.memories.change import Change, Operation, Saved, Version, change_between, version_on_disk
from memdir.memories.history.commits import FOUND, HistoryEntry, file_after, renames
from memdir.memories.history.masks import mask_warnings, with_secrets
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


class ChangedSince(Conflict):
    """Some files changed after the operation; nothing was written."""

    def __init__(
        self, operation: str, collisions: Sequence[Change], newer: str = "", *, beside: bool = False
    ) -> None:
        """Name the files, and offer the ways on that there are.

        A collision goes from the present text to the one that undoing would bring back. `newer` is the last
        change of these files. With `beside`, the old texts were to be put beside the present ones, and there
        are none.
        """
        self.operation, self.collisions, self.newer = operation, tuple(collisions), newer
        files = ", ".join(collision.file for collision in collisions)
        made = ", which made that: there is no old text to put beside it" if beside else ""
        self.fact = f"{files} changed after {operation}{made}, so nothing was undone."
        ways = [f"undo {newer} first"] if newer else []
        ways.append(f"on_collision='overwrite' {self.overwriting}")
        if not self.made_new:
            ways.append("on_collision='both' puts the old text beside the present one")
        super().__init__(f"{self.fact} Ways on: {'; '.join(ways)}.")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments: the message alone is not enough to build the error again."""
        given = (self.operation, self.collisions, self.newer)
        return type(self), given, {"fact": self.fact, "args": self.args}

    @property
    def made_new(self) -> bool:
        """Tell whether the operation made all of these files, so that there is no old text."""
        return all(collision.after is None for collision in self.collisions)

    @property
    def overwriting(self) -> str:
        """Return in words what undoing does to files that changed since."""
        if not self.made_new:
            return "brings the old text back"
        return "deletes what this change made, with all that was added since"


class AsBefore(NoSuchMemory):
    """All is as it was before the operation already, so that there is nothing to take back."""


class Reversal:
    """Finds the texts that an operation replaced, and the files that changed since."""

    def __init__(
        self,
        writer: Writer,
        operation: Operation,
        how: OnCollision,
        moved: Mapping[str, str],
        newer: Sequence[HistoryEntry],
    ) -> None:
        """Take the operation, the present places of files that were renamed since, and the newer changes."""
        self._writer, self._operation, self._how, self._moved = writer, operation, how, moved
        self._newer = newer
        self.warnings: list[str] = []
        self._collisions: list[Change] = []
        self._left: list[Change] = []
        """Files that the operation made, that changed since, and that stay beside the old texts."""

    def __call__(self, folder: Folder) -> list[Change]:
        """Return what to write; raise when something is in the way, or when there is nothing."""
        name, files = self._operation.id, self._operation.files
        files += [self._moved[file] for file in files if file in self._moved]
        now = {file: version_on_disk(folder, file) for file in files}
        edits = list[Change]()
        for change in self._operation.changes:
            back = self._index_back if change.file == INDEX_NAME else self._back
            if edit := back(change, now):
                edits.append(edit)
        if collisions := self._collisions or ([] if edits else self._left):
            changed = {one.file for one in collisions}
            newer = next((one.id for one in self._newer if changed & set(one.files)), "")
            raise ChangedSince(name, collisions, newer, beside=not self._collisions)
        if not edits:
            raise AsBefore(f"There is nothing to undo: all is as it was before {name} already.")
        self.warnings += [
            f"{left.file} was made by this change and changed since: it stays." for left in self._left
        ]
        return edits

    def _back(self, change: Change, now: Mapping[str, Version | None]) -> Change | None:
        """Return the change that restores one file; None where it is as it was, or cannot be restored."""
        moved = self._moved.get(change.file, "")
        if change.old is None and now.get(moved):  # it made a memory that has another name by now
            return self._undo_creation(moved, now[moved], changed=True)
        current = now[change.file]
        sha, text = (current.sha, current.text) if current else ("", None)
        if sha == change.before_sha:
            return None
        changed = sha != change.sha
        if change.old is None:
            return self._undo_creation(change.file, current, changed=changed)
        if changed and self._how is OnCollision.STOP:
            self._collisions.append(Change(change.file, text, change.before))
            return None
        old = with_secrets(change.old, now.values())
        self.warnings += mask_warnings(change.file, old)
        if not changed or self._how is OnCollision.OVERWRITE:
            return Change(change.file, text, old.text, old.saved_ns)
        header = header_from(change.file, old.text, saved_time(old.saved_ns))
        name, free = free_name(self._writer.catalog, f"{header.name}-before", header.kind)
        return Change(free, None, with_value(old.text, "name", name), old.saved_ns)

    def _undo_creation(self, file: str, current: Version | None, *, changed: bool) -> Change | None:
        """Remove a file that the operation made; one that changed since only where that is wanted."""
        removal = Change(file, current.text if current else None, None)
        if not changed or self._how is OnCollision.OVERWRITE:
            return removal
        (self._collisions if self._how is OnCollision.STOP else self._left).append(removal)
        return None

    def _index_back(self, change: Change, present: Mapping[str, Version | None]) -> Change | None:
        """Return the change that restores words and order of the index; the pointers stay those of today."""
        if not self._writer.memories.indexed:
            return None
        index = present[INDEX_NAME]
        there = index.text if index else None
        now, before, after = there or "", change.before or "", change.after or ""
        changed = not any(same_words(mask_secrets(now), text) for text in (before, after))
        if changed and self._how is OnCollision.STOP:
            self._collisions.append(Change(INDEX_NAME, there, change.before))
            return None
        both = changed and self._how is OnCollision.BOTH
        text = join_words(before, now) if both else restore_words(before, after, now)
        if not is_reworded(text, now, self._writer.catalog.__contains__):
            return None
        self.warnings += mask_warnings(INDEX_NAME, change.old) if change.old else []
        return Change(INDEX_NAME, there, text)


@value_class(frozen=True, slots=True)
class Undone:
    """What was taken back, and the operation that did it."""

    undid: HistoryEntry
    operation: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def undoable(entries: Sequence[HistoryEntry], without: Collection[str] = ()) -> HistoryEntry:
    """Choose the newest operation that was not undone yet, whoever did it; an undo steps further back.

    Changes of others are recorded when they are noticed; their files tell when they were made. Memories found
    when history began are no change: an undo would remove memories that nobody touched. Changes that sync
    brought were made elsewhere: they are undone only by their id.
    """
    changes = [
        entry
        for entry in _open_changes(entries)
        if entry.verb != FOUND
        and entry.by.actor != "sync"
        and entry.id not in without
        and any(mark.sha != mark.before_sha for mark in entry.marks)
    ]
    if not changes:
        raise NoSuchMemory("There is nothing to undo: no change is left. `memdir history` shows them all.")
    mine = next((entry for entry in changes if entry.by.actor != "outside"), changes[0])
    # Changes of others come first only if they touched the same files or are newer.
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

    With `check` nothing is written: it only raises if something is in the way.
    """
    history = writer.recorder.history
    operation, entries = history.operation(entry), history.entries()
    ids = [one.id for one in entries]
    later = set(ids[: ids.index(entry.id)])
    moves = [move for id_, move in renames(entries).items() if id_ in later]
    moved = {file: now_at for file in entry.files if (now_at := file_after(moves, file)) != file}
    newer = [one for one in _open_changes(entries) if one.id in later]
    reversal = Reversal(writer, operation, collision, moved, newer)

    def plan(folder: Folder) -> list[Change]:
        edits = reversal(folder)
        return [] if check else edits

    new, warnings = writer.apply("undo", by, now, plan, undoes=entry.id, named=named)
    if entry.verb == FOUND:
        warnings = ["This took away what was there before anything was recorded.", *warnings]
    return Undone(entry, new.id, tuple(new.files), (*reversal.warnings, *warnings))


def restore_version(writer: Writer, file: str, version: Version, by: Provenance, now: datetime) -> Saved:
    """Bring one version of a file back, with its own time; no operation where it is there already."""
    present = writer.version_now(file)
    if present and present.sha == version.sha:
        return writer.result_of("", change_between(file, present, present))
    edit = Change(file, present.text if present else None, version.text, version.saved_ns)
    operation, warnings = writer.apply("restore", by, now, lambda _: [edit])
    return writer.result_of(operation.id, operation.changes[0], (*mask_warnings(file, version), *warnings))


def _open_changes(entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
    """Return what was not undone, newest first; an undo is no change of its own, an undo of it is one."""
    closed, steps_back = {entry.undoes for entry in entries if entry.undoes}, set[str]()
    for entry in reversed(entries):
        if entry.undoes and entry.undoes not in steps_back:
            steps_back.add(entry.id)
    return [entry for entry in entries if entry.id not in closed | steps_back]


def done_at(entry: HistoryEntry) -> int:
    """Return when a change was made: its files say so, if they are not older texts that came back."""
    noted = int(datetime.fromisoformat(entry.at).timestamp()) * 10**9
    newest = max([mark.saved_ns for mark in entry.marks], default=0)
    if newest >= noted or (entry.by.actor == "outside" and all(mark.sha for mark in entry.marks)):
        return newest
    return noted + 10**9 - 1  # a moment is recorded in whole seconds
