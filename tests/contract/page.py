"""The text of a page of the documentation."""

from pathlib import Path

__all__ = ["ROOT", "page_text"]

ROOT = Path(__file__).parents[2]


def page_text(page: str) -> str:
    """Return the text of a page, named as from the root of the repository."""
    return (ROOT / page).read_text(encoding="utf-8")
