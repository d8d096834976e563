"""A proposal as extraction leaves it."""

from datetime import UTC, datetime

from tests.contents import parts_of

from memdir import Draft, Memory
from memdir.inbox.proposals import Proposal, draft_edits
from memdir.memories.topic import Provenance

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
BY = Provenance(actor="extractor", source="tool", method="offline", session="s1", reason="unconfirmed")


def proposed(memory: Memory, *drafts: Draft) -> Proposal:
    return Proposal(tuple(draft_edits(parts_of(memory).writer, drafts, BY, NOW)), BY, "tool output", NOW)
