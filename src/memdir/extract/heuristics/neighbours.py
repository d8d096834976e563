"""Candidates from sentences side by side that say one thing."""

import re
from datetime import date

from memdir.extract.heuristics.candidate import Candidate
from memdir.text.dates.absolute_dates import absolute_dates
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.likeness import words
from memdir.text.plain import capitalise
from memdir.text.value import replace

__all__ = ["are_one", "together"]


def are_one(one: Candidate, two: Candidate, on: date) -> bool:
    """Whether two candidates are neighbours that say one thing."""
    if two.place != one.place + 1:
        return False
    dated = "dated" in {one.rule, two.rule}
    if not dated and _LEANS.match(two.text):
        return True
    if one.rule == "dated" and two.rule == "correction":
        return True  # "We go live on Monday. No more schema changes."
    if one.kind is not two.kind or {one.rule, two.rule} <= _ASKED or _NEW_SUBJECT.match(two.text):
        return False
    return not dated or _days(one.text, on) == _days(two.text, on)


def _days(text: str, on: date) -> list[date]:
    return [found.day for found in absolute_dates(with_absolute_dates(text, on))]


def together(one: Candidate, two: Candidate) -> Candidate:
    """Return two candidates as one that starts with what says more."""
    text = f"{one.text.rstrip('. ')}. {capitalise(two.text)}"
    why = (one.why if one.why != two.text else "") or two.why
    if one.rule == two.rule == "confirmation":
        text, why = one.text, "; ".join(part for part in (one.why, two.why) if part)
    elif not words(one.text):
        text = two.text  # "That's not how we do it." says nothing alone
    return replace(
        one, text=text, why=why, how=one.how or two.how, changes=one.changes or two.changes, place=two.place
    )


_LEANS = re.compile(r"(?:please |so |and )?(?:\w+ ){1,2}(?:it|that|them|those)\b", re.IGNORECASE)
# Who somebody is has nothing to do with what they said before it.
_NEW_SUBJECT = re.compile(r"(?:and |also |by the way,? |btw,? )*my name is\b", re.IGNORECASE)
_ASKED = {"request", "note"}
