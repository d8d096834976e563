"""Tell a weekday that means one day from one that repeats; leave open what may be either.

One day is meant where words say so: a deadline, or something that happens once. A habit, a list of days, the
name of a thing and a day that is ruled out are left alone. Everything else is in doubt.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memdir.resources import patterns_of, read_table

if TYPE_CHECKING:
    from memdir.text.dates.languages import Language
    from memdir.text.dates.phrases import DayPhrase

__all__ = ["FUTURE", "PAST", "is_general", "is_habit", "is_occasion", "is_unsure", "may_be_past"]


def is_habit(said: DayPhrase) -> bool:
    """Whether a weekday, or an end of a month or the like, is one of many: every Friday, the Friday demo."""
    if _says(said.language.recurring, said) or _is_listed(said) or _is_name(said):
        return True
    clause = f"{said.clause_before} \0 {said.clause_after}"
    if re.search(_WORDS["habit"], clause):
        return True
    if _is_deadline(said):
        return False
    return bool(re.search(_WORDS["only"], clause)) or bool(
        re.search(_WORDS["routine"], clause) and not re.search(_WORDS["change"], clause)
    )


def is_occasion(said: DayPhrase) -> bool:
    """Whether the words around say that this happens once: by Friday, the demo is on Friday."""
    if _is_range(said) or is_general(said):
        return False
    if _is_deadline(said):
        return True
    clause = f"{said.clause_before} \0 {said.clause_after}"
    reason = said.clause_after.partition(",")[2]  # "not on Friday, the demo is then" speaks of one day
    if may_be_past(said) or (re.search(_WORDS["not"], clause) and not re.search(_WORDS["event"], reason)):
        return False
    return bool(
        re.search(_WORDS["event"], clause) or re.search(_WORDS["change"], clause) or re.search(FUTURE, clause)
    )


def is_general(said: DayPhrase) -> bool:
    """Whether the clause speaks of many things at once, as a rule does: tokens expire in 30 days."""
    counted = said.weekday is not None or said.phrase.sense == "shift"
    return counted and re.match(_TABLE["many"], said.clause_before, re.IGNORECASE) is not None


def is_unsure(said: DayPhrase) -> bool:
    """Whether the words around leave the day open: roughly then, a case of a rule, a time without."""
    before, after, shift = said.before, said.after, said.phrase.sense == "shift"
    if re.search(_TABLE["roughly"], before) or re.match(_TABLE["or-so"], after):
        return True
    if said.phrase.sense != "days" and re.search(_TABLE["case"], before):
        return True
    if not shift or re.search(_TABLE["more-than"], before):
        return shift
    if said.phrase.step < 0:
        return re.match(_TABLE["since-then"], after) is not None
    return _is_time_without(said.clause_before)


def _is_time_without(before: str) -> bool:
    """Whether the words tell what did not happen for so long: not touched in two weeks."""
    before = re.split("[,:]", before)[-1]
    missing = re.search(_WORDS["without"], before)
    then = before[missing.end() :].lstrip().partition(" ")[2] if missing else ""
    return missing is not None and not (re.search(FUTURE, then) or re.search(_WORDS["event"], then))


def may_be_past(said: DayPhrase) -> bool:
    """Whether the clause tells of something that is over."""
    if _is_deadline(said):
        return False
    around = f"{said.clause_before} {said.clause_after[:25]}"
    return bool(re.search(PAST, around)) and not re.search(FUTURE, said.clause_before)


def _is_deadline(said: DayPhrase) -> bool:
    return bool(re.search(_TABLE["up-to"], said.before) or re.match(_TABLE["up-to-after"], said.after))


def _says(pattern: str, said: DayPhrase) -> bool:
    edge, gap = (r"(?:\A|[\s(])", r"(?:\sother)?\s+") if said.language.spaced else ("", "")
    return re.search(rf"{edge}(?:{pattern}){gap}\Z", said.before, re.IGNORECASE) is not None


def _is_listed(said: DayPhrase) -> bool:
    """Whether another weekday stands beside it: Monday, Wednesday and Friday; or it is ruled out."""
    if not said.language.weekdays:
        return False
    before, after = _list(said.language)
    return bool(
        before.search(said.before) or after.match(said.after) or re.search(_TABLE["ruled-out"], said.before)
    )


def _is_name(said: DayPhrase) -> bool:
    """Whether the weekday is part of a name: Casual Friday, Friday deploys, Viernes Santo."""
    if re.match(_TABLE["plural-after"], said.after):
        return True
    lead = re.search(r"(?<!^)(?<![.!?:]\s)\b([A-Z][a-z]+)\s\Z", f" {said.before}")
    named = lead is not None and said.words[0].isupper() and not re.search(_WORDS["event"], lead[1])
    return (named and not re.fullmatch(_TABLE["leads"], lead[1] if lead else "")) or bool(
        said.words[0].isupper() and re.match(r" (?!I\b)[A-Z][a-z]+", said.after) and not said.before.strip()
    )


def _is_range(said: DayPhrase) -> bool:
    """Whether the weekday starts or ends a span of days: Monday to Friday."""
    weekday = "|".join(said.language.weekdays) or "(?!)"
    starts = re.match(rf"{_TABLE['range']}(?:{weekday})", said.after, re.IGNORECASE)
    return bool(starts or re.search(rf"(?:{weekday}){_TABLE['range']}\Z", said.before, re.IGNORECASE))


_TABLE = patterns_of(read_table(__file__, "habits.txt")["patterns"])


@cache
def _list(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    days, end = "|".join(language.weekdays), r"(?!\w)" if language.spaced else ""
    return (
        re.compile(rf"(?:{days}){_TABLE['link']}\Z", re.IGNORECASE),
        re.compile(rf"{_TABLE['link']}(?:{days}){end}", re.IGNORECASE),
    )


_WORDS = {
    name: rf"(?i)(?<!\w)(?:{_TABLE[name]})(?!\w)|{_TABLE[f'{name}-unspaced']}"
    for name in ("habit", "only", "not", "without", "routine", "event", "change", "future", "past")
}
"""Words of many languages as one expression each, compiled when first asked for: most saves need none."""

FUTURE = _WORDS["future"]
"""Words that speak of what is still to come."""
PAST = _WORDS["past"]
"""Verbs that make a bare weekday one that may be over."""
