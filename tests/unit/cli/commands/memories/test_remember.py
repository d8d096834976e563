"""Somebody who saves a memory is told what they may not expect: its name, its day, how much recall shows.

Nothing is removed for good where nobody can agree to it.
"""

import sys
from datetime import UTC, date, datetime

import pytest

from memdir.cli.app import run
from memdir.cli.commands.memories.remember import remarks
from memdir.memories.topic import Header

TODAY = date(2030, 6, 1)


def told(text: str = "Prefers tabs.", *, name: str = "tabs", expires: str = "") -> list[str]:
    header = Header("tabs.md", "tabs", "", None, datetime(2030, 6, 1, tzinfo=UTC), expires=expires)
    return remarks(header, text, name=name, today=TODAY)


def test_an_ordinary_memory_needs_no_remark() -> None:
    assert told() == told(name="") == told(expires="2030-06-01") == []


def test_another_name_than_the_one_given_is_told() -> None:
    assert told(name="Tabs!") == ["It is called 'tabs': a name has letters, digits and dashes."]


def test_a_day_that_is_over_is_told() -> None:
    assert told(expires="2020-01-01") == [
        "2020-01-01 is over, so it has expired already. --expires sets another day."
    ]


def test_more_than_a_recall_shows_is_told() -> None:
    assert "It has 5,000 bytes in 1 line; a recall shows the first" in told("x" * 5_000)[0]
    assert "in 300 lines;" in told("\n" * 299)[0]


def test_nothing_is_purged_where_the_input_is_closed(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run([*options, "forget", "tea", "--purge"]) == 6
    assert "error: This was not done: nobody is there to answer." in capsys.readouterr().err
    assert run([*options, "show", "tea"]) == 0
