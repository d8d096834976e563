"""`memory.history`: what was done to the memories, and the way back."""

from collections.abc import Sequence

from memdir.build import Parts
from memdir.inbox.proposals import apply_edits
from memdir.memories.change import Edit, Saved
from memdir.memories.history.history import HistoryEntry
from memdir.memories.history.undo import OnCollision, Undone, restore_version, undo_newest, undo_operation
from memdir.memories.history.versions import entries_of, file_ever_called, version_named
from memdir.memories.topic import Provenance
from memdir.text.diff import unified
from memdir.text.value import value_class

__all__ = ["HistoryHandle"]

Entries = list[HistoryEntry]


@value_class(frozen=True, slots=True)
class HistoryHandle:
    """The operations on one memory directory."""

    _parts: Parts

    def list(self, name: str = "", *, limit: int = 0) -> Entries:
        """Return what was done, newest first: to everything, or to one memory."""
        self._parts.verdict.require_on()
        writer, now = self._parts.writer, self._parts.world.clock()
        writer.note_outside(now)
        file = file_ever_called(writer, name) if name else ""
        recorder = writer.recorder
        return recorder.answered(now, lambda: entries_of(recorder.history, file, limit))

    def diff(self, operation: str | None = None) -> str:
        """Return what one operation changed, the newest by default, as a unified diff."""
        newest, history = self.list(limit=1), self._parts.writer.recorder.history
        if not newest and operation is None:
            return ""
        done = history.operation(newest[0] if operation is None else history.entry(operation))
        return "".join(unified(c.file, c.text_before, c.text_after) for c in done.changes)

    def undo(self, operation: str | None = None, *, on_collision: str = "stop") -> Undone:
        """Take back one operation, by default the newest that was not undone and still has an effect."""
        self.list()
        how, by, writer = OnCollision(on_collision), self._parts.provenance("user"), self._parts.writer
        now = self._parts.world.clock()
        if operation is None:
            return undo_newest(writer, by, now, how)
        return undo_operation(writer, writer.recorder.history.entry(operation), by, now, how)

    def change(
        self,
        edits: Sequence[Edit],
        *,
        verb: str = "edit",
        actor: str = "user",
        source: str = "user",
        reason: str = "",
    ) -> str:
        """Make exact changes to files in one step, or none if one is not as it was seen; return its id."""
        self._parts.verdict.require_on()
        by = self._parts.provenance(actor, source, reason)
        return apply_edits(self._parts.writer, edits, by, self._parts.world.clock(), verb=verb).id

    @property
    def undo_works(self) -> bool:
        """Tell whether what was done through this handle can be undone: git is here, and it was recorded."""
        return self._parts.writer.recorder.undo_works

    def restore(self, name: str, operation: str | None = None) -> Saved:
        """Bring back a memory as an operation left it, or as it was before it was forgotten."""
        self._parts.verdict.require_on()
        writer, now = self._parts.writer, self._parts.world.clock()
        file, version = version_named(writer, name, now, operation)
        return restore_version(writer, file, version, self._parts.provenance("user"), now)

    def provenance(self, name: str) -> Provenance | None:
        """Return who wrote a memory through memdir; None when its header only claims it."""
        return self._parts.writer_of(self._parts.memories.read(name).header.file)
