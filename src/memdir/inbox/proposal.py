"""Changes to memories that are worked out but not made: exact texts, and what they were based on."""

from collections.abc import Sequence
from datetime import datetime

from memdir.disk.files import Folder
from memdir.errors import Rejected
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.change import Edit, Operation, shown_text
from memdir.memories.draft import refuse_secrets
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.names import key_problem
from memdir.memories.topic import Draft, Provenance
from memdir.memories.write.plans import proposal_plan
from memdir.memories.write.save_plan import SavePlan
from memdir.memories.writer import Writer
from memdir.text.value import replace

__all__ = ["apply_edits", "draft_edits"]


def draft_edits(writer: Writer, drafts: Sequence[Draft], by: Provenance, now: datetime) -> list[Edit]:
    """Return what saving these drafts would write, without writing it."""
    complete = writer.complete_drafts(drafts, now)
    with writer.memories.opened() as folder:
        if folder is None:  # nothing can be replaced there, so the plan reads nothing
            return SavePlan(Catalog(writer.memories.state), complete, by, now)(Folder("", -1))
        writer.catalog.refresh(folder)
        edits = SavePlan(writer.catalog, complete, by, now)(folder)
        return [replace(edit, before=_text(folder, edit.file)) for edit in edits]


def apply_edits(
    writer: Writer, edits: Sequence[Edit], by: Provenance, now: datetime, *, verb: str
) -> Operation:
    """Make all the changes in one step that can be undone, or none when a file is not as it was seen."""
    for edit in edits:
        if problem := key_problem(edit.file):
            raise Rejected(f"{edit.file!r} cannot be a memory file: {problem}.")
        refuse_secrets(edit.after or "")
    return writer.apply(verb, by, now, proposal_plan(edits))[0]


def _text(folder: Folder, file: str) -> str | None:
    version = version_on_disk(folder, file)
    return None if version is None else shown_text(version.text)
