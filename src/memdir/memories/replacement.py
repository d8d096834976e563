"""Which memories one says it replaces: their names, and the days from which they were."""

import re
from datetime import date

from memdir.memories.names import slug

__all__ = ["replacement", "replacements"]


def replacement(name: str, day: date) -> str:
    """Return a replaced memory as `metadata.supersedes` names it."""
    return f"{slug(name)} ({day.isoformat()})"


def replacements(value: str) -> list[tuple[str, str]]:
    """Return the names in such a value, each with its day, which is empty where nobody wrote one."""
    found = (_ONE.fullmatch(part.strip()) for part in value.split(","))
    return [(slug(one[1]), one[2] or "") for one in found if one and one[1].strip()]


_ONE = re.compile(r"(.+?)(?:\s*\((\d{4}-\d\d-\d\d)\))?")
