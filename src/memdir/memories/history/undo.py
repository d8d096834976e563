"""Undo one whole operation, or say which files changed since."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from memdir.errors import NoSuchMemory
from memdir.memories.change import Change, Edit, Saved, Version
from memdir.memories.history.collision import ChangedSince, Collision, OnCollision
from memdir.memories.history.external_changes import FOUND
from memdir.memories.history.history import HistoryEntry
from memdir.memories.history.masks import masks
from memdir.memories.history.renames import renames
from memdir.memories.history.reversal import Reversal
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.text.value import value_class

__all__ = [
    "ChangedSince",
    "Collision",
    "OnCollision",
    "Undone",
    "done_at",
    "restore_version",
    "undo_operation",
    "undoable",
]


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
        and _changed_texts(entry)
    ]
    if not changes:
        raise NoSuchMemory("There is nothing to undo: no change since history began is left.")
    mine = next((entry for entry in changes if entry.by.actor != "outside"), changes[0])
    return next(entry for entry in changes if entry is mine or _is_later(entry, mine))


def undo_operation(
    writer: Writer,
    entry: HistoryEntry,
    by: Provenance,
    now: datetime,
    collision: OnCollision = OnCollision.STOP,
    *,
    named: str = "",
) -> Undone:
    """Take one operation back as a new operation, which can itself be undone; it may be given its id."""
    history = writer.recorder.history
    operation, entries = history.operation(entry), history.entries()
    later = entries[: [one.id for one in entries].index(entry.id)]
    reversal = Reversal(writer, operation, collision, _moved(entries, later, entry))
    try:
        new, warnings = writer.apply("undo", by, now, reversal, undoes=entry.id, named=named)
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
        return writer.saved("", Change(file, present, present))
    edit = Edit(file, present.text if present else None, version.text, version.saved_ns)
    operation, warnings = writer.apply("restore", by, now, lambda _: [edit])
    return writer.saved(operation.id, operation.changes[0], (*masks([(file, version)]), *warnings))


def _open_changes(entries: Sequence[HistoryEntry]) -> Iterator[HistoryEntry]:
    """Yield what was not undone, newest first; undoing is no change of its own, taking that back is one."""
    taken_back = {entry.undoes for entry in entries if entry.undoes}
    steps_back = set[str]()
    for entry in reversed(entries):
        if entry.undoes and entry.undoes not in steps_back:
            steps_back.add(entry.id)
    return (entry for entry in entries if entry.id not in taken_back | steps_back)


def _changed_texts(entry: HistoryEntry) -> bool:
    """Tell whether an operation left any text other than it was, so that there is something to take back."""
    marks = [mark.split(" ") for mark in entry.marks]
    return any(after != before for after, _, before, _ in marks)


def _is_later(outside: HistoryEntry, mine: HistoryEntry) -> bool:
    """Tell whether a change that was noticed after one of ours was made after it, too."""
    return bool(set(outside.files) & set(mine.files)) or done_at(outside) > done_at(mine)


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


def _moved(
    entries: Sequence[HistoryEntry], later: Sequence[HistoryEntry], entry: HistoryEntry
) -> dict[str, str]:
    """Return where those files of an operation are now that were renamed after it."""
    moves, now = renames(entries), {file: file for file in entry.files}
    for before, after in (moves[one.id] for one in reversed(later) if one.id in moves):
        now |= {file: after for file, place in now.items() if place == before}
    return {file: place for file, place in now.items() if place != file}
