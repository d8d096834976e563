"""A sample of the benchmark's first half reaches its targets, and extracting it again adds nothing."""

from datetime import date
from typing import Any

from bench.extraction.run import Figures, conversations, count, known, spoken, topic

from memdir.extract.heuristics.extraction import extracted

SAMPLE = conversations("first")[::4]


def on(conversation: dict[str, Any]) -> date:
    return date.fromisoformat(conversation["on"])


def test_the_sample_reaches_the_targets() -> None:
    figures = Figures()
    for one in SAMPLE:
        count(figures, one, extracted(spoken(one), known(one), on(one)))
    total = figures.total()
    assert total["right"] / total["saved"] >= 0.9
    assert total["found"] / total["expected"] >= 0.6
    assert total["kind"] / total["found"] >= 0.9
    assert total["dates"] / total["dated"] >= 0.95
    assert (figures.from_tools, figures.secrets) == (0, 0)


def test_the_same_conversation_twice_adds_nothing() -> None:
    for one in SAMPLE:
        first = extracted(spoken(one), known(one), on(one))
        made = [topic(draft.kind, draft.name, draft.description, draft.body) for draft in first.drafts]
        gone = {draft.name for draft in first.drafts} | set(first.forget)
        kept = [memory for memory in known(one) if memory.header.name not in gone]
        again = extracted(spoken(one), [*kept, *made], on(one))
        assert (again.drafts, again.forget) == ((), ()), one["id"]
