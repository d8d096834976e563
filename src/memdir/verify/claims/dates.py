"""The days that a memory looks forward to: dates after it was saved, and deadlines.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from memdir.verify.claims.mentions import Claim, without_addresses
from memdir.verify.claims.parser import LONGEST_TEXT

__all__ = ["date_claims"]


def date_claims(text: str, last: date | None, saved_on: date) -> list[Claim]:
    """Return the dates that were to come when the text was saved, the deadlines it names, and its `last`."""
    found: dict[date, Claim] = {}
    for words, day, before in _dates(text[:LONGEST_TEXT]):
        bound = _BOUND.search(before) is not None and not _OVER.search(before)
        if day > saved_on or bound:
            found.setdefault(day, Claim("date", words, day=day))
    if last is not None:
        found[last] = Claim("date", f"expires {last}", day=last)
    return list(found.values())


def _dates(text: str) -> Iterator[tuple[str, date, str]]:
    """Yield each date with the words of its sentence before it; those in addresses and paths do not count."""
    if not _YEAR.search(text):
        return
    from memdir.text.dates.calendar import absolute_dates  # a prompt waits for this module

    for line in without_addresses(text).splitlines():
        for item in absolute_dates(line):
            start, end = item.span
            if not _GLUED.search(f"{line[:start][-1:]}\0{line[end : end + 2]}"):
                last = item.day + timedelta(days=6) if _WEEK.search(line[:start]) else item.day
                yield line[start:end], last, _sentence(line[:start])
        for match in _PERIOD.finditer(line):
            yield match["what"], _last_day(match), _sentence(line[: match.start("what")])


def _sentence(before: str) -> str:
    return _SENTENCE_END.split(before)[-1][-120:]


def _last_day(match: re.Match[str]) -> date:
    """Return the end of a month or quarter: until then the deadline holds."""
    year = int(match["year"] or match["iso"] or match["of"])
    if match["quarter"]:
        month = 3 * int(match["quarter"])
    else:
        month = int(match["number"] or _MONTHS.index(match["month"][:3].lower()) + 1)
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


_YEAR = re.compile(r"20\d\d")
_WEEK = re.compile(r"\b(?:week of|Woche vom|semaine du|semana del?|settimana del|week van)\s\Z")
_GLUED = re.compile(r"[\w/-]\0|\0(?:[\w/]|[.-]\w)")
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_BOUND = re.compile(
    r"\b(?:by|until|till|before|due|deadline|expir\w+|no later than|valid|through|cut-?off|sunset|eol"
    r"|end of life|ends?|up to)\b[^.!?]{0,40}$|(?:\u622a\u6b62|\u4e4b\u524d)[^.]{0,10}$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:was|were|had|shipped|released|ended|finished|decided|agreed|merged|done|completed|launched|since"
    r"|as of|happened|met|missed|moved|deployed|removed|introduced|before that)\b",
    re.IGNORECASE,
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_PERIOD = re.compile(
    r"(?:\(|\b(?:by|until|till|before|through|due|deadline:?|in|end of|late|mid|early)\s+(?:the\s+)?"
    r"(?:end of\s+)?)"
    r"(?P<what>Q(?P<quarter>[1-4])[ /-]?(?P<of>20\d\d)\b"
    r"|(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.? (?P<year>20\d\d)\b"
    r"|(?P<iso>20\d\d)-(?P<number>0[1-9]|1[0-2])(?![-\d]))",
    re.IGNORECASE,
)
