"""Takes back one operation, whole, and says so when a file has changed since."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from memdir.core.frontmatter import with_value
from memdir.core.names import INDEX_NAME
from memdir.core.topic import Provenance, header_from
from memdir.core.value import value_class
from memdir.errors import Conflict, NoSuchMemory
from memdir.store.catalog import saved_time
from memdir.store.files import Folder
from memdir.store.history import Entry
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

    def __init__(self, operation: str, collisions: Sequence[Collision]) -> None:
        """Name the files and offer both ways on."""
        self.operation, self.collisions = operation, tuple(collisions)
        files = ", ".join(collision.file for collision in collisions)
        super().__init__(
            f"{files} changed after {operation}, so nothing was undone. Undo again with 'overwrite' to bring "
            "the old text back, or with 'both' to keep the present text and put the old one beside it."
        )


@value_class(frozen=True, slots=True)
class Undone:
    """What was taken back, and the operation that did it."""

    undid: Entry
    operation: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def undoable(entries: Sequence[Entry]) -> Entry:
    """Choose the newest operation of ours that was not undone yet; an undo steps further back."""
    taken_back = {entry.undoes for entry in entries if entry.undoes}
    for entry in entries:
        if entry.id not in taken_back and not entry.undoes and entry.by.actor != "outside":
            return entry
    raise NoSuchMemory("There is nothing to undo: history holds no change that was not undone already.")


def undone(
    writer: Writer,
    entry: Entry,
    by: Provenance,
    now: datetime,
    collision: OnCollision = OnCollision.STOP,
) -> Undone:
    """Take one operation back as a new operation, which can itself be undone."""
    operation = writer.recorder.history.operation(entry)
    new, warnings = writer.apply(
        "undo", by, now, lambda folder: _reversed(folder, writer, operation, collision), undoes=entry.id
    )
    return Undone(entry, new.id, tuple(new.files), tuple(warnings))


def restored(writer: Writer, file: str, version: Version, by: Provenance, now: datetime) -> Saved:
    """Bring one version of a file back, with its own time."""
    write = Write(file, version.text, version.saved_ns)
    operation, warnings = writer.apply("restore", by, now, lambda _: [write])
    return writer.saved(operation.id, operation.changes[0], tuple(warnings))


def _reversed(folder: Folder, writer: Writer, operation: Operation, how: OnCollision) -> list[Write]:
    writes: list[Write] = []
    collisions: list[Collision] = []
    for change in operation.changes:
        if change.file == INDEX_NAME:
            continue  # derived: it follows from the files
        current = version_on_disk(folder, change.file)
        if _sha(current) == _sha(change.before):
            continue
        if _sha(current) == _sha(change.after) or how is OnCollision.OVERWRITE:
            writes.append(_write(change.file, change.before))
        elif how is OnCollision.BOTH:
            writes.extend(_beside(writer, change))
        else:
            collisions.append(Collision(change.file, _text(current), _text(change.before)))
    if collisions:
        raise ChangedSince(operation.id, collisions)
    return writes


def _beside(writer: Writer, change: Change) -> list[Write]:
    """Write the old text under a name of its own, if there was one."""
    if change.before is None:
        return []
    header = header_from(change.file, change.before.text, saved_time(change.before.saved_ns))
    name, file = free_name(writer.catalog, f"{header.name}-before", header.kind)
    return [Write(file, with_value(change.before.text, "name", name), change.before.saved_ns)]


def _write(file: str, version: Version | None) -> Write:
    return Write(file, None) if version is None else Write(file, version.text, version.saved_ns)


def _sha(version: Version | None) -> str:
    return version.sha if version else ""


def _text(version: Version | None) -> str | None:
    return version.text if version else None
