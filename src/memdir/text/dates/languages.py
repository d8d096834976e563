"""The words in which each language names days relative to today, and days and months without their year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memdir.resources import read_table
from memdir.text.dates.calendar import MONTH
from memdir.text.value import value_class

__all__ = ["Language", "Phrase", "languages"]


@value_class(frozen=True, slots=True)
class Phrase:
    """One way to name a day; `{weekday}`, `{number}`, `{unit}`, `{month}` and `{day}` stand for words."""

    pattern: str
    sense: str
    """days, weekday, shift, period, end, start, middle, month, vague, or one that lacks its year or month."""
    step: int = 0
    """Days or units to go; for weekdays -1 the last, 0 this, 1 the next week's, 2 the coming one."""
    unit: str = ""
    """The unit, where no word of the phrase names it."""
    week: int | None = None
    """For a weekday of a named week: how many weeks from this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language that name days."""

    clue: str
    """A line in lower case without a match of this names no day in this language."""
    phrases: tuple[Phrase, ...]
    weekdays: tuple[str, ...]
    """Patterns for Monday to Sunday."""
    numbers: Mapping[str, int]
    units: Mapping[str, str]
    """Patterns for day, week, fortnight, month, quarter, year and weekend."""
    recurring: str
    """Before a weekday: it is a habit, not a day."""
    week: str
    """How a week is written by its Monday."""
    spaced: bool
    """Whether words are set apart by spaces."""
    is_ascii: bool
    """Whether a text of ASCII alone may name a day in it."""


@cache
def languages() -> Mapping[str, Language]:
    """Return the languages by their names, read when a text first may name a day."""
    return {
        name: _language([row.replace("<months>", MONTH) for row in rows])
        for name, rows in read_table(__file__, "languages.txt").items()
    }


def _language(rows: list[str]) -> Language:
    """Return one language of the table."""
    columns = [(key, rest.split("\t")) for key, _, rest in (row.partition("\t") for row in rows)]
    texts = {key: values for key, values in columns if key != "phrase"}
    filled = [(*values, "", "", "")[:5] for key, values in columns if key == "phrase"]
    phrases = [
        Phrase(pattern, sense, int(step or 0), unit, int(week) if week else None)
        for pattern, sense, step, unit, week in filled
    ]
    numbers = {
        key: {word: int(number) for number, word in (text.split(" ", 1) for text in texts[key])}
        for key in ("numbers", "days")
        if key in texts
    }
    if "days" in numbers:  # phrases that most languages have
        forms = (("next", 1), ("last", -1), ("this", 0))
        steps = [(form, step) for key, step in forms for form in texts[key]]
        phrases += [Phrase(word, "days", step) for word, step in numbers["days"].items()]
        phrases += [Phrase(texts["ahead"][0], "shift", 1), Phrase(texts["ago"][0], "shift", -1)]
        phrases += [Phrase(form.replace("@", "{weekday}"), "weekday", step) for form, step in steps]
        phrases += [Phrase("{weekday}", "weekday", 2), Phrase(texts["end"][0], "end")]
        phrases += [Phrase(form.replace("@", "{unit}"), "period", step) for form, step in steps]
    return Language(
        texts["clue"][0],
        tuple(phrases),
        tuple(texts.get("weekdays", ())),
        numbers.get("numbers", {}),
        dict([text.split(" ", 1) for text in texts.get("units", ())]),
        texts.get("recurring", ["(?!)"])[0],
        texts.get("week", ["{}"])[0],
        spaced="unspaced" not in texts,
        is_ascii=any(map(str.isascii, texts["clue"][0].split("|"))),
    )
