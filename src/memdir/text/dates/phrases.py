"""One phrase that may name a day: what it says, whether it is a day at all, and which one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from memdir.resources import patterns_of, read_table
from memdir.text.dates import calendar as date_steps
from memdir.text.dates.calendar import MONTH, MONTH_NAMES, place_of
from memdir.text.dates.habits import FUTURE, PAST, is_general, is_habit, is_occasion, is_unsure, may_be_past
from memdir.text.dates.languages import Language, Phrase, languages
from memdir.text.value import value_class

__all__ = ["DATED", "DayPhrase", "day_meant", "matches_in", "phrases_in"]

_P = patterns_of([f"months: {MONTH}"], read_table(__file__, "phrases.txt")["patterns"])
DATED = re.compile(_P["dated"])
"""A date in brackets, as it is added behind words that name a day."""

CONTEXT = 100
"""Characters before a phrase that can change what it means: about one sentence."""


@value_class(frozen=True, slots=True)
class DayPhrase:
    """A phrase where it stands, taken apart."""

    language: Language
    phrase: Phrase
    span: tuple[int, int]
    words: str
    weekday: int | None
    number: int
    unit: str
    month: int | None
    before: str
    """What stands before it on its line."""
    after: str

    @property
    def is_open(self) -> bool:
        """Whether nothing in the phrase itself says which week or month is meant."""
        sense, step, words = self.phrase.sense, self.phrase.step, self.words.lower()
        if sense in {"end", "middle"}:
            return step == 0 and not re.search(r"\b(?:this|diese[nrs]|este|questo?)\b|[这本]", words)
        return sense == "day-of-month" or (sense == "weekday" and step == 2) or words.startswith("within")

    @property
    def is_clear(self) -> bool:
        """Whether it can mean one day only."""
        if self.phrase.sense == "vague" or (
            self.phrase.sense == "period" and re.search(_P["the"], self.before)
        ):
            return False
        if is_unsure(self):
            return False
        if self.is_open:
            return is_occasion(self)
        ahead = self.phrase.sense == "shift" and self.phrase.step > 0
        return not (ahead and (may_be_past(self) or is_general(self)))

    @property
    def clause_before(self) -> str:
        """The words before it that speak of it."""
        return re.split(_P["clause-end"], self.before)[-1]

    @property
    def clause_after(self) -> str:
        """The words after it that speak of it."""
        return re.split(_P["clause-end"], self.after)[0][:60]


def phrases_in(text: str) -> Iterator[DayPhrase]:
    """Yield the phrases of a text that name a day, clear or not; habits and idioms are left out."""
    for language, match in matches_in(text):
        said = _day_phrase(match, language, text)
        if not _is_no_day(said, text):
            yield said


def matches_in(text: str) -> Iterator[tuple[Language, re.Match[str]]]:
    """Yield where words stand that may name a day; four languages are told by letters of their own."""
    lowered, is_ascii = text.lower().replace("\u017f", "s").replace("\u0131", "i"), text.isascii()
    for language in languages().values():
        if is_ascii and not language.is_ascii:
            continue
        for start, end in _lines_with(language.clue, text, lowered):
            for match in _pattern(language).finditer(text, start, end):
                yield language, match


def day_meant(said: DayPhrase, on: date) -> tuple[date, str]:
    """Return the day and its grain; OverflowError or ValueError beyond the calendar or in no certain year."""
    sense, step = said.phrase.sense, said.phrase.step
    if sense in YEARLESS_DAYS:
        find, grain = YEARLESS_DAYS[sense]
        return find(said, on), grain
    if sense in _STEPS:
        return _STEPS[sense](on, step, said.unit), said.unit if sense == "period" else "day"
    if sense == "month":
        return date_steps.month_named(on, (said.month or 0) + 1, step), "month"
    if sense == "days":
        return on + timedelta(days=step), "day"
    if sense == "shift":
        from_weekday = said.weekday is not None
        day = on + timedelta(days=from_weekday or said.words.lower().endswith("tomorrow"))
        start = _weekday_meant(said, day) if from_weekday else day
        return date_steps.add_units(start, step * said.number, said.unit), "day"
    return _weekday_meant(said, on), "day"


_STEPS = {
    "period": date_steps.first_day,
    "start": date_steps.first_day,
    "end": date_steps.last_day,
    "middle": date_steps.middle_day,
}


def _weekday_meant(said: DayPhrase, on: date) -> date:
    weekday, step = said.weekday or 0, said.phrase.step
    week = 1 if step == 1 and said.phrase.sense == "weekday" else said.phrase.week
    if week is not None:
        return date_steps.weekday_in_week(on, weekday, week)
    if step == -1 or (said.is_open and re.search(_P["since"], said.before)):
        return date_steps.weekday_from(on - timedelta(days=7), weekday)
    return date_steps.weekday_from(on + timedelta(days=1 if said.is_open else 0), weekday)


def _lines_with(clue: str, text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line with the clue: the full expression is too slow for all of them."""
    same = len(lowered) == len(text)  # all but a few letters keep their place, and finding is thrice as fast
    end = -1
    for match in re.finditer(clue, lowered) if same else re.finditer(clue, text, re.IGNORECASE):
        if match.start() > end:
            start = text.rfind("\n", max(end, 0), match.start()) + 1 or max(end, 0)
            end = text.find("\n", match.end())
            end = len(text) if end < 0 else end
            yield start, end


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """Return one expression for all phrases of a language; the group `p3` is phrase 3, `unit3` its unit."""
    words = {
        "weekday": "|".join(language.weekdays),
        "number": r"\d{1,3}|" + "|".join(sorted(language.numbers, key=len, reverse=True)),
        "unit": "|".join(language.units.values()),
        "month": MONTH,
        "day": DAY,
    }
    ways = []
    for at, phrase in enumerate(language.phrases):
        pattern = phrase.pattern
        for name, alternatives in words.items():
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}{at}>{alternatives})")
        ways.append(f"(?P<p{at}>{pattern})")
    apart = (r"(?<![\w/@#.-])", r"(?![\w/@]|-\w|\.\w)")
    before, after = apart if language.spaced else ("(?<![0-9一二两三四五六七八九十百千第])", "")
    return re.compile(f"{before}(?:{'|'.join(ways)}){after}", re.IGNORECASE)


