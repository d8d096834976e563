"""Days that a memory looks forward to are claims; days that it tells of are none."""

from datetime import date

import pytest

from memdir.verify.claims.dates import date_claims

SAVED = date(2026, 4, 1)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Freeze until 2026-05-31.", [date(2026, 5, 31)]),
        ("Launch: 15 June 2026", [date(2026, 6, 15)]),
        ("We decided that on 2026-02-01.", []),
        ("The deadline is 2026-03-01.", [date(2026, 3, 1)]),
        ("It was due on 2026-03-01.", []),
        ("Supported until the end of Q2 2026", [date(2026, 6, 30)]),
        ("Done by March 2027", [date(2027, 3, 31)]),
        ("by December 2026", [date(2026, 12, 31)]),
        ("See logs/2027-01-01.md and https://example.com/2027-01-01", []),
        ("due `2026-05-01`", [date(2026, 5, 1)]),
    ],
)
def test_dates_that_a_memory_looks_forward_to_are_claims(text: str, days: list[date]) -> None:
    assert [claim.day for claim in date_claims(text, None, SAVED)] == days


def test_the_day_on_which_a_memory_expires_is_a_claim() -> None:
    assert [claim.day for claim in date_claims("", date(2026, 1, 31), SAVED)] == [date(2026, 1, 31)]
    assert date_claims("", None, SAVED) == []
