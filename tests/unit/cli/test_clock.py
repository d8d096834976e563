"""A moment is shown on the person's own clock, with its zone."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from memdir.cli.clock import moment


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand where the clock is two hours ahead."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "HERE-2")
        time.tzset()
        yield
    time.tzset()


def test_both_forms_of_a_moment_read_alike() -> None:
    assert moment("2030-12-31T23:30:05Z") == "2031-01-01 01:30 HERE"
    assert moment(datetime(2030, 12, 31, 23, 30, tzinfo=UTC)) == "2031-01-01 01:30 HERE"


def test_no_moment_is_a_dash() -> None:
    assert moment("") == moment(None) == "-"
