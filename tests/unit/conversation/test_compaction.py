"""A conversation is compacted at the effective window less a reserve, but not after failures in a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.conversation.compaction import (
    FAILURES,
    RESERVE,
    Breaker,
    compaction,
    effective_window,
    threshold,
)


def test_the_effective_window_is_what_the_output_leaves() -> None:
    assert effective_window(200_000, 32_000) == 168_000
    assert effective_window(8_000, 32_000) == 0


def test_the_threshold_is_13_000_tokens_below_the_effective_window() -> None:
    assert threshold(200_000, 32_000) == 155_000
    assert threshold(200_000, 32_000, reserve=50_000) == 118_000
    assert RESERVE == 13_000


@pytest.mark.parametrize(
    ("used", "compact"), [(0, False), (154_999, False), (155_000, True), (155_001, True), (999_999, True)]
)
def test_it_begins_at_the_threshold(used: int, compact: bool) -> None:
    assert compaction(used, threshold(200_000, 32_000)).compact is compact


def test_the_breaker_opens_after_three_failures_in_a_row() -> None:
    assert FAILURES == 3
    assert all(compaction(100, 100, Breaker(failures)).compact for failures in range(FAILURES))
    decision = compaction(100, 100, Breaker(FAILURES))
    assert not decision.compact
    assert "failed 3 times in a row" in decision.because


def test_the_breaker_s_limit_can_be_set() -> None:
    assert Breaker(1, limit=1).open
    assert not Breaker(4, limit=5).open


def test_a_window_without_room_is_named_and_not_compacted_for_ever() -> None:
    decision = compaction(5_000, threshold(16_000, 8_000))
    assert not decision.compact
    assert "compact.reserveTokens" in decision.because


@given(st.integers(0, 10**7), st.integers(-(10**5), 10**7), st.integers(0, 9))
def test_every_decision_has_its_reason(used: int, at: int, failures: int) -> None:
    decision = compaction(used, at, Breaker(failures))
    assert decision.compact == (0 < at <= used and failures < FAILURES)
    assert decision.because.endswith(".")
    assert f"{at:,}" in decision.because or str(failures) in decision.because
