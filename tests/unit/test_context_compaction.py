"""A conversation is compacted at the effective window less a reserve, but not after failures in a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.context import CompactionDecision, compaction


def decide(
    used: int, *, window: int = 200_000, output: int = 32_000, reserve: int = 13_000, failures: int = 0
) -> CompactionDecision:
    return compaction(used, window=window, output=output, reserve=reserve, failures=failures, max_failures=3)


@pytest.mark.parametrize(
    ("used", "compact"), [(0, False), (154_999, False), (155_000, True), (155_001, True), (999_999, True)]
)
def test_it_begins_13_000_tokens_below_what_the_output_leaves_of_the_window(used: int, compact: bool) -> None:
    assert decide(used).compact is compact


def test_the_reserve_can_be_set() -> None:
    assert decide(118_000, reserve=50_000).compact
    assert not decide(117_999, reserve=50_000).compact


def test_it_is_not_tried_after_three_failures_in_a_row() -> None:
    assert all(decide(155_000, failures=failures).compact for failures in range(3))
    decision = decide(155_000, failures=3)
    assert not decision.compact
    assert "failed 3 times in a row" in decision.because


@pytest.mark.parametrize(("window", "output"), [(16_000, 8_000), (8_000, 32_000)])
def test_a_window_without_room_is_named_and_not_compacted_for_ever(window: int, output: int) -> None:
    decision = decide(5_000, window=window, output=output)
    assert not decision.compact
    assert "compact.reserveTokens" in decision.because


@given(st.integers(0, 10**7), st.integers(1, 10**7), st.integers(0, 9))
def test_every_decision_has_its_reason(used: int, window: int, failures: int) -> None:
    decision, at = decide(used, window=window, output=0, failures=failures), window - 13_000
    assert decision.compact == (0 < at <= used and failures < 3)
    assert decision.because.endswith(".")
    assert f"{at:,}" in decision.because or str(failures) in decision.because
