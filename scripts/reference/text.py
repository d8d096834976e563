"""What the pages share: their hand-written beginnings, and tables."""

from collections.abc import Iterable
from pathlib import Path

__all__ = ["beginning", "code", "table"]

_FOLDER = Path(__file__).parent


def beginning(page: str) -> str:
    """Return the words of a page that no code says, from the file beside this one."""
    return (_FOLDER / page).read_text(encoding="utf-8")


def code(text: object) -> str:
    """Return a text as code, or nothing for none."""
    return f"`{text}`" if str(text) else ""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown."""
    lines = [tuple(head), *map(tuple, rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines).replace("|  |", "| |")
