"""Steps in the calendar from a day to another one, the names of the months, and a moment in UTC as text."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import cache

from memdir.text.value import value_class

__all__ = [
    "MONTH",
    "MONTH_NAMES",
    "absolute_dates",
    "add_units",
    "first_day",
    "last_day",
    "middle_day",
    "month_named",
    "place_of",
    "utc_stamp",
    "weekday_from",
    "weekday_in_week",
]


@value_class(frozen=True, slots=True)
class AbsoluteDate:
    """A date that a text states in full."""

    span: tuple[int, int]
    day: date


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


Unit = str
"""day, week, fortnight, weekend, month, quarter or year."""

MONTH_NAMES = (
    "jan(?:uary|uar|vier|uari|eiro)?|enero|gennaio",
    "feb(?:ruary|ruar|ruari|braio)?|février|febrero|fevereiro",
    "mar(?:ch|s|zo|ço)?|märz|maart",
    "apr(?:il|ile)?|avril|abril",
    "may|mai|mayo|maio|maggio|mei",
    "june?|juni|juin|junio|junho|giugno",
    "july?|juli|juillet|julio|julho|luglio",
    "aug(?:ust|ustus)?|août|agosto",
    "sept?(?:ember|embre|iembre)?|setembro|settembre",
    "o[ck]t(?:ober|obre|ubre)?|outubro|ottobre",
    "nov(?:ember|embre|iembre|embro)?",
    "de[czs](?:ember|embre)?|décembre|diciembre|dezembro|dicembre",
)
"""Patterns for January to December, long and short."""
MONTH = "|".join(MONTH_NAMES)

_DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_FRIDAY, _SATURDAY = 4, 5


def add_units(day: date, steps: int, unit: Unit) -> date:
    """Return the day so many units on; the 31st of a short month is its last day."""
    if unit in _DAYS:
        return day + timedelta(days=steps * _DAYS[unit])
    month = day.year * 12 + day.month - 1 + steps * _MONTHS[unit]
    first = date(month // 12, month % 12 + 1, 1)
    following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return first.replace(day=min(day.day, (following - timedelta(days=1)).day))


def first_day(day: date, steps: int, unit: Unit) -> date:
    """Return the first day of the period so many units on: a Monday, a Saturday for weekends, a first."""
    if unit in _DAYS:
        monday = day - timedelta(days=day.weekday()) + timedelta(days=7 * steps)
        return monday + timedelta(days=_SATURDAY if unit == "weekend" else 0)
    there = add_units(day.replace(day=1), steps, unit)
    months = _MONTHS[unit]
    return there.replace(month=(there.month - 1) // months * months + 1)


def last_day(day: date, steps: int, unit: Unit) -> date:
    """Return the last day of the period so many units on; of a week that is its Friday, if not yet past."""
    if unit in _DAYS:
        if steps == 0:
            return weekday_from(day, _FRIDAY)
        return first_day(day, steps, "week") + timedelta(days=_FRIDAY)
    return add_units(first_day(day, steps, unit), 1, unit) - timedelta(days=1)


def middle_day(day: date, steps: int, unit: Unit) -> date:
    """Return the Wednesday of a week or the 15th of a month, the coming one when no step is given."""
    if unit in _DAYS:
        return first_day(day, steps, "week") + timedelta(days=2)
    middle = first_day(day, steps, unit).replace(day=15)
    return middle if steps or middle >= day else add_units(middle, 1, unit)


def weekday_from(day: date, weekday: int) -> date:
    """Return the first such weekday on or after a day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def weekday_in_week(day: date, weekday: int, weeks: int) -> date:
    """Return the weekday in the week so many weeks on."""
    return first_day(day, weeks, "week") + timedelta(days=weekday)


def month_named(day: date, month: int, direction: int) -> date:
    """Return the first of the nearest month of that number after (1) or before (-1) the present one."""
    first = day.replace(day=1)
    steps = (month - day.month) % 12 or 12
    return add_units(first, steps if direction > 0 else steps - 12 or -12, "month")


def utc_stamp(when: datetime) -> str:
    """Return a moment in UTC with seconds and Z, which sorts as text; one without a zone is taken as UTC."""
    utc = when.astimezone(UTC) if when.tzinfo else when
    return f"{utc.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name in any of the languages."""
    return (place_of(MONTH_NAMES, name) or 0) + 1


def place_of(patterns: tuple[str, ...], word: str) -> int | None:
    """Return the place of the pattern that is this word; what stood around it is known to fit."""
    plain = (re.sub(r"\(\?<=[^)]*\)", "", pattern) for pattern in patterns)
    hits = (at for at, pattern in enumerate(plain) if re.fullmatch(pattern, word, re.IGNORECASE))
    return next(hits, None) if word else None
