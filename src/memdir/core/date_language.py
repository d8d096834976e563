"""What has to be known of a language to find the days it names relative to today."""

import re
from dataclasses import dataclass

from memdir.core.value import value_class

__all__ = ["CLAUSE_END", "MONTH_NAMES", "Language", "Phrase"]


CLAUSE_END = re.compile(
    r"[.;!?。\uff1b\uff01\uff1f\uff0c]|\b(?:because|since|when|weil|als|parce que|porque)\b", re.IGNORECASE
)
"""What parts a day from words that do not speak of it."""


@value_class(frozen=True, slots=True)
class Phrase:
    """One way to name a day; `{weekday}`, `{number}`, `{unit}`, `{month}` and `{day}` stand for words."""

    pattern: str
    sense: str
    """days, weekday, shift, period, end, start, middle, month, day-of-year, month-of-year or vague."""
    step: int = 0
    """Days or units to go; for weekdays -1 the last, 0 this, 1 the next week's, 2 the coming one."""
    tail: str = ""
    """What is kept beside the date, such as the time of day."""
    week: int | None = None
    """For a weekday of a named week: how many weeks from this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language, and how it writes a date into a sentence."""

    clue: str
    """A line in lower case without a match of this names no day in this language."""
    weekdays: tuple[str, ...]
    """Patterns for Monday to Sunday."""
    numbers: dict[str, int]
    units: dict[str, str]
    """Patterns for day, week, fortnight, month, quarter, year and weekend."""
    phrases: tuple[Phrase, ...]
    forms: dict[str, tuple[str, str]]
    """For each grain: how it stands alone in a sentence, and how after a preposition."""
    prepositions: str
    """After one of these a date needs no preposition of its own."""
    recurring: str
    """Before a weekday: it is a habit, not a day."""
    forward: str
    """Before a weekday: it is still to come, whatever the verb says."""
    past: str
    """Verbs that make a bare weekday one that may be over."""
    general: str = "(?!)"
    """What makes a rule of a clause that goes on with `on` and a weekday: it holds for every one of them."""
    on: str = "(?!)"
    """What stands before the weekday of such a rule, and not before that of a deadline."""
    future: str = "(?!)"
    """Words that outweigh such a verb."""
    spaced: bool = True
    """Whether words are set apart by spaces."""


MONTH_NAMES = (
    "jan(?:uary|uar|vier)?|enero",
    "feb(?:ruary|ruar)?|février|febrero",
    "mar(?:ch|s|zo)?|märz",
    "apr(?:il)?|avril|abril",
    "may|mai|mayo",
    "june?|juni|juin|junio",
    "july?|juli|juillet|julio",
    "aug(?:ust)?|août|agosto",
    "sept?(?:ember|embre|iembre)?",
    "o[ck]t(?:ober|obre|ubre)?",
    "nov(?:ember|embre|iembre)?",
    "de[czs](?:ember)?|décembre|diciembre",
)
"""Patterns for January to December in the languages above, long and short."""
