"""Only what clearly fits is shown, and every other memory gets its reason."""

from datetime import UTC, datetime

from memdir.memories.topic import Header
from memdir.recall.gates import NEAR_BEST, SURE, chosen
from memdir.recall.ranked import Ranked

QUERY = "how do deploys go out"


def memories(*scores: float, note: str = "") -> list[Ranked]:
    day = datetime(2026, 11, 15, tzinfo=UTC)
    return [
        Ranked(Header(f"{at}.md", str(at), "", None, day), score, notes=(note,) if note else ())
        for at, score in enumerate(scores)
    ]


def files(found: tuple[Ranked, ...]) -> list[str]:
    return [one.header.file for one in found]


def test_what_comes_near_the_best_is_shown_and_the_rest_is_not() -> None:
    near = 0.9 * NEAR_BEST
    found = chosen(QUERY, memories(0.9, near + 0.001, near - 0.001))
    assert files(found.chosen) == ["0.md", "1.md"]
    assert [cut.file for cut in found.cuts] == ["2.md"]
    assert "of the best" in found.cuts[0].because


def test_nothing_is_shown_when_the_best_is_not_sure() -> None:
    found = chosen(QUERY, memories(SURE - 0.01, SURE - 0.02))
    assert found.chosen == ()
    assert [cut.file for cut in found.cuts] == ["0.md", "1.md"]
    assert all("nothing fits clearly" in cut.because for cut in found.cuts)


def test_a_sure_best_is_shown_alone_if_need_be() -> None:
    assert files(chosen(QUERY, memories(SURE, 0.01)).chosen) == ["0.md"]


def test_no_more_than_the_limit_is_shown() -> None:
    found = chosen(QUERY, memories(*[0.9] * 8), limit=3)
    assert files(found.chosen) == ["0.md", "1.md", "2.md"]
    assert {cut.because for cut in found.cuts} == {"3 others fit better"}
    assert chosen(QUERY, memories(0.9), limit=0).chosen == ()


def test_a_reason_to_step_back_is_named() -> None:
    assert (
        "(expired 2026-01-01)" in chosen(QUERY, memories(0.9, 0.1, note="expired 2026-01-01")).cuts[0].because
    )


def test_no_memories_and_no_query_show_nothing() -> None:
    assert chosen(QUERY, []).chosen == ()
    assert chosen("  ", memories(0.9)).chosen == ()
