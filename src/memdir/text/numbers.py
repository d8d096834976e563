"""Say a number with its noun."""

from __future__ import annotations

__all__ = ["count"]


def count(number: int, noun: str) -> str:
    """Return "1 memory", "2 memories" or "3,000 lines"."""
    nouns = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else nouns}"
