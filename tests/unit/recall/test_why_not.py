"""People can ask why something was not recalled, and what all recalls add up to."""

import pytest
from tests.unit.conversation.charged import spent
from tests.unit.recall.place import Place

from memdir.conversation.receipts import NamedMemory, Receipt, ShownMemory
from memdir.recall.why_not import stats_of, why_not
from memdir.text.value import replace

QUERY = "how do we deploy"


def test_the_rule_that_kept_a_memory_out_is_named_with_its_place(place: Place) -> None:
    answer = why_not(place.recaller(), "c.md", QUERY)
    assert (answer.because, answer.rank, answer.of) == (
        "it helps with a probability of 0.30, 0.50 is needed",
        3,
        3,
    )
    assert answer.ranked is not None
    assert answer.best is not None
    assert (answer.ranked.score, answer.best.score) == (0.3, 0.9)


def test_one_that_would_be_recalled_is_said_to_be(place: Place) -> None:
    assert why_not(place.recaller(), "b.md", QUERY).because == ""


def test_what_was_already_shown_is_said_to_be(place: Place) -> None:
    recaller = place.recaller(session="s1")
    recaller.recall(QUERY)
    assert why_not(recaller, "a.md", QUERY).because == "this conversation was already shown it"


def test_prompts_that_are_never_looked_at_name_that_rule(place: Place) -> None:
    assert "words" in why_not(place.recaller(), "a.md", "ok").because
    assert (
        "off"
        in why_not(place.recaller(off="memory is off because a variable says so"), "a.md", QUERY).because
    )


def test_a_file_that_is_no_memory_is_said_to_be_none(place: Place) -> None:
    assert "not among" in why_not(place.recaller(), "ghost.md", QUERY).because


def test_asking_shows_charges_and_writes_nothing(place: Place) -> None:
    recaller = place.recaller(session="s1")
    why_not(recaller, "a.md", QUERY)
    assert place.receipts() == []
    assert spent(recaller.conversation) == 0


def receipt(*files: str, milliseconds: float = 1.0, because: str = "", method: str = "lexical") -> Receipt:
    shown = tuple(ShownMemory(file, "m", 0, "said by the user") for file in files)
    return Receipt(
        "1",
        "2026-11-15T00:00:00Z",
        "q",
        method=method,
        because=because,
        shown=shown,
        milliseconds=milliseconds,
    )


def test_figures_add_up() -> None:
    receipts = [
        receipt("a.md", "b.md", milliseconds=3),
        receipt("b.md", milliseconds=1, method="model"),
        receipt(milliseconds=2),
        receipt(because="the prompt is empty", milliseconds=900),
    ]
    stats = stats_of(receipts, ["a.md", "b.md", "c.md"])
    assert (stats.recalls, stats.empty, stats.skipped) == (3, 1, {"the prompt is empty": 1})
    assert (stats.recalled, stats.never) == ({"b.md": 2, "a.md": 1}, ("c.md",))
    assert stats.milliseconds == {"p50": 2, "p90": 3, "p99": 3, "longest": 3}
    assert stats.methods == {"lexical": 2, "model": 1}


def test_a_recall_that_showed_lines_only_gave_something() -> None:
    line = replace(receipt(), named=(NamedMemory("a.md", "line-m"),))
    stats = stats_of([line, receipt()], ["a.md", "b.md"])
    assert (stats.recalls, stats.empty) == (2, 1)
    assert (stats.recalled, stats.never) == ({"a.md": 1}, ("b.md",))


def test_without_receipts_nothing_was_ever_recalled() -> None:
    stats = stats_of([], ["a.md"])
    assert (stats.recalls, stats.milliseconds, stats.never, stats.since) == (0, {}, ("a.md",), "")


@pytest.mark.parametrize(("count", "p50", "p90", "p99"), [(1, 1, 1, 1), (10, 5, 9, 10), (100, 50, 90, 99)])
def test_percentiles_are_those_of_the_textbook(count: int, p50: float, p90: float, p99: float) -> None:
    stats = stats_of([receipt(milliseconds=float(at + 1)) for at in range(count)], [])
    assert [stats.milliseconds[name] for name in ("p50", "p90", "p99")] == [p50, p90, p99]
