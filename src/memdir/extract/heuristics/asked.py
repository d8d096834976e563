"""The kind of what a sentence tells or asks to keep."""

import re
from datetime import date

from memdir.extract.heuristics import corrections, decisions, events, person, places
from memdir.extract.heuristics.foreign import foreign_kind
from memdir.extract.heuristics.requests import Request
from memdir.memories.kinds import Kind, propose_kind
from memdir.text.dates.absolute_dates import absolute_dates
from memdir.text.dates.relative_dates import with_absolute_dates

__all__ = ["is_dated", "kind_asked", "taste_kind"]


def kind_asked(request: Request, on: date) -> Kind:
    """Return the kind of what somebody asks to keep."""
    text = request.text
    if request.language != "en":
        return foreign_kind(text, lasting=request.lasting)
    if places.is_pointer(text):
        return Kind.REFERENCE
    if person.is_role(text):
        return Kind.USER
    return _lasting_kind(text) if request.lasting else _noted_kind(text, on)


def taste_kind(bare: str) -> Kind:
    """Return the kind of a preference: how to work, or how somebody is."""
    return Kind.FEEDBACK if propose_kind(bare) is Kind.FEEDBACK else Kind.USER


def is_dated(bare: str, on: date) -> bool:
    """Whether something is told that happens on a day from today on."""
    dated = with_absolute_dates(bare, on)
    days = [found.day for found in absolute_dates(dated) if found.day >= on]
    later = rf"(?:\b(?:in|from|until) |\()({on.year}-(?!{on.month:02})\d\d|{on.year + 1}(?:-\d\d)?)\b(?!-)"
    month = re.search(later, dated)
    named = days or (month and month[1] >= f"{on:%Y-%m}" and dated != bare)
    return bool(named) and events.is_event(bare, today=not days or min(days) == on)


def _lasting_kind(text: str) -> Kind:
    of_a_thing = re.match(r"(?:the|our|my) ", text, re.IGNORECASE)
    return Kind.PROJECT if of_a_thing and propose_kind(text) is Kind.PROJECT else Kind.FEEDBACK


def _noted_kind(text: str, on: date) -> Kind:
    if person.is_taste(text):
        return taste_kind(text)
    if corrections.is_correction(text, replies=True):
        return Kind.FEEDBACK
    if decisions.is_decision(text) or is_dated(text, on):
        return Kind.PROJECT
    kind = propose_kind(text)
    # A place that nobody is sent to is a fact: "two of our board members are blind".
    return Kind.PROJECT if kind is Kind.REFERENCE else kind
