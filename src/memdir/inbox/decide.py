"""What a person does with the inbox: look, apply, reject; what is shown is what is written, byte for byte."""

from collections.abc import Callable
from datetime import datetime

from memdir.errors import Conflict
from memdir.inbox.inbox import Inbox, Proposal
from memdir.inbox.proposal import apply_edits
from memdir.memories.writer import Writer
from memdir.text.diff import unified

__all__ = ["Applied", "Proposals", "shown"]

Applied = tuple[Proposal, str]
"""A proposal that was applied, with the operation that undoes it; empty when all of it was there already."""


class Proposals:
    """The changes that wait for a person in one memory directory."""

    def __init__(self, writer: Writer, clock: Callable[[], datetime]) -> None:
        """Take the one who writes."""
        self._writer, self._clock = writer, clock
        self._inbox = Inbox(writer.memories.state)

    def list(self) -> "list[Proposal]":
        """Return all that wait, oldest first."""
        return self._inbox.proposals()

    def show(self, wished: str) -> Proposal:
        """Return one by its id or the beginning of it."""
        return self._inbox.proposal(wished)

    def apply(self, wished: str) -> Applied:
        """Write one proposal in one step that can be undone; `Conflict` when a memory changed since."""
        proposal = self._inbox.proposal(wished)
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
        """Take one out without writing it; the same does not come back."""
        proposal = self._inbox.proposal(wished)
        self._inbox.reject(proposal)
        return proposal

    def _is_written(self, proposal: Proposal) -> bool:
        present = [self._writer.version_now(edit.file) for edit in proposal.edits]
        texts = [version.text if version else None for version in present]
        return texts == [edit.after for edit in proposal.edits]


def shown(proposal: Proposal) -> str:
    """Return all that a proposal would change, as a unified diff."""
    return "".join(unified(edit.file, edit.before, edit.after) for edit in proposal.edits)
