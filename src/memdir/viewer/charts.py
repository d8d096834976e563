"""Pictures as numbers: the bars of a timeline and the shares of a bill, ready to be drawn as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

from memdir.conversation.receipts import Receipt
from memdir.memories.history.commits import HistoryEntry
from memdir.text.value import value_class

__all__ = ["EVENTS", "Bar", "PictureDay", "PictureEvent", "bars_of", "events_of", "picture_days", "shares_of"]

EVENTS = ("saved", "recalled", "forgotten", "dreamt", "undone")
"""What a timeline counts, in the order in which it is drawn."""

_MOST_DAYS = 120
HEIGHT, WIDTH, GAP = 120, 7, 2
"""Of the picture and of one day in it, in units of its own."""


@value_class(frozen=True, slots=True)
class PictureEvent:
    """One thing that happened."""

    at: str
    """In the time of this place."""
    what: str
    """One of `EVENTS`."""
    said: str
    files: tuple[str, ...]
    session: str = ""
    id: str = ""


@value_class(frozen=True, slots=True)
class PictureDay:
    """One day with how often each thing happened."""

    day: date
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """How much happened."""
        return sum(self.counts)


@value_class(frozen=True, slots=True)
class Bar:
    """One rectangle."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str
    day: str = ""


def events_of(entries: Iterable[HistoryEntry], receipts: Iterable[Receipt]) -> list[PictureEvent]:
    """Return what happened, newest first."""
    found = [PictureEvent(_here(e.at), _event_of(e), e.verb, e.files, e.by.session, e.id) for e in entries]
    found += [
        PictureEvent(_here(one.at), "recalled", one.query, (*one.files, *one.likely), one.session)
        for one in receipts
        if one.shown or one.named
    ]
    return sorted(found, key=lambda event: event.at, reverse=True)


def picture_days(events: Sequence[PictureEvent], today: date) -> list[PictureDay]:
    """Return the days from the first event to today, at most four months of them, the last last."""
    counts, first = Counter((event.at[:10], event.what) for event in events), today
    for day, _ in counts:
        with suppress(ValueError):  # what is no day is not drawn
            first = min(first, date.fromisoformat(day))
    span = min(max((today - first).days + 1, 14), _MOST_DAYS)
    days = [today - timedelta(days=back) for back in reversed(range(span))]
    return [PictureDay(day, tuple([counts[f"{day}", what] for what in EVENTS])) for day in days]


def bars_of(days: Sequence[PictureDay]) -> list[Bar]:
    """Return a column for each day, its parts on top of each other."""
    highest = max([day.total for day in days], default=0) or 1
    bars: list[Bar] = []
    for place, day in enumerate(days):
        y = float(HEIGHT)
        for what, count in zip(EVENTS, day.counts, strict=True):
            height = HEIGHT * count / highest
            y -= height
            if count:
                title = f"{day.day}: {count} {what}"
                x, top, high = place * (WIDTH + GAP), round(y, 2), round(height, 2)
                bars.append(Bar(x, top, WIDTH, high, what, title, f"{day.day}"))
    return bars


def shares_of(parts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Return one bar of a thousand units, cut by the shares of its parts."""
    parts = [*parts]
    whole, x = sum(size for _, size in parts) or 1, 0.0
    bars: list[Bar] = []
    for place, (name, size) in enumerate(parts):
        width = 1000 * size / whole
        bars.append(Bar(round(x, 2), 0, round(width, 2), 40, f"part{place % 6}", f"{name}: {size:,} tokens"))
        x += width
    return bars


def _here(at: str) -> str:
    """Return a moment in the time of this place, by which days are counted; what is no moment stays."""
    try:
        return datetime.fromisoformat(at).astimezone(_zone(at[:13])).isoformat()
    except ValueError:
        return at


@lru_cache(1 << 12)
def _zone(hour: str) -> tzinfo | None:
    """Return the zone of this place in an hour: asked once an hour, as the system takes its time."""
    return datetime.fromisoformat(f"{hour}:00+00:00").astimezone().tzinfo


def _event_of(entry: HistoryEntry) -> str:
    if entry.undoes:
        return "undone"
    return "dreamt" if entry.by.actor == "dream" else "forgotten" if entry.verb == "forget" else "saved"
