"""What a sync did and what it left alone, with the reasons."""

from __future__ import annotations

from memdir.memories.scan import Skipped
from memdir.text.value import value_class

__all__ = ["KINDS", "SyncConflict", "SyncResult", "SyncStatus", "SyncTally"]

KINDS = {
    "pushed": "Sent",
    "pulled": "Received",
    "merged": "Merged",
    "deleted_here": "Deleted here, as on the remote",
    "deleted_there": "Deleted on the remote, as here",
}
"""Lists of files in a result, with what is said of them."""

_MOST_SHOWN = 10


@value_class(frozen=True, slots=True)
class SyncConflict:
    """A memory that both sides changed: the text of the remote stays, ours is beside it."""

    file: str
    copy: str
    because: str


@value_class(frozen=True, slots=True)
class SyncResult:
    """All that one sync did."""

    remote: str
    """The remote in words."""
    pushed: tuple[str, ...] = ()
    pulled: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    conflicts: tuple[SyncConflict, ...] = ()
    deleted_here: tuple[str, ...] = ()
    deleted_there: tuple[str, ...] = ()
    refused: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    """Ids under which what came in can be undone, newest last."""

    @property
    def changed(self) -> bool:
        """Tell whether anything was sent or taken."""
        return bool(self.conflicts or any(getattr(self, kind) for kind in KINDS))

    def lines(self) -> list[str]:
        """Return it for people, a sentence a line."""
        lines = [] if self.changed else ["Nothing new."]
        for kind, action in KINDS.items():
            files: tuple[str, ...] = getattr(self, kind)
            more = f" and {len(files) - _MOST_SHOWN:,} more" if len(files) > _MOST_SHOWN else ""
            lines += [f"{action}: {', '.join(files[:_MOST_SHOWN])}{more}"] if files else []
        for one in self.conflicts:
            advice = f"Your text is in {one.copy}: join them, then forget that one."
            lines.append(f"{one.file}: {one.because}. {advice}")
        lines += [f"Left alone: {refusal.file}: {refusal.because}." for refusal in self.refused]
        return [*lines, *self.notes]


@value_class(frozen=True, slots=True)
class SyncStatus:
    """Where a directory stands beside its remote, without asking the remote."""

    remote: str
    last: str
    """When a sync last found something new: UTC; empty when there was none."""
    waiting: tuple[str, ...] = ()
    """Files that changed here since."""
    conflicts: tuple[str, ...] = ()
    """Files that keep the other version of a memory."""


class SyncTally:
    """What was done so far, over all rounds of a sync."""

    def __init__(self) -> None:
        self.files = {kind: set[str]() for kind in KINDS}
        self.conflicts, self._refused = dict[str, SyncConflict](), dict[str, Skipped]()
        self._notes, self.operations = dict[str, None](), list[str]()

    def note(self, *sentences: str) -> None:
        """Say something once."""
        self._notes |= dict.fromkeys(sentences)

    def refuse(self, *files: Skipped) -> None:
        """Say why files are left alone."""
        self._refused |= {one.file: one for one in files}

    def result(self, title: str) -> SyncResult:
        """Return it all."""
        return SyncResult(
            title,
            **{kind: tuple(sorted(files)) for kind, files in self.files.items()},
            conflicts=tuple(self.conflicts.values()),
            refused=tuple(self._refused[file] for file in sorted(self._refused)),
            notes=tuple(self._notes),
            operations=tuple(self.operations),
        )
