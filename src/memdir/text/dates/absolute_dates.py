"""Dates that a text states in full; apart from the relative ones, whose patterns load slowly."""

import re
from datetime import date
from functools import cache

from memdir.text.dates.calendar import MONTH, month_number
from memdir.text.value import value_class

__all__ = ["AbsoluteDate", "absolute_dates"]


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
