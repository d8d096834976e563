"""A table test calls what it tests by `on_row`: an exception that nobody expected then names its row."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["on_row"]

Row = ParamSpec("Row")
Found = TypeVar("Found")

_LONGEST = 400
"""Characters of a row that are shown: some tables hold texts of a megabyte."""


def on_row(function: Callable[Row, Found], *row: Row.args, **named: Row.kwargs) -> Found:
    """Return what the function makes of a row; an exception that it raises gets the row as a note."""
    __tracebackhide__ = True
    try:
        return function(*row, **named)
    except Exception as error:
        error.add_note(f"The row: {row!r:.{_LONGEST}}")
        raise
