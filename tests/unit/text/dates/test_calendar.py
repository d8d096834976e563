"""One way to write a moment: UTC, whole seconds, and Z."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memdir.text.dates.calendar import utc_stamp

_NOON = datetime(2026, 11, 16, 12, 0, 5, 999_999, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment",
    [_NOON, _NOON.replace(tzinfo=None), _NOON.astimezone(timezone(timedelta(hours=2)))],
)
def test_a_moment_is_written_in_utc(moment: datetime) -> None:
    assert utc_stamp(moment) == "2026-11-16T12:00:05Z"


def test_early_years_keep_four_digits() -> None:
    assert utc_stamp(datetime(70, 1, 1, tzinfo=UTC)) == "0070-01-01T00:00:00Z"
