"""Days as people write them in a chat become dates, counted from the day of the message."""

from datetime import date

import pytest

from memdir.workers.offline.days import days_named, with_days

ON = date(2026, 12, 16)  # a Wednesday
DATED = [
    ("demo on Friday", "demo on 2026-12-18"),
    ("demo on fri", "demo on 2026-12-18"),
    ("demo tmrw", "demo on 2026-12-17"),
    ("demo on January 4", "demo on 2027-01-04"),
    ("demo on the 4th of January", "demo on 2027-01-04"),
    ("demo on the first of January", "demo on 2027-01-01"),
    ("demo on Monday, January 4th", "demo on 2027-01-04"),
    ("demo by the 5th", "demo by 2027-01-05"),
    ("demo by the 31st", "demo by 2026-12-31"),
    ("demo at the end of January", "demo at 2027-01-31"),
    ("demo by end of Q1", "demo by 2027-03-31"),
    ("demo in thirty days", "demo on 2027-01-15"),
    ("demo on Friday, not Thursday", "demo on 2026-12-18"),
    ("demo on December 1", "demo on 2026-12-01"),
    ("发布在1月4日", "发布在2027-01-04"),
]


def test_a_day_is_written_as_a_date() -> None:
    wrong = [f"{text}: {found}" for text, dated in DATED if (found := with_days(text, ON)) != dated]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text", ["on January 4, 2025", "we may 3 times fail", "on February 30", "no day at all"]
)
def test_what_names_no_open_day_stays(text: str) -> None:
    assert with_days(text, ON) == text


def test_dates_in_a_text_are_listed_in_order() -> None:
    assert days_named("from 2026-12-18 to 2027-01-04") == [date(2026, 12, 18), date(2027, 1, 4)]
