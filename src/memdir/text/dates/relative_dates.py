"""Find the days that a text names relative to its own day, and add the date behind the words.

A bare weekday is the next one strictly after; "this" means today or the next one, "next" the one in the
coming week (weeks start on Monday), "last" the latest before today. The end of a week is its Friday, a
weekend its Saturday; a day or month without its year is the next one, or the latest where the words are past.
The words stay: "by Thursday" becomes "by Thursday (2026-11-19)". What may be a habit, a name, past, or more
than one day ("a few days", "Thursday or so", the case of a rule) gets no date; nor do code, a few words in
quotation marks, addresses and what has its date beside it already.
"""

from __future__ import annotations

import re
from datetime import date

from memdir.text.dates.phrases import DATED, DayPhrase, day_meant, matches_in, phrases_in
from memdir.text.value import value_class

__all__ = [
    "RelativeDate",
    "relative_dates",
    "with_absolute_dates",
    "without_day_words",
]


_MOST_PASSES = 10
"""Looks at a text for days: two settle what people write, and no text can make it go on for ever."""


@value_class(frozen=True, slots=True)
class RelativeDate:
    """Words that name a day or a period from where the writer stood."""

    span: tuple[int, int]
    words: str
    day: date | None
    """The day, or the first of the period; None when the words can mean more than one."""
    absolute: str = ""
    """What to add behind the words; empty without a day."""


def relative_dates(text: str, on: date) -> list[RelativeDate]:
    """Return the relative dates of a text that was said on a day, in order."""
    spoken = _SHELTERED.sub(lambda match: "\0" * len(match[0]), text)
    found = [_read(said, on) for said in phrases_in(spoken)]
    kept, end = list[RelativeDate](), 0
    for item in sorted(found, key=lambda item: (item.span[0], -item.span[1])):
        if item.span[0] >= end:
            kept.append(item)
            end = item.span[1]
    return kept


def with_absolute_dates(text: str, on: date, found: list[RelativeDate] | None = None) -> str:
    """Return the text with a date behind each relative date that is clear; twice is the same as once.

    `found` is what `relative_dates` says of the text, if that is known.
    """
    # Again until nothing is left: a date can settle what its neighbour means.
    for _ in range(_MOST_PASSES):
        clear = [item for item in (relative_dates(text, on) if found is None else found) if item.day]
        if not clear:
            break
        found = None
        parts, end = [], 0
        for item in clear:
            parts += [text[end : item.span[1]], f" ({item.absolute})"]
            end = item.span[1]
        text = "".join([*parts, text[end:]])
    return text


def without_day_words(text: str) -> str:
    """Return the text with the date alone where words have their date in brackets: "by 2026-11-19"."""
    if not DATED.search(text):
        return text
    found = [match.span() for _, match in matches_in(text) if DATED.match(text, match.end())]
    for start, end in sorted(found, reverse=True):
        if start < len(text) and (bracket := re.match(r"(?:['\u2019]s)? \(([^()]*)\)", text[end:])):
            text = f"{text[:start]}{bracket[1]}{text[end + bracket.end() :]}"
    return text


# Code, addresses, link targets and a few words in quotation marks: nobody speaks there.
_QUOTES = "\"'\u2018-\u201f\xab\xbb\u2039\u203a「」『』"
_SHELTERED = re.compile(
    r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:(?!(?P=fence))[^\n]++\n?|\n)*+|(?<!`)`++[^`\n]*+`++|\]\([^)\n]{0,500}\)"
    r"|(?<![a-z0-9])[a-z][a-z0-9+.-]{1,15}://[^\s)>\]]+"
    rf"|(?<![a-z0-9])[{_QUOTES}](?:(?<=\xab)\s)?(?:[^\s{_QUOTES}]{{1,24}}\s){{0,2}}[^\s{_QUOTES}]{{1,24}}"
    rf"(?:\s(?=\xbb))?[{_QUOTES}](?![a-z0-9])",
    re.MULTILINE | re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")


def _read(said: DayPhrase, on: date) -> RelativeDate:
    """Return what a phrase says on this day, with what to add when it is clear."""
    start = said.span[0]
    try:
        day, grain = day_meant(said, on) if said.is_clear else (None, "")
    except (OverflowError, ValueError):
        day, grain = None, ""
    if day is None:
        return RelativeDate(said.span, said.words, None)
    owner = _POSSESSIVE.match(said.after)
    words = said.words + (owner[0] if owner else "")
    written = said.language.week.format(day) if grain == "week" else _value(day, grain)
    return RelativeDate((start, start + len(words)), words, day, written)


def _value(day: date, grain: str) -> str:
    match grain:
        case "month":
            return day.isoformat()[:7]
        case "quarter":
            return f"Q{(day.month + 2) // 3} {day.year:04}"
        case "year":
            return f"{day.year:04}"
        case _:
            return day.isoformat()
