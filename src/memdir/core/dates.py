"""Find the days that a text names relative to its own day, and write them as dates.

A bare weekday is the next one strictly after; "this" means today or the next one, "next" the one in the
coming week (weeks start on Monday), "last" the latest before today. The end of a week is its Friday, a
weekend its Saturday; a day or month without its year is the next one, or the latest where the words are past.
Words that cannot be told apart (a habit, a rule such as "never on Friday", something past, "a few days") have
no date.
In the text the words give way to the date: "by Thursday" becomes "by 2026-11-19", "next week" becomes
"in the week of 2026-11-23". Code, addresses and what already has its date beside it stay as they are.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from memdir.core.date_phrases import MONTH, Said, meant, month_number, said_in
from memdir.core.value import value_class

__all__ = ["AbsoluteDate", "RelativeDate", "absolute_dates", "relative_dates", "with_absolute_dates"]


@value_class(frozen=True, slots=True)
class RelativeDate:
    """Words that name a day or a period from where the writer stood."""

    span: tuple[int, int]
    words: str
    day: date | None
    """The day, or the first of the period; None when the words can mean more than one."""
    absolute: str = ""
    """What to write instead; empty without a day."""
    bare: bool = False
    """Whether it is a weekday alone, which may also be meant for every week."""


@value_class(frozen=True, slots=True)
class AbsoluteDate:
    """A date that a text states in full."""

    span: tuple[int, int]
    day: date


def relative_dates(text: str, on: date) -> list[RelativeDate]:
    """Return the relative dates of a text that was said on a day, in order."""
    spoken = _SHELTERED.sub(lambda match: "\0" * len(match[0]), text)
    found = [_read(said, on) for said in said_in(spoken)]
    found.sort(key=lambda item: (item.span[0], -item.span[1]))
    return list(_without_overlaps(found))


def with_absolute_dates(text: str, on: date, *, weekdays: bool = True) -> str:
    """Return the text with each relative date that is clear written as a date; twice is the same as once.

    Without `weekdays`, a weekday alone stays as it is.
    """
    # Again until nothing is left: a date can settle what its neighbour means.
    while clear := [item for item in relative_dates(text, on) if item.day and (weekdays or not item.bare)]:
        parts, end = [], 0
        for item in clear:
            parts += [text[end : item.span[0]], item.absolute]
            end = item.span[1]
        text = "".join([*parts, text[end:]])
    return text


def absolute_dates(text: str) -> list[AbsoluteDate]:
    """Return the dates written in full, such as 2026-11-19, 19 Nov 2026, November 19, 2026 and 19.11.2026."""
    found = []
    for match in _in_full().finditer(text):
        parts = {name[0]: value for name, value in match.groupdict().items() if value}
        month = int(parts["m"]) if parts["m"].isdigit() else month_number(parts["m"])
        try:
            found.append(AbsoluteDate(match.span(), date(int(parts["y"]), month, int(parts["d"]))))
        except ValueError:
            continue
    return found


@cache
def _in_full() -> re.Pattern[str]:
    # On first use: most saves never ask for it, and it is slow to compile.
    return re.compile(
        rf"""(?<![\d.])(?:
          (?P<y1>\d{{4}})(?P<sign>[-/.])(?P<m1>\d{{1,2}})(?P=sign)(?P<d1>\d{{1,2}})(?!\d)
        | (?P<y2>\d{{4}})\s?年\s?(?P<m2>\d{{1,2}})\s?月\s?(?P<d2>\d{{1,2}})\s?[日号]
        | (?P<d3>\d{{1,2}})\.\s?(?P<m3>\d{{1,2}})\.\s?(?P<y3>\d{{4}})(?!\d)
        | (?P<d4>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<m4>{MONTH})\.?,?
          \s(?:de\s)?(?P<y4>\d{{4}})(?!\d)
        )|(?<!\w)(?P<m5>{MONTH})\.?\s(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y5>\d{{4}})(?!\d)""",
        re.VERBOSE | re.IGNORECASE | re.ASCII,
    )


# Code, addresses and link targets: nobody speaks there.
_SHELTERED = re.compile(
    r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:(?!(?P=fence))[^\n]++\n?|\n)*+|(?<!`)`++[^`\n]*+`++|\]\([^)\n]{0,500}\)"
    r"|(?<![a-z0-9])[a-z][a-z0-9+.-]{1,15}://[^\s)>\]]+",
    re.MULTILINE | re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_ARTICLE = re.compile(r"\b(?:the|our|my|your|their|his|her|its|that)\s+\Z", re.IGNORECASE)
# Where a date stands without a preposition: after a colon or bracket, before one, and as a subject.
_OPEN = re.compile(r"(?:[:(\[|=\u2013—/]|\A\s*[-*+])\s*\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?]\s)[\s>*+-]*\Z")
_CLOSED = re.compile(r"\s*(?:[:)|\]\u2013—/]|(?:is|was|will|would|works)\b)")


def _read(said: Said, on: date) -> RelativeDate:
    """Return what a phrase says on this day, with what to write instead when it is clear."""
    start, end = said.span
    try:
        day, grain = meant(said, on) if said.is_clear else (None, "")
    except (OverflowError, ValueError):
        day, grain = None, ""
    if day is None:
        return RelativeDate(said.span, said.words, None)
    owner = _POSSESSIVE.match(said.after)
    if owner:
        article = "" if _ARTICLE.search(said.before) else "the "
        written = article + ("week-of-" if grain in {"week", "weekend"} else "") + _value(day, grain)
        return RelativeDate((start, end + owner.end()), said.words + owner[0], day, written)
    return RelativeDate(said.span, said.words, day, _written(said, day, grain), said.is_bare_weekday)


def _value(day: date, grain: str) -> str:
    match grain:
        case "month":
            return f"{day:%Y-%m}"
        case "quarter":
            return f"Q{(day.month + 2) // 3} {day:%Y}"
        case "year":
            return f"{day:%Y}"
        case _:
            return day.isoformat()


def _written(said: Said, day: date, grain: str) -> str:
    """Return the date as it fits into the sentence."""
    alone, bound = said.language.forms[grain]
    preposition = rf"(?:\A|[\s(])(?:{said.language.prepositions})\s+\Z"
    joined = _OPEN.search(said.before) or _CLOSED.match(said.after)
    joined = joined or re.search(preposition, said.before, re.IGNORECASE)
    joined = joined or re.search(rf"(?:{'|'.join(said.language.weekdays)}),?\s\Z", said.before, re.IGNORECASE)
    written = (bound if joined else alone).format(_value(day, grain))
    if said.phrase.sense == "days":
        written += said.phrase.tail
    if said.phrase.sense == "shift" and said.phrase.tail and not joined:
        written = f"{said.phrase.tail} {day.isoformat()}"
    if said.words[:1].isupper() and _SENTENCE_START.search(said.before):
        written = written[:1].upper() + written[1:]
    return written


def _without_overlaps(found: list[RelativeDate]) -> Iterator[RelativeDate]:
    end = 0
    for item in found:
        if item.span[0] >= end:
            yield item
            end = item.span[1]
