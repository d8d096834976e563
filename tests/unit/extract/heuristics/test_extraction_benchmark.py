"""Conversations that the tagger did not see reach their targets, and extracting them again adds nothing."""

import pytest
from bench.extraction.run import HELD_OUT, Figures, conversations, count, found_in, known, topic

from memdir.memories.topic import Kind

SAMPLE = [one for half in HELD_OUT for one in conversations(half)]


@pytest.mark.timeout(600)  # a network reads every sentence, and the machine may be busy
def test_the_sample_reaches_the_targets() -> None:
    figures = Figures()
    for one in SAMPLE:
        count(figures, one, found_in(one))
    total = figures.total()
    assert total["right"] / total["saved"] >= 0.9
    assert total["found"] / total["expected"] >= 0.6
    assert total["kind"] / total["found"] >= 0.9
    assert total["dates"] / total["dated"] >= 0.95
    assert (figures.from_tools, figures.secrets) == (0, 0)


def test_the_same_conversation_twice_adds_nothing() -> None:
    for one in SAMPLE[::3]:
        first = found_in(one)
        made = [
            topic(Kind(str(draft.kind)), draft.name, draft.description, draft.body) for draft in first.drafts
        ]
        gone = {draft.name for draft in first.drafts} | set(first.forget)
        kept = [memory for memory in known(one) if memory.header.name not in gone]
        again = found_in(one, [*kept, *made])
        assert (again.drafts, again.forget) == ((), ()), one["id"]
