"""Takes back one operation, whole, and says so when a file has changed since."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from memdir.core.frontmatter import with_value
from memdir.core.index_words import both_words, brought_back, reworded, same_words
from memdir.core.names import INDEX_NAME
from memdir.core.secrets import masked
from memdir.core.topic import Provenance, header_from
from memdir.core.value import value_class
from memdir.errors import Conflict, NoSuchMemory
from memdir.store.catalog import Catalog, saved_time
from memdir.store.files import Folder
from memdir.store.history import Entry, encoded
from memdir.store.journal import Change, Operation, Version
from memdir.store.outside import version_on_disk
from memdir.store.plans import free_name
from memdir.store.saved import Saved
from memdir.store.write import Write
from memdir.store.writer import Writer

__all__ = ["ChangedSince", "Collision", "OnCollision", "Undone", "restored", "undoable", "undone"]


class OnCollision(StrEnum):
    """What to do with a file that changed after the operation that is undone."""

    STOP = "stop"
    OVERWRITE = "overwrite"
    """Bring the old text back; the present one stays in history."""
    BOTH = "both"
    """Leave the present text and put the old one beside it under another name."""


@value_class(frozen=True, slots=True)
class Collision:
    """One file with both texts: what it says now, and what undoing would bring back."""

    file: str
    now: str | None
    then: str | None


class ChangedSince(Conflict):
    """Some files changed after the operation; nothing was written."""

    def __init__(self, operation: str, collisions: Sequence[Collision], newer: str = "") -> None:
        """Name the files, and offer the ways on that there are; `newer` is the last change of these files."""
        self.operation, self.collisions, self.newer = operation, tuple(collisions), newer
        files = ", ".join(collision.file for collision in collisions)
        self.fact = f"{files} changed after {operation}, so nothing was undone."
        ways = [f"undo {newer} first"] if newer else []
        ways.append(f"on_collision='overwrite' {self.overwriting}")
        if not self.made_new:
            ways.append("on_collision='both' puts the old text beside the present one")
        super().__init__(f"{self.fact} Ways on: {'; '.join(ways)}.")

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


@value_class(frozen=True, slots=True)
class Undone:
    """What was taken back, and the operation that did it."""

    undid: Entry
    operation: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def undoable(entries: Sequence[Entry]) -> Entry:
    """Choose the newest operation that was not undone yet, whoever did it; an undo steps further back.

    What others did is recorded when it is noticed: when it was done, its files tell. What was there before
    history began is no change: taking it back would remove memories that nobody touched.
    """
    began = _nanoseconds(entries[-1].at) if entries else 0
    changes = [e for e in _open_changes(entries) if _changed_texts(e) and not _was_there(e, began)]
    if not changes:
        raise NoSuchMemory("There is nothing to undo: every change since history began was undone already.")
    mine = next((entry for entry in changes if entry.by.actor != "outside"), changes[0])
    return next(entry for entry in changes if entry is mine or _is_later(entry, mine))


def undone(
    writer: Writer,
    entry: Entry,
    by: Provenance,
    now: datetime,
    collision: OnCollision = OnCollision.STOP,
) -> Undone:
    """Take one operation back as a new operation, which can itself be undone."""
    history = writer.recorder.history
    operation = history.operation(entry)
    try:
        new, warnings = writer.apply(
            "undo", by, now, lambda folder: _reversed(folder, writer, operation, collision), undoes=entry.id
        )
    except ChangedSince as found:
        raise ChangedSince(entry.id, found.collisions, _newer(history.entries(), entry, found)) from None
    beside = collision is OnCollision.BOTH
    back = [(one.file, one.before) for one in operation.changes if beside or one.file in new.files]
    return Undone(entry, new.id, tuple(new.files), (*_masks(back), *warnings))


def restored(writer: Writer, file: str, version: Version, by: Provenance, now: datetime) -> Saved:
    """Bring one version of a file back, with its own time."""
    write = Write(file, version.text, version.saved_ns)
    operation, warnings = writer.apply("restore", by, now, lambda _: [write])
    return writer.saved(operation.id, operation.changes[0], (*_masks([(file, version)]), *warnings))


def _masks(back: Sequence[tuple[str, Version | None]]) -> Iterator[str]:
    """Yield a warning for each text that came back other than it was: history keeps no credential."""
    for file, version in back:
        if version and version.sha and sha256(encoded(version.text)).hexdigest() != version.sha:
            yield f"{file} held a credential, which history does not keep: [secret: ...] stands in its place."


def _open_changes(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield what was not undone, newest first; undoing is no change of its own, taking that back is one."""
    taken_back = {entry.undoes for entry in entries if entry.undoes}
    steps_back = set[str]()
    for entry in reversed(entries):
        if entry.undoes and entry.undoes not in steps_back:
            steps_back.add(entry.id)
    return (entry for entry in entries if entry.id not in taken_back | steps_back)


