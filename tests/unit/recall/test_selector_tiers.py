"""What is certain is shown in full, what is likely as a line, and every other memory gets its reason."""

from datetime import UTC, datetime

from memdir.conversation.state import ALREADY_NAMED
from memdir.memories.topic import Header
from memdir.recall.fusion import Ranked
from memdir.recall.limits import Limits
from memdir.recall.selector import MOST_LINES, Choice, select
from memdir.text.value import replace

TIERS = Limits(certain=0.6, likely=0.2)


def memories(*scores: float, note: str = "") -> list[Ranked]:
    day = datetime(2026, 11, 15, tzinfo=UTC)
    return [
        Ranked(Header(f"{at}.md", str(at), "", None, day), score, 0.0, 0.5, (note,) if note else ())
        for at, score in enumerate(scores)
    ]


def tiers(found: Choice) -> tuple[list[str], list[str]]:
    return [one.header.name for one in found.certain], [one.header.name for one in found.likely]


def test_each_memory_is_shown_by_its_own_probability_the_most_probable_first() -> None:
    found = select(memories(0.3, 0.7, 0.1, 0.9), TIERS)
    assert tiers(found) == (["3", "1"], ["0"])
    assert found.cuts == {"2.md": "it helps with a probability of 0.10, 0.20 is needed"}


def test_nothing_is_shown_when_nothing_is_likely() -> None:
    found = select(memories(0.19, 0.02), TIERS)
    assert tiers(found) == ([], [])
    assert list(found.cuts) == ["0.md", "1.md"]


def test_both_tiers_count_towards_the_limit() -> None:
    found = select(memories(0.9, 0.9, 0.9, 0.4, 0.4, 0.4), replace(TIERS, files=4))
    assert tiers(found) == (["0", "1", "2"], ["3"])
    assert set(found.cuts) == {"4.md", "5.md"}
    assert tiers(select(memories(*[0.9] * 4, 0.4), replace(TIERS, files=3))) == (
        ["0", "1", "2"],
        [],
    )
    assert tiers(select(memories(0.9, 0.4), replace(TIERS, files=0))) == ([], [])


def test_there_are_at_most_three_lines() -> None:
    found = select(memories(*[0.4] * 5), TIERS)
    assert len(found.likely) == MOST_LINES == 3
    assert found.cuts["3.md"] == "others are more probable, and only 3 lines are shown at once"


def test_what_was_named_gets_no_second_line_and_may_still_be_shown_in_full() -> None:
    found = select(memories(0.8, 0.4), TIERS, named={"0.md", "1.md"})
    assert tiers(found) == (["0"], [])
    assert found.cuts == {"1.md": ALREADY_NAMED}


def test_words_alone_make_no_line() -> None:
    found = select([replace(one, semantic=None) for one in memories(0.9, 0.5)], TIERS)
    assert tiers(found) == (["0"], [])
    assert found.cuts == {"1.md": "it helps with a probability of 0.50, 0.60 is needed"}


def test_a_reason_to_step_back_is_named() -> None:
    found = select(memories(0.1, note="expired 2026-01-01"), Limits(likely=0.2))
    assert found.cuts["0.md"].endswith("(expired 2026-01-01)")
