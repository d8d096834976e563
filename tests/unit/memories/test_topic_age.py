"""A memory's age is told in whole days, and only what is over a day old carries a note."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.topic import age_in_words, days_old, freshness_note

NOW = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "days"),
    [
        (timedelta(0), 0),
        (timedelta(hours=23, minutes=59, seconds=59), 0),
        (timedelta(days=1), 1),
        (timedelta(days=1, hours=23), 1),
        (timedelta(days=47, hours=1), 47),
        (timedelta(days=-3), 0),
        (timedelta(microseconds=-1), 0),
    ],
)
def test_part_days_do_not_count_and_the_future_is_now(before: timedelta, days: int) -> None:
    assert days_old(NOW - before, NOW) == days


def test_zones_are_compared_as_moments() -> None:
    saved_at = (NOW - timedelta(days=2)).astimezone(timezone(timedelta(hours=13)))
    assert days_old(saved_at, NOW) == 2


@given(st.datetimes(), st.datetimes())
def test_any_two_moments_have_an_age(saved_at: datetime, now: datetime) -> None:
    days = days_old(saved_at, now)
    assert days >= 0
    assert days == 0 or timedelta(days=days) <= now - saved_at < timedelta(days=days + 1)


@pytest.mark.parametrize(
    ("days", "words"),
    [(-1, "today"), (0, "today"), (1, "yesterday"), (2, "2 days ago"), (365, "365 days ago")],
)
def test_words(days: int, words: str) -> None:
    assert age_in_words(days) == words


@pytest.mark.parametrize("days", [-1, 0, 1])
def test_fresh_memories_carry_no_note(days: int) -> None:
    assert freshness_note(days) == ""


def test_older_ones_say_how_old_what_may_have_moved_and_what_to_do() -> None:
    note = freshness_note(47)
    assert "47 days old" in note
    assert "line numbers" in note
    assert "code" in note
    assert "before relying on" in note
    assert "\n" not in note
    assert freshness_note(2) == note.replace("47", "2")
