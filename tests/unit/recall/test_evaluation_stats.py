"""People can ask what all recalls add up to."""

import pytest

from memdir.conversation.receipts import NamedMemory, Receipt, ShownMemory
from memdir.recall.evaluation import stats_of
from memdir.text.value import replace


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