def _day_phrase(match: re.Match[str], language: Language, text: str) -> DayPhrase:
    at = int((match.lastgroup or "p0")[1:])
    groups = match.groupdict()
    phrase, units = language.phrases[at], language.units
    unit = place_of(tuple(units.values()), groups.get(f"unit{at}") or "")
    return DayPhrase(
        language,
        phrase,
        match.span(),
        match[0],
        weekday=place_of(language.weekdays, groups.get(f"weekday{at}") or ""),
        number=_number(language, groups.get(f"number{at}") or groups.get(f"day{at}") or ""),
        unit=phrase.unit if unit is None else list(units)[unit],
        month=_month(groups, at),
        before=text[max(0, match.start() - CONTEXT) : match.start()].rpartition("\n")[2],
        after=text[match.end() : match.end() + CONTEXT].partition("\n")[0],
    )


def _month(groups: dict[str, str | None], at: int) -> int | None:
    if number := groups.get("moon"):
        return int(number) - 1
    if quarter := groups.get("quarter"):
        return int(quarter[1]) * 3 - 1
    return place_of(MONTH_NAMES, groups.get(f"month{at}") or "")


def _number(language: Language, word: str) -> int:
    if word.isdigit():
        return int(word)
    at = place_of(tuple(language.numbers), word)
    return 1 if at is None else list(language.numbers.values())[at]


def _is_no_day(said: DayPhrase, text: str) -> bool:
    """Whether this is a habit, an idiom, a word of another sense, or has its date beside it already."""
    sense = said.phrase.sense
    if DATED.match(said.after):
        return True
    if sense in YEARLESS_DAYS and sense != "day-of-month":
        return _is_no_date(said)
    if re.match(_P["date-after"], said.after) or re.search(_P["date-before"], said.before[-30:]):
        return True
    if sense in _STEPS and said.unit in {"", "day", "fortnight"}:
        return True
    if sense == "month":
        return not said.words.rpartition(" ")[2][:1].isupper()
    return (
        (sense == "shift" and re.search(_P["every"], said.before) is not None)
        or _is_idiom(said, text)
        or (said.is_open and is_habit(said))
    )


