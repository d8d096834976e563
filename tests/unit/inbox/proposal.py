"""A proposal as extraction leaves it."""

from datetime import UTC, datetime

from memdir import Draft, Memory
from memdir.inbox.proposals import Proposal, draft_edits
from memdir.memories.topic import Provenance

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
BY = Provenance(actor="extractor", source="tool", method="offline", session="s1", reason="unconfirmed")


def proposed(memory: Memory, *drafts: Draft) -> Proposal:
    return Proposal(tuple(draft_edits(memory._parts.writer, drafts, BY, NOW)), BY, "tool output", NOW)
