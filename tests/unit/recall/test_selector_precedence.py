"""Of two memories that contradict each other the newer is shown; what nobody would see is not compared."""

from datetime import UTC, datetime

import pytest

from memdir.memories.topic import Header, Kind
from memdir.recall.fusion import Ranked
from memdir.recall.selector import newer_ranked
from memdir.text.word_starts import word_starts


def a_memory(name: str, description: str, year: int, score: float) -> Ranked:
    saved = datetime(year, 1, 1, tzinfo=UTC)
    return Ranked(Header(f"project_{name}.md", name, description, Kind.PROJECT, saved), score)


@pytest.mark.parametrize(("of_the_old", "is_cut"), [(0.9, True), (0.02, True), (0.0005, False)])
def test_an_older_memory_is_compared_when_it_helps_at_all(of_the_old: float, is_cut: bool) -> None:
    old = a_memory("day", "Deploys run on Tuesdays.", 2025, of_the_old)
    new = a_memory("days", "Deploys no longer run on Tuesdays, they run on Wednesdays.", 2026, 0.5)
    assert (old.header.file in newer_ranked([new, old], 0.1)[1]) is is_cut


def test_whoever_asks_a_model_has_every_older_memory_compared() -> None:
    old = a_memory("day", "Deploys run on Tuesdays.", 2025, 0.0)
    new = a_memory("days", "Deploys no longer run on Tuesdays, they run on Wednesdays.", 2026, 0.0)
    assert old.header.file in newer_ranked([new, old], 0.0)[1]


def test_that_both_begin_with_how_is_nothing_in_common() -> None:
    assert not word_starts("How invoices are numbered") & word_starts("How reports are printed")
