"""A moment as a person reads it: on their own clock, with its zone."""

from datetime import datetime

__all__ = ["moment"]


def moment(at: str | datetime | None) -> str:
    """Return day, time and zone of this machine's clock; a dash where there is no moment."""
    if not at:
        return "-"
    when = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{when.astimezone():%Y-%m-%d %H:%M %Z}"