def _is_idiom(said: DayPhrase, text: str) -> bool:
    """Whether the words mean something else here."""
    words = said.words.lower()
    if words == "today":
        return re.match(r"['\u2019]s\b", said.after) is not None  # today's standards
    if words.startswith("end of") and said.unit == "":
        return re.search(r"\bat\s(?:the\s)?\Z", said.before, re.IGNORECASE) is not None
    if (
        said.language is languages()["english"]
        and said.is_open
        and said.weekday is not None
        and len(words) <= 5
    ):
        return not re.search(_P["on"], said.before)  # Sat, Sun, Mon
    if words == "mañana":
        return re.search(_P["morning"], said.before) is not None
    if said.language is languages()["french"] and words == "hier":
        return re.search(_P["german"], text) is not None or not re.search(_P["french"], text)
    return said.words == "Morgen" and not re.search(_P["sentence-start"], said.before)


DAY = "[12][0-9]|3[01]|0?[1-9]"
FAR = 270
"""Days ahead from which on a date without a year may as well be the one that has just passed."""


def _is_no_date(said: DayPhrase) -> bool:
    """Whether this is another word, a part of a range or of a longer date, or has its date beside it."""
    name = re.search(r"[^\W\d_]{3,}(?=[^a-z]*(?:st|nd|rd|th)?\Z)", said.words)
    if said.language.spaced and (
        name is None or (name[0].islower() and not _is_month_in_lower_case(name[0], said.before))
    ):
        return not re.search(r"(?i)\bq[1-4]\Z", said.words)
    if re.match(_P["date-beside"], said.after) or re.search(_P["iso-before"], said.before):
        return True
    return _is_every_year(said) or re.match(_P["goes-on"], said.after) is not None


def _day_of_year(said: DayPhrase, on: date) -> date:
    """Return the next such day, or the latest where the clause is past; ValueError if that is open."""
    there = date(on.year, (said.month or 0) + 1, said.number)
    if _is_over(said) and not re.search(_P["other-year"], f"{said.before} {said.after}"):
        return there if there <= on else there.replace(year=on.year - 1)
    if _is_unsure(said):
        raise ValueError(said.words)
    return _near(there if there >= on else there.replace(year=on.year + 1), on)


def _month_of_year(said: DayPhrase, on: date) -> date:
    """Return the first of this or the next month of that name; ValueError if it may be past, or no month."""
    if _is_unsure(said) or re.search(_P["by-somebody"], f"{said.before}{said.words}"):
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
        first = date_steps.add_units(first, 1, "month")
    return first.replace(day=said.number)


YEARLESS_DAYS = {
    "day-of-year": (_day_of_year, "day"),
    "month-of-year": (_month_of_year, "month"),
    "start-of-month": (_month_of_year, "day"),
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
        return re.search(_P["before-day"], before) is not None
    return len(name) > 3


def _is_every_year(said: DayPhrase) -> bool:
    around = f"{said.before} {said.after}"
    if re.search(_P["yearly"], around) or (
        re.search(_P["season"], around) and not re.search(_P["forward"], said.before)
    ):
        return True
    return said.words.startswith("in ") and not re.search(_P["coming"], said.clause_before)


def _is_over(said: DayPhrase) -> bool:
    if re.search(r"(?i)\bsince\s+\Z", said.before):
        return True
    around = f"{said.clause_before}{said.clause_after[:40]}"
    return not _is_ahead(said) and re.search(PAST, around) is not None


def _is_unsure(said: DayPhrase) -> bool:
    """Tell whether the words around do not say if it is past or to come: the Dec 15 incident, from Dec 15."""
    if re.search(r"(?i)\b(?:the|our|that|their|after|of)\s+\Z", said.before):
        return True
    if re.search(_P["other-year"], f"{said.before} {said.after}"):
        return True
    around = f"{said.clause_before}{said.clause_after[:40]}"
    return not _is_ahead(said) and re.search(r"(?i)\b[a-z]{3,}ed\b", around) is not None


def _is_ahead(said: DayPhrase) -> bool:
    """Whether a preposition or a verb before it says that it is still to come."""
    before = said.clause_before
    return bool(
        re.search(_P["forward"], said.before)
        or re.search(FUTURE, before)
        or re.search(r"(?i)\b(?:is|are|be)\b", before)
    )
