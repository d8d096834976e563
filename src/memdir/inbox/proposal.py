"""Changes to memories that are worked out but not made: exact texts, and what they were based on."""

from collections.abc import Sequence
from datetime import datetime

from memdir.disk.files import Folder
from memdir.errors import Conflict, Rejected
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.draft import refuse_secrets
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.history.history import encoded
from memdir.memories.history.journal import Operation
from memdir.memories.names import key_problem
from memdir.memories.topic import Draft, Provenance
from memdir.memories.write.change import Write
from memdir.memories.write.odd_bytes import with_bytes_kept
from memdir.memories.write.plans import Plan
from memdir.memories.write.save_plan import SavePlan
from memdir.memories.writer import Writer
from memdir.text.value import value_class

__all__ = ["Edit", "drafted", "put"]


@value_class(frozen=True, slots=True)
class Edit:
    """One file as it was seen and as it is to be, byte for byte; None stands for "not there"."""

    file: str
    before: str | None
    after: str | None
    saved_ns: int | None = None
    """The time of the text, where it is older than its writing."""

    @property
    def verb(self) -> str:
        """Return what it does: create, edit, forget, or nothing when both texts are the same."""
        if self.before == self.after:
            return "nothing"
        return "create" if self.before is None else "forget" if self.after is None else "edit"


def drafted(writer: Writer, drafts: Sequence[Draft], by: Provenance, now: datetime) -> list[Edit]:
    """Return what saving these drafts would write, without writing it."""
    intakes = writer.taken_in(drafts, now, strict=False)
    with writer.memories.opened() as folder:
        if folder is None:  # nothing can be replaced there, so the plan reads nothing
            writes = SavePlan(Catalog(writer.memories.state), intakes, by, now)(Folder("", -1))
            return [Edit(write.file, None, write.text, write.saved_ns) for write in writes]
        writer.catalog.refresh(folder)
        writes = SavePlan(writer.catalog, intakes, by, now)(folder)
        return [Edit(w.file, _text(folder, w.file), w.text, w.saved_ns) for w in writes]


def put(writer: Writer, edits: Sequence[Edit], by: Provenance, now: datetime, *, verb: str) -> Operation:
    """Make all the changes in one step that can be undone, or none when a file is not as it was seen."""
    for edit in edits:
        if problem := key_problem(edit.file):
            raise Rejected(f"{edit.file!r} cannot be a memory file: {problem}.")
        refuse_secrets(edit.after or "")
    return writer.apply(verb, by, now, _plan(edits))[0]


def _plan(edits: Sequence[Edit]) -> Plan:
    def plan(folder: Folder) -> list[Write]:
        changed = [edit.file for edit in edits if _text(folder, edit.file) != edit.before]
        if changed:
            raise Conflict(
                f"{', '.join(changed)} changed since this was worked out. Nothing was written; do it again."
            )
        return [_write(folder, edit) for edit in edits]

    return plan


def _write(folder: Folder, edit: Edit) -> Write:
    """Return an edit as it is written: bytes that nobody was shown stay as they are."""
    version = version_on_disk(folder, edit.file)
    if edit.after is None or version is None:
        return Write(edit.file, edit.after, edit.saved_ns)
    return Write(edit.file, with_bytes_kept(edit.file, edit.after, version.text), edit.saved_ns)


def _text(folder: Folder, file: str) -> str | None:
    version = version_on_disk(folder, file)
    return None if version is None else encoded(version.text).decode("utf-8", "replace")
