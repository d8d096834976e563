"""What a sync did and what it left alone, with the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memdir.memories.change import Edit
from memdir.memories.scan import Skipped
from memdir.sync.local import LocalFiles
from memdir.sync.remote import Outgoing, Snapshot
from memdir.text.value import value_class

__all__ = ["SyncConflict", "SyncResult", "SyncStatus", "SyncTally"]

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
        sent = self.pushed or self.deleted_there
        return bool(sent or self.pulled or self.merged or self.conflicts or self.deleted_here)

    def lines(self) -> list[str]:
        """Return it for people, a sentence a line."""
        told = [] if self.changed else ["Nothing new."]
        for said, files in (
            ("Sent", self.pushed),
            ("Received", self.pulled),
            ("Merged", self.merged),
            ("Deleted here, as on the remote", self.deleted_here),
            ("Deleted on the remote, as here", self.deleted_there),
        ):
            more = f" and {len(files) - _MOST_SHOWN:,} more" if len(files) > _MOST_SHOWN else ""
            told += [f"{said}: {', '.join(files[:_MOST_SHOWN])}{more}"] if files else []
        told += [
            f"{one.file}: {one.because}. Your text is in {one.copy}: join them, then forget that one."
            for one in self.conflicts
        ]
        told += [f"Left alone: {refusal.file}: {refusal.because}." for refusal in self.refused]
        return [*told, *self.notes]


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


@dataclass(slots=True)
class SyncTally:
    """What was done so far, over all rounds of a sync."""

    pushed: set[str] = field(default_factory=set)
    pulled: set[str] = field(default_factory=set)
    merged: set[str] = field(default_factory=set)
    deleted_here: set[str] = field(default_factory=set)
    deleted_there: set[str] = field(default_factory=set)
    conflicts: dict[str, SyncConflict] = field(default_factory=dict)
    refused: dict[str, Skipped] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    operations: list[str] = field(default_factory=list)
    merging: set[str] = field(default_factory=set)
    conflicting: dict[str, SyncConflict] = field(default_factory=dict)

    @property
    def copies(self) -> dict[str, str]:
        """Return the file that keeps our version of each that is in conflict."""
        return {one.file: one.copy for one in self.conflicting.values()}

    def note(self, sentence: str) -> None:
        """Say something once."""
        self.notes |= {sentence: None} if sentence else {}

    def refuse(self, file: str, because: str) -> None:
        """Say why a file is left alone."""
        self.refused[file] = Skipped(file, because)

    def note_snapshot(self, snapshot: Snapshot, local: LocalFiles) -> None:
        """Take over what both sides had to say."""
        self.refused |= {one.file: one for one in (*snapshot.refused, *local.refused)}
        self.notes |= dict.fromkeys(snapshot.notes)

    def count_written(self, edits: Sequence[Edit], made: Sequence[str], operation: str) -> None:
        """Count what was written here."""
        self.operations += [operation] if operation else []
        copies = {*self.copies.values()}
        for edit in edits:
            if edit.file not in made or edit.file in copies:
                continue
            if edit.file in self.conflicting:
                self.conflicts[edit.file] = self.conflicting[edit.file]
            elif edit.file in self.merging:
                self.merged.add(edit.file)
            else:
                (self.deleted_here if edit.after is None else self.pulled).add(edit.file)

    def count_sent(self, changes: Sequence[Outgoing]) -> None:
        """Count what was published."""
        for one in changes:
            (self.deleted_there if one.data is None else self.pushed).add(one.file)

    def result(self, title: str) -> SyncResult:
        """Return it all."""
        return SyncResult(
            title,
            tuple(sorted(self.pushed)),
            tuple(sorted(self.pulled)),
            tuple(sorted(self.merged)),
            tuple(self.conflicts.values()),
            tuple(sorted(self.deleted_here)),
            tuple(sorted(self.deleted_there)),
            tuple(self.refused[file] for file in sorted(self.refused)),
            tuple(self.notes),
            tuple(self.operations),
        )
