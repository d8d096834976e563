"""What has to be known of a language to find the days it names relative to today."""

from dataclasses import dataclass

from memdir.text.value import value_class

__all__ = ["Language", "Phrase", "usual_phrases"]


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
    weekdays: tuple[str, ...] = ()
    """Patterns for Monday to Sunday."""
    numbers: dict[str, int] | None = None
    units: dict[str, str] | None = None
    """Patterns for day, week, fortnight, month, quarter, year and weekend."""
    recurring: str = "(?!)"
    """Before a weekday: it is a habit, not a day."""
    week: str = "{}"
    """How a week is written by its Monday."""
    spaced: bool = True
    """Whether words are set apart by spaces."""


def usual_phrases(  # noqa: PLR0917 - a table has its columns
    days: dict[str, int],
    ahead: str,
    ago: str,
    following: tuple[str, ...],
    last: tuple[str, ...],
    this: str,
    end: str,
) -> tuple[Phrase, ...]:
    """Return the phrases that most languages have; `@` stands for a weekday and for a unit in turn."""
    steps = [*[(form, 1) for form in following], *[(form, -1) for form in last], (this, 0)]
    return (
        *[Phrase(word, "days", step) for word, step in days.items()],
        Phrase(ahead, "shift", 1),
        Phrase(ago, "shift", -1),
        *[Phrase(form.replace("@", "{weekday}"), "weekday", step) for form, step in steps],
        Phrase("{weekday}", "weekday", 2),
        Phrase(end, "end"),
        *[Phrase(form.replace("@", "{unit}"), "period", step) for form, step in steps],
    )
