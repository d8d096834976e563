"""Find the days that a text names relative to its own day, and write them as dates.

A bare weekday is the next one strictly after; "this" means today or the next one, "next" the one in the
coming week (weeks start on Monday), "last" the latest before today. The end of a week is its Friday, a
weekend its Saturday. Words that cannot be told apart (a habit, something past, "a few days") have no date.
In the text the words give way to the date: "by Thursday" becomes "by 2026-11-19", "next week" becomes
"in the week of 2026-11-23". Code, addresses and what already has its date beside it stay as they are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from memdir.core.date_words import LANGUAGES, MONTH_NAMES, Language, Phrase

__all__ = ["AbsoluteDate", "RelativeDate", "absolute_dates", "relative_dates", "with_absolute_dates"]


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """Words that name a day or a period from where the writer stood."""

    span: tuple[int, int]
    words: str
    day: date | None
    """The day, or the first of the period; None when the words can mean more than one."""
    absolute: str = ""
    """What to write instead; empty without a day."""


@dataclass(frozen=True, slots=True)
class AbsoluteDate:
    """A date that a text states in full."""

    span: tuple[int, int]
    day: date


def relative_dates(text: str, on: date) -> list[RelativeDate]:
    """Return the relative dates of a text that was said on a day, in order."""
    shown = _SHELTERED.sub(lambda match: "\0" * len(match[0]), text)
    lowered = shown.lower()
    found = [
        item
        for language in LANGUAGES
        if any(clue in lowered for clue in language.clues)
        for match in _pattern(language).finditer(shown)
        if (item := _read(match, language, shown, on))
    ]
    found.sort(key=lambda item: (item.span[0], -item.span[1]))
    return list(_without_overlaps(found))


def with_absolute_dates(text: str, on: date) -> str:
    """Return the text with every relative date that is clear written as a date; doing it twice changes nothing."""
    # Again until nothing is left: a date can settle what its neighbour means.
    while clear := [item for item in relative_dates(text, on) if item.day]:
        parts, end = [], 0
        for item in clear:
            parts += [text[end : item.span[0]], item.absolute]
            end = item.span[1]
        text = "".join([*parts, text[end:]])
    return text


def absolute_dates(text: str) -> list[AbsoluteDate]:
    """Return the dates written in full: 2026-11-19, 19 Nov 2026, November 19, 2026, 19.11.2026 and the like."""
    found = []
    for match in _ABSOLUTE.finditer(text):
        parts = {name[0]: value for name, value in match.groupdict().items() if value}
        month = parts["m"] if parts["m"].isdigit() else _month_number(parts["m"])
        try:
            found.append(AbsoluteDate(match.span(), date(int(parts["y"]), int(month), int(parts["d"]))))
        except ValueError:
            continue
    return found


_MONTH = "|".join(MONTH_NAMES)
_ABSOLUTE = re.compile(
    rf"""(?<![\d.])(?:
      (?P<y1>\d{{4}})(?P<s>[-/.])(?P<m1>\d{{1,2}})(?P=s)(?P<d1>\d{{1,2}})(?!\d)
    | (?P<y2>\d{{4}})\s?年\s?(?P<m2>\d{{1,2}})\s?月\s?(?P<d2>\d{{1,2}})\s?[日号]
    | (?P<d3>\d{{1,2}})\.(?P<m3>\d{{1,2}})\.(?P<y3>\d{{4}})(?!\d)
    | (?P<d4>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<m4>{_MONTH})\.?,?\s(?:de\s)?(?P<y4>\d{{4}})(?!\d)
    )|(?<!\w)(?P<m5>{_MONTH})\.?\s(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y5>\d{{4}})(?!\d)""",
    re.VERBOSE | re.IGNORECASE,
)


def _month_number(name: str) -> str:
    return next(str(at) for at, names in enumerate(MONTH_NAMES, 1) if re.fullmatch(names, name, re.IGNORECASE))


# Code, addresses and link targets: nobody speaks there.
_SHELTERED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:(?!(?P=fence))[^\n]*\n?)*+|`+[^`\n]*`+|\]\([^)\n]*\)"
    r"|(?<![a-z0-9])[a-z][a-z0-9+.-]{1,15}://[^\s)>\]]+",
    re.MULTILINE | re.IGNORECASE,
)


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """Return one expression for all phrases of a language; the group `p3` is phrase 3, `unit3` its unit."""
    words = {
        "weekday": "|".join(language.weekdays),
        "number": r"\d{1,3}|" + "|".join(sorted(language.numbers, key=len, reverse=True)),
        "unit": "|".join(language.units.values()),
        "month": f"(?-i:(?i:{_MONTH}))",
    }
    ways = []
    for at, phrase in enumerate(language.phrases):
        pattern = phrase.pattern
        for name, alternatives in words.items():
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}{at}>{alternatives})", 1)
            pattern = pattern.replace(f"{{{name}}}", f"(?:{alternatives})")
        ways.append(f"(?P<p{at}>{pattern})")
    before, after = (r"(?<![\w/@#.-])", r"(?![\w/@]|-\w|\.\w)") if language.spaced else (_NO_NUMBER, "")
    return re.compile(f"{before}(?:{'|'.join(ways)}){after}", re.IGNORECASE)


_NO_NUMBER = "(?<![0-9一二两三四五六七八九十百千第])"
