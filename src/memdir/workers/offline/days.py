"""Writes the days of a message as dates, also those that people shorten, misspell or give without a year."""

import re
from calendar import monthrange
from datetime import date, timedelta

from memdir.core.dates import absolute_dates, with_absolute_dates

__all__ = ["days_named", "with_days"]

LONG_PAST = 60
"""Days after which "on 4 January" no longer means the one that has just been, but the next."""


def with_days(text: str, on: date) -> str:
    """Return the text with the days that it names, seen from the day on which it was said, as dates."""
    text = _spelled_out(text)
    text = _ORDINAL.sub(lambda match: f"{_ORDINALS.index(match[1].lower()) + 1} ", text)
    text = _MONTH_END.sub(lambda match: _end_of_month(match, on), text)
    for pattern in _MONTH_DAYS:
        text = pattern.sub(lambda match: _in_year(match, on), text)
    text = _DAY_OF_MONTH.sub(lambda match: _in_month(match, on), text)
    text = _WEEKDAY_WEEK.sub(r"a week from \1", text)
    text = _LAST_DAY.sub("the end of the month", text)
    return _tidied(with_absolute_dates(text, on))


def days_named(text: str) -> list[date]:
    """Return the dates that stand in a text."""
    return [found.day for found in absolute_dates(text)]


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février febrero",
            "march mar märz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août agosto",
            "september sep sept septembre septiembre",
            "october oct oktober octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NO_YEAR = r"(?!\w)(?!,?\s+(?:of\s+|de\s+)?\d{4})(?!\s?[:h]\d)"
_WEEKDAY = (
    r"(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|lundi"
    r"|mardi"
    r"|mercredi|jeudi|vendredi|lunes|martes|jueves|viernes),?\s+(?:the\s+|den\s+|dem\s+|le\s+)?)?"
)
_MONTH_DAYS = (
    re.compile(
        rf"\b{_WEEKDAY}(?:the\s+)?(?P<m>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{_NO_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_WEEKDAY}(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+"
        rf"|de\s+)?(?P<m>{_MONTH})\b\.?{_NO_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!\d)(?P<m>1[0-2]|0?[1-9])\s?月\s?(?P<d>\d{1,2})\s?[日号]"),
)
_DAY_OF_MONTH = re.compile(
    r"\b(?P<lead>(?:on|by|until|till|before|due|from|after)\s+)"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?the\s+(?P<d>\d{1,2})(?:st|nd|rd|th)\b"
    rf"(?!\s+(?:of|{_MONTH}|floor|time|\w+\s+of))",
    re.IGNORECASE,
)
_MONTH_END = re.compile(
    rf"\b(?:the\s+)?(?:very\s+)?(?:end|last day) of (?P<m>{_MONTH})\b(?!\s+\d)"
    r"|\bend of (?P<q>q[1-4])\b(?!\s+\d)",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = re.compile(rf"\b(?:the )?({'|'.join(_ORDINALS)}) of (?=(?:{_MONTH})\b)", re.IGNORECASE)
_LAST_DAY = re.compile(r"\b(?:the )?last day of (?:the|this) month\b", re.IGNORECASE)
_WEEKDAY_WEEK = re.compile(r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)day) week\b", re.IGNORECASE)
_SHORT = {
    r"tmrw|tmr|tomorow|tommorow|tommorrow|tomorrrow|2moro": "tomorrow",
    r"(?<=on )mon|(?<=by )mon|(?<=next )mon": "Monday",
    r"(?<=on )tues?|(?<=by )tues?|(?<=next )tues?": "Tuesday",
    r"(?<=on )weds?|(?<=by )weds?|(?<=next )weds?|wendesday|wensday|wednsday": "Wednesday",
    r"(?<=on )thu(?:rs?)?|(?<=by )thu(?:rs?)?|(?<=next )thu(?:rs?)?|thrusday|thurdsay": "Thursday",
    r"(?<=on )fri|(?<=by )fri|(?<=next )fri|firday": "Friday",
    r"nxt": "next",
    r"fifteen(?= days| weeks)": "15",
    r"twenty(?= days| weeks)": "20",
    r"thirty(?= days)": "30",
    r"sixty(?= days)": "60",
    r"ninety(?= days)": "90",
    r"wk": "week",
}


def _spelled_out(text: str) -> str:
    for short, whole in _SHORT.items():
        text = re.sub(rf"\b(?:{short})\b", whole, text, flags=re.IGNORECASE)
    return text


def _coming(month: int, day: int, on: date) -> date | None:
    """Return the day in the year that is meant, or None when there is no such day."""
    try:
        found = date(on.year, month, day)
        return found if found >= on - timedelta(days=LONG_PAST) else date(on.year + 1, month, day)
    except ValueError:
        return None


def _number(match: re.Match[str]) -> int:
    month = match["m"].lower()
    return int(month) if month.isdigit() else _MONTHS[month]


def _in_year(match: re.Match[str], on: date) -> str:
    if match["m"] == "may" or match["m"] == "mar":  # the verb, and no month's name when written small
        return match[0]
    found = _coming(_number(match), int(match["d"]), on)
    return found.isoformat() if found else match[0]


def _in_month(match: re.Match[str], on: date) -> str:
    month_on = on if int(match["d"]) > on.day else on.replace(day=28) + timedelta(days=4)
    found = _coming(month_on.month, int(match["d"]), month_on.replace(day=1))
    return f"{match['lead']}{found.isoformat()}" if found else match[0]


def _end_of_month(match: re.Match[str], on: date) -> str:
    month = int(match["q"][1]) * 3 if match["q"] else _number(match)
    year = on.year + (month < on.month)
    return date(year, month, monthrange(year, month)[1]).isoformat()


# What is left when a phrase became a date inside a longer one, and the day that is not meant.
_DOUBLED = re.compile(
    r"\b(on|by|at|until|before|from|for|since|am|bis|le) (?:on|at|the"
    r"|in) (?=(?:the week of )?\d{4}-\d\d-\d\d)",
    re.IGNORECASE,
)
_NOT_THEN = re.compile(r",?\s+(?:and )?(?:not|instead of|rather than) (?:on )?\d{4}-\d\d-\d\d(?: any ?more)?")


def _tidied(text: str) -> str:
    return _NOT_THEN.sub("", _DOUBLED.sub(r"\1 ", text))
