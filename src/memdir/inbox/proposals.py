"""Work out proposals without writing them; list, show, apply and reject those in the inbox."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime

from memdir.disk.files import Folder
from memdir.errors import Conflict, Rejected
from memdir.inbox.store import Inbox, Proposal
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.change import Edit, Operation, shown_text, version_on_disk
from memdir.memories.conflict_copy import is_conflict_copy, original_of, renamed
from memdir.memories.names import key_problem
from memdir.memories.plans import SavePlan, proposal_plan
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Draft, Header, Provenance, header_from
from memdir.memories.writer import Writer
from memdir.text.diff import unified
from memdir.text.frontmatter.edits import with_value
from memdir.text.value import replace

__all__ = [
    "Applied",
    "Proposals",
    "apply_edits",
    "draft_edits",
    "proposal_diff",
]


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


Applied = tuple[Proposal, str]
"""A proposal that was applied, with the operation that undoes it; empty when all of it was there already."""


class Proposals:
    """The changes that wait for a person in one memory directory."""

    def __init__(self, writer: Writer, clock: Callable[[], datetime]) -> None:
        """Take the one who writes."""
        self._writer, self._clock = writer, clock
        self._inbox = Inbox(writer.memories.state)

    def list(self) -> "list[Proposal]":
        """Return all that wait, oldest first, and the conflicts that a sync left."""
        return [*self._inbox.proposals(), *self._conflicts()]

    def show(self, wished: str) -> Proposal:
        """Return one by its id or the beginning of it."""
        left = [one for one in self._conflicts() if wished and one.id.startswith(wished)]
        return left[0] if len(left) == 1 else self._inbox.proposal(wished)

    def apply(self, wished: str) -> Applied:
        """Write one proposal in one step that can be undone; `Conflict` when a memory changed since."""
        proposal = self.show(wished)
        if self._is_written(proposal):  # by somebody who died before the proposal was taken out
            self._inbox.remove(proposal)
            return proposal, ""
        try:
            done = apply_edits(self._writer, proposal.edits, proposal.by, self._clock(), verb="apply")
        except Conflict as conflict:
            conflict.add_note("Compare it with the present text, edit by hand what is right, and reject it.")
            raise
        self._inbox.remove(proposal)
        return proposal, done.id

    def reject(self, wished: str) -> Proposal:
        """Take one out without writing it; the same does not come back. Of a conflict the copy goes."""
        proposal = self.show(wished)
        if is_conflict_copy(proposal.files[-1]):
            apply_edits(self._writer, proposal.edits[-1:], proposal.by, self._clock(), verb="apply")
        else:
            self._inbox.reject(proposal)
        return proposal

    def _conflicts(self) -> Sequence[Proposal]:
        """Return for each conflict copy what would put its text in the place of the present one."""
        memories = self._writer.memories
        copies = [header for header in memories.scan() if is_conflict_copy(header.file)]
        with memories.opened() as folder:
            found = [_conflict(folder, header) for header in reversed(copies) if folder]
        return [one for one in found if one]

    def _is_written(self, proposal: Proposal) -> bool:
        present = [self._writer.version_now(edit.file) for edit in proposal.edits]
        texts = [version.text if version else None for version in present]
        return texts == [edit.after for edit in proposal.edits]


_BOTH = "two sides changed {file} at once: apply takes the other text, reject keeps the present one"


def _conflict(folder: Folder, header: Header) -> Proposal | None:
    file = original_of(header.file)
    other, present = _text(folder, header.file), _text(folder, file)
    if other is None:
        return None
    name = header_from(file, present, header.saved_at).name if present else ""
    text = with_value(other, "name", name) if name else renamed(other, file)
    edits = Edit(file, present, text), Edit(header.file, other, None)
    made = f"conflict-{hashlib.sha256(header.file.encode('utf-8', 'replace')).hexdigest()[:6]}"
    return Proposal(edits, Provenance("user"), _BOTH.format(file=file), header.saved_at, made)


def proposal_diff(proposal: Proposal) -> str:
    """Return all that a proposal would change, as a unified diff."""
    return "".join(unified(edit.file, edit.before, edit.after) for edit in proposal.edits)
