"""How old a memory is, in days and in words, and the note that an old one carries."""

TYPE_CHECKING = False  # as in typing, which a process that answers one prompt does not wait for
if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["age_in_words", "days_old", "freshness_note"]

_NOTE = (
    "This memory is {days} days old. It records what was observed then; line numbers and "
    "facts about code may have moved since, so look at the present state before relying on them."
)


def days_old(saved_at: "datetime", now: "datetime") -> int:
    """Return the whole days between the two moments; a time in the future counts as now."""
    return max(0, (now - saved_at).days)


def age_in_words(days: int) -> str:
    """Return today, yesterday or "N days ago": a number of days is acted on, a date is not."""
    if days <= 0:
        return "today"
    return "yesterday" if days == 1 else f"{days} days ago"


def freshness_note(days: int) -> str:
    """Return what to say beside a memory of that age; nothing for today and yesterday."""
    return _NOTE.format(days=days) if days > 1 else ""
