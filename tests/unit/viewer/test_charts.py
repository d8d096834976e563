"""Pictures: every day has its column, and shares fill the bar."""

import time
from datetime import date

import pytest

from memdir.conversation.receipts import Receipt, ShownMemory
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.topic import Provenance
from memdir.viewer.charts import HEIGHT, _zone, bars_of, events_of, picture_days, shares_of

ENTRIES = [
    HistoryEntry("3", "2026-11-15T10:00:00Z", "dream", Provenance("dream"), ("a.md",)),
    HistoryEntry("2", "2026-11-14T10:00:00Z", "forget", Provenance(session="s"), ("b.md",)),
    HistoryEntry("1", "2026-11-14T09:00:00Z", "remember", Provenance(), ("b.md",)),
]
SHOWN = Receipt("r", "2026-11-14T11:00:00Z", "why?", "s", shown=(ShownMemory("a.md", "", 1, "you"),))
EMPTY = Receipt("e", "2026-11-14T12:00:00Z", "what?")


def test_what_happened_is_told_newest_first_and_empty_recalls_are_not() -> None:
    events = events_of(ENTRIES, [EMPTY, SHOWN])
    assert [event.what for event in events] == ["dreamt", "recalled", "forgotten", "saved"]


def test_an_undo_saves_nothing() -> None:
    undo = HistoryEntry("4", "2026-11-16T10:00:00Z", "undo", Provenance(), ("a.md",), undoes="3")
    (event,) = events_of([undo], [])
    assert event.what == "undone"


def test_an_event_counts_on_the_day_that_it_was_here(monkeypatch: pytest.MonkeyPatch) -> None:
    late = HistoryEntry("4", "2026-11-14T22:30:00Z", "remember", Provenance(), ("a.md",))
    _zone.cache_clear()
    try:
        with monkeypatch.context() as place:
            place.setenv("TZ", "Asia/Tokyo")
            time.tzset()
            (event,) = events_of([late], [])
    finally:
        time.tzset()
        _zone.cache_clear()
    assert event.at == "2026-11-15T07:30:00+09:00"


def test_days_without_anything_are_there_too() -> None:
    days = picture_days(events_of(ENTRIES, [SHOWN]), date(2026, 11, 16))
    assert (len(days), days[-1].day) == (14, date(2026, 11, 16))
    assert [day.counts for day in days[-3:]] == [(1, 1, 1, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 0)]
    assert len(picture_days([], date(2026, 11, 16))) == 14


def test_the_fullest_day_is_as_high_as_the_picture() -> None:
    bars = bars_of(picture_days(events_of(ENTRIES, [SHOWN]), date(2026, 11, 16)))
    fullest = [bar for bar in bars if "2026-11-14" in bar.title]
    assert min(bar.y for bar in fullest) == 0
    assert sum(bar.height for bar in fullest) == HEIGHT
    assert bars_of(picture_days([], date(2026, 11, 16))) == []


def test_shares_stand_side_by_side_and_fill_the_bar() -> None:
    bars = shares_of([("a", 30), ("b", 10)])
    assert [(bar.x, bar.width) for bar in bars] == [(0, 750), (750, 250)]
    assert shares_of([]) == []
