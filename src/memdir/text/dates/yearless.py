"""Finds the year or month of a day or month that is named without one, from where the writer stood."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from memdir.text.dates import calendar as date_steps
from memdir.text.dates.habits import FUTURE, PAST

if TYPE_CHECKING:
    from memdir.text.dates.phrases import DayPhrase

__all__ = ["DAY", "YEARLESS_DAYS", "is_no_date"]

DAY = "[12][0-9]|3[01]|0?[1-9]"
FAR = 270
"""Days ahead from which on a date without a year may as well be the one that has just passed."""


def is_no_date(said: DayPhrase) -> bool:
    """Whether this is another word, a part of a range or of a longer date, or has its date beside it."""
    name = re.search(r"[^\W\d_]{3,}(?=[^a-z]*(?:st|nd|rd|th)?\Z)", said.words)
    if said.language.spaced and (
        name is None or (name[0].islower() and not _is_month_in_lower_case(name[0], said.before))
    ):
        return not re.search(r"(?i)\bq[1-4]\Z", said.words)
    if re.match(_DATE_BESIDE, said.after) or re.search(_ISO_BEFORE, said.before):
        return True
    return _is_every_year(said) or re.match(_GOES_ON, said.after) is not None


def _day_of_year(said: DayPhrase, on: date) -> date:
    """Return the next such day, or the latest where the clause is past; ValueError if that is open."""
    there = date(on.year, (said.month or 0) + 1, said.number)
    if _is_over(said) and not re.search(_OTHER_YEAR, f"{said.before} {said.after}"):
        return there if there <= on else there.replace(year=on.year - 1)
    if _is_unsure(said):
        raise ValueError(said.words)
    return _near(there if there >= on else there.replace(year=on.year + 1), on)


def _month_of_year(said: DayPhrase, on: date) -> date:
    """Return the first of this or the next month of that name; ValueError if it may be past, or no month."""
    if _is_unsure(said) or re.search(_BY_SOMEBODY, f"{said.before}{said.words}"):
        raise ValueError(said.words)
    month = (said.month or 0) + 1
    return on.replace(day=1) if month == on.month else _near(date_steps.month_named(on, month, 1), on)


def _end_of_month(said: DayPhrase, on: date) -> date:
    """Return the last day of this or the next month of that name."""
    return date_steps.last_day(_month_of_year(said, on), 0, "month")


def _day_of_month(said: DayPhrase, on: date) -> date:
    """Return the next day of that number."""
    first = on.replace(day=1)
    if said.number <= on.day:
        first = date_steps.moved(first, 1, "month")
    return first.replace(day=said.number)


YEARLESS_DAYS = {
    "day-of-year": (_day_of_year, "day"),
    "month-of-year": (_month_of_year, "month"),
    "end-of-month": (_end_of_month, "day"),
    "day-of-month": (_day_of_month, "day"),
}
"""For each sense: how its day is found, and its grain."""


def _near(there: date, on: date) -> date:
    """Return a coming day; ValueError where the one that has just passed may be meant as well."""
    if there - on > timedelta(days=FAR):
        raise ValueError(there.isoformat())
    return there


def _is_month_in_lower_case(name: str, before: str) -> bool:
    if name in {"may", "march", "mar"}:
        return re.search(_BEFORE_DAY, before) is not None
    return len(name) > 3


def _is_every_year(said: DayPhrase) -> bool:
    around = f"{said.before} {said.after}"
    if re.search(_YEARLY, around) or (re.search(_SEASON, around) and not re.search(_FORWARD, said.before)):
        return True
    return said.words.startswith("in ") and not re.search(_COMING, _clause(said.before))


def _is_over(said: DayPhrase) -> bool:
    if re.search(r"(?i)\bsince\s+\Z", said.before):
        return True
    around = f"{_clause(said.before)}{_clause_after(said)}"
    return not _is_ahead(said) and PAST.search(around) is not None


def _is_unsure(said: DayPhrase) -> bool:
    """Whether the words around leave open if it is past or to come: the Dec 15 incident, from Dec 15."""
    if re.search(r"(?i)\b(?:the|our|that|their|after|of)\s+\Z", said.before):
        return True
    if re.search(_OTHER_YEAR, f"{said.before} {said.after}"):
        return True
    around = f"{_clause(said.before)}{_clause_after(said)}"
    return not _is_ahead(said) and re.search(r"(?i)\b[a-z]{3,}ed\b", around) is not None


def _is_ahead(said: DayPhrase) -> bool:
    """Whether a preposition or a verb before it says that it is still to come."""
    before = _clause(said.before)
    return bool(
        re.search(_FORWARD, said.before)
        or FUTURE.search(before)
        or re.search(r"(?i)\b(?:is|are|be)\b", before)
    )


def _clause(before: str) -> str:
    return re.split(_CLAUSE_END, before)[-1]


def _clause_after(said: DayPhrase) -> str:
    return re.split(_CLAUSE_END, said.after)[0][:40]


_CLAUSE_END = r"(?i)[.;!?:,](?=\s)|\b(?:because|since|when|so|but)\b"
_BEFORE_DAY = r"(?i)\b(?:by|on|until|till|before|due|from|since|after|through|deadline|is)[:\s]\s*\Z"
_FORWARD = r"(?i)\b(?:by|until|till|before|to|for|due|starting|through|than|must|should|needs?)[:\s]\s*\Z"
_YEARLY = r"(?i)\b(?:every|each|annual\w*|yearly|always|usually)\b"
_SEASON = r"(?i)\b(?:season|fiscal|birthday|born|anniversary)\b"
_OTHER_YEAR = r"(?<![\d-])(?:19|20)\d\d(?![\d-])"
_COMING = (
    r"(?i)\b(?:ends?|expires?|starts?|begins?|launch(?:es)?|ships?|due|leaves?|arrives?|goes?\slive|planned|scheduled|will"
    r"|closes?|opens?|sunsets?|retires?|runs?\sout|moves?)\b"
)
_BY_SOMEBODY = r"\b\w+(?:ed|en|ne|sent|ilt)\sby\s(?:April|May|June|Jan|August)\Z"
_DATE_BESIDE = r"[\s,(\uff08]{0,3}(?:\d{4}(?!\d)|['\u2019]\d\d\b)|\s*\(?\d{1,2}\.\d"
_ISO_BEFORE = r"\d{4}-\d\d(?:-\d\d)?[\s,(\uff08]{0,3}\Z"
_GOES_ON = (
    r"(?i)\s*(?:[-\u2013\u2014/&,]|to\b|through\b|and\b|or\b)\s*\d{1,2}(?:st|nd|rd|th)?(?![\w:%]|\s?[ap]m\b)"
)
