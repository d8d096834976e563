"""How long ago an event was is said in the largest unit that fits."""

from datetime import timedelta

import pytest

from memdir.cli.commands.hosts import _ago


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(hours=24), "yesterday"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_an_age_in_words(age: timedelta, words: str) -> None:
    assert _ago(age) == words