def _changed_texts(entry: Entry) -> bool:
    """Tell whether an operation left any text other than it was, so that there is something to take back."""
    marks = [mark.split(" ") for mark in entry.marks]
    return any(after != before for after, _, before, _ in marks)


def _is_later(outside: Entry, mine: Entry) -> bool:
    """Tell whether a change that was noticed after one of ours was made after it, too."""
    return bool(set(outside.files) & set(mine.files)) or _done_at(outside) > _done_at(mine)


def _done_at(entry: Entry) -> int:
    """Return when a change was made: its files say so, if they are not older texts that came back."""
    noted, times = _nanoseconds(entry.at), [mark.split(" ")[1] for mark in entry.marks]
    newest = max([int(time) for time in times if time != "-"], default=0)
    if newest >= noted or (entry.by.actor == "outside" and "-" not in times):
        return newest
    return noted + 10**9 - 1  # a moment is recorded in whole seconds


def _nanoseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp()) * 10**9


def _was_there(entry: Entry, began: int) -> bool:
    """Tell whether an entry only lists files that are older than history."""
    marks = [mark.split(" ") for mark in entry.marks]
    found = [before == "-" and after_ns != "-" and int(after_ns) < began for _, after_ns, before, _ in marks]
    return entry.by.actor == "outside" and all(found)


def _newer(entries: Sequence[Entry], entry: Entry, found: ChangedSince) -> str:
    """Return the id of the newest change after this one of the files that are in its way, if there is one."""
    files = {collision.file for collision in found.collisions}
    after = {one.id for one in entries[: [one.id for one in entries].index(entry.id)]}
    changes = (one for one in _open_changes(entries) if one.id in after and files & set(one.files))
    return next((one.id for one in changes), "")


def _reversed(folder: Folder, writer: Writer, operation: Operation, how: OnCollision) -> list[Write]:
    writes: list[Write] = []
    collisions: list[Collision] = []
    for change in operation.changes:
        if change.file == INDEX_NAME:
            back = _index_back(folder, writer.catalog, change, how) if writer.memories.indexed else None
            writes.extend([back] if isinstance(back, Write) else [])
            collisions.extend([back] if isinstance(back, Collision) else [])
            continue
        current = version_on_disk(folder, change.file)
        if _sha(current) == _sha(change.before):
            continue
        if _sha(current) == _sha(change.after) or how is OnCollision.OVERWRITE:
            writes.append(_write(change.file, change.before))
        elif how is OnCollision.BOTH and change.before is not None:
            writes.append(_beside(writer, change.file, change.before))
        else:
            collisions.append(Collision(change.file, _text(current), _text(change.before)))
    if collisions:
        raise ChangedSince(operation.id, collisions)
    if not writes:
        raise NoSuchMemory(f"There is nothing to undo: all is as it was before {operation.id} already.")
    return writes


def _index_back(
    folder: Folder, catalog: Catalog, change: Change, how: OnCollision
) -> Write | Collision | None:
    """Bring words and order of the index back; the pointers are those of today, whatever it said then."""
    present = version_on_disk(folder, INDEX_NAME)
    now, before, after = _text(present) or "", change.text_before or "", change.text_after or ""
    changed = not any(same_words(masked(now), text) for text in (before, after))
    if changed and how is OnCollision.STOP:
        return Collision(INDEX_NAME, _text(present), change.text_before)
    both = changed and how is OnCollision.BOTH
    text = both_words(before, now) if both else brought_back(before, after, now)
    return Write(INDEX_NAME, text) if reworded(text, now, catalog.__contains__) else None


def _beside(writer: Writer, file: str, before: Version) -> Write:
    """Write the old text under a name of its own."""
    header = header_from(file, before.text, saved_time(before.saved_ns))
    name, free = free_name(writer.catalog, f"{header.name}-before", header.kind)
    return Write(free, with_value(before.text, "name", name), before.saved_ns)


def _write(file: str, version: Version | None) -> Write:
    return Write(file, None) if version is None else Write(file, version.text, version.saved_ns)


def _sha(version: Version | None) -> str:
    return version.sha if version else ""


def _text(version: Version | None) -> str | None:
    return version.text if version else None
