"""Finds the year of a day or month that is named without one, from where the writer stood."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from memdir.core import date_steps

if TYPE_CHECKING:
    from memdir.core.date_phrases import Said

__all__ = ["DAY", "is_no_date", "yearless_day", "yearless_month"]

DAY = "[12][0-9]|3[01]|0?[1-9]"
FAR = 270
"""Days ahead from which on a date without a year may as well be the one that has just passed."""


def is_no_date(said: Said) -> bool:
    """Whether this is another word, a part of a range or of a longer date, or has its date beside it."""
    name = re.search(r"[^\W\d_]{3,}(?=[^a-z]*(?:st|nd|rd|th)?\Z)", said.words)
    if name is None or (name[0].islower() and not _is_month_in_lower_case(name[0], said.before)):
        return True
    if re.match(_DATE_BESIDE, said.after) or re.search(_ISO_BEFORE, said.before):
        return True
    return _is_every_year(said) or re.match(_GOES_ON, said.after) is not None


def yearless_day(said: Said, on: date) -> date:
    """Return the next such day, or the latest where the clause is past; ValueError if that is open."""
    there = date(on.year, (said.month or 0) + 1, said.number)
    if _is_over(said) and not re.search(_OTHER_YEAR, f"{said.before} {said.after}"):
        return there if there <= on else there.replace(year=on.year - 1)
    if _is_unsure(said):
        raise ValueError(said.words)
    there = there if there >= on else there.replace(year=on.year + 1)
    if (there - on).days > FAR:
        raise ValueError(said.words)
    return there


def yearless_month(said: Said, on: date) -> date:
    """Return the first of this or the next month of that name; ValueError if it may be past, or no month."""
    if _is_unsure(said) or re.search(_BY_SOMEBODY, f"{said.before}{said.words}"):
        raise ValueError(said.words)
    month = (said.month or 0) + 1
    return on.replace(day=1) if month == on.month else date_steps.month_named(on, month, 1)


def _is_month_in_lower_case(name: str, before: str) -> bool:
    if name in {"may", "march", "mar"}:
        return re.search(_BEFORE_DAY, before) is not None
    return len(name) > 3


def _is_every_year(said: Said) -> bool:
    if re.search(_YEARLY, f"{said.before} {said.after}"):
        return True
    return said.words.startswith("in ") and not re.search(_COMING, _clause(said.before))


def _is_over(said: Said) -> bool:
    if re.search(r"(?i)\bsince\s+\Z", said.before):
        return True
    past = rf"(?i)\b(?:{said.language.past})\b"
    return not _is_ahead(said) and re.search(past, f"{_clause(said.before)}{_clause_after(said)}") is not None


def _is_unsure(said: Said) -> bool:
    """Whether the words around leave open if it is past or to come: the Dec 15 incident, from Dec 15."""
    if re.search(r"(?i)\b(?:the|our|that|their|from|after|of)\s+\Z", said.before):
        return True
    if re.search(_OTHER_YEAR, f"{said.before} {said.after}"):
        return True
    around = f"{_clause(said.before)}{_clause_after(said)}"
    return not _is_ahead(said) and re.search(r"(?i)\b[a-z]{3,}ed\b", around) is not None


def _is_ahead(said: Said) -> bool:
    """Whether a preposition or a verb before it says that it is still to come."""
    future = rf"(?i)\b(?:{said.language.future})\b"
    return bool(re.search(_FORWARD, said.before) or re.search(future, _clause(said.before)))


def _clause(before: str) -> str:
    return re.split(_CLAUSE_END, before)[-1]


def _clause_after(said: Said) -> str:
    return re.split(_CLAUSE_END, said.after)[0][:40]


_CLAUSE_END = r"(?i)[.;!?:,](?=\s)|\b(?:because|since|when|so|but)\b"
_BEFORE_DAY = r"(?i)\b(?:by|on|until|till|before|due|from|since|after|through|deadline|is)[:\s]\s*\Z"
_FORWARD = r"(?i)\b(?:by|until|till|before|to|for|due|starting|through|than)[:\s]\s*\Z"
_YEARLY = r"(?i)\b(?:every|each|annual\w*|yearly|always|usually|season|fiscal|birthday|born|anniversary)\b"
_OTHER_YEAR = r"(?<![\d-])(?:19|20)\d\d(?![\d-])"
_COMING = (
    r"(?i)\b(?:ends?|expires?|starts?|begins?|launch(?:es)?|ships?|due|leaves?|arrives?|goes?\slive|planned|scheduled|will"
    r"|closes?|opens?|sunsets?|retires?|runs?\sout|moves?)\b"
)
_BY_SOMEBODY = r"\b\w+(?:ed|en|ne|sent|ilt)\sby\s(?:April|May|June|Jan|August)\Z"
_DATE_BESIDE = r"[\s,(]{0,3}(?:\d{4}(?!\d)|['\u2019]\d\d\b)|\s*\(?\d{1,2}\.\d"
_ISO_BEFORE = r"\d{4}-\d\d(?:-\d\d)?[\s,(]{0,3}\Z"
_GOES_ON = (
    r"(?i)\s*(?:[-\u2013\u2014/&,]|to\b|through\b|and\b|or\b)\s*\d{1,2}(?:st|nd|rd|th)?(?![\w:%]|\s?[ap]m\b)"
)
