"""Ages and days in the words of a page."""

from datetime import UTC, date, datetime, timedelta

import pytest

from memdir.viewer.page import day_in_words, exact_age

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=47), "47 days ago"),
    ],
)
def test_an_age_within_a_day_is_told_in_minutes_and_hours(ago: timedelta, words: str) -> None:
    assert exact_age(NOW - ago, NOW) == words
    assert exact_age((NOW - ago).isoformat(), NOW) == words


def test_a_day_is_told_with_its_year_unless_it_is_this_one() -> None:
    assert day_in_words("2019-03-01") == "Fri 1 Mar 2019"
    assert day_in_words(date(2019, 12, 24)) == "Tue 24 Dec 2019"
    assert str(datetime.now(UTC).year) not in day_in_words(datetime.now(UTC).date())
    assert day_in_words("no day") == "no day"
