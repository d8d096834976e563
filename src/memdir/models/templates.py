"""The few sentences of this package that a model reads, each a file in `text/` with named fields."""

import os
from functools import cache

__all__ = ["filled"]


def filled(name: str, /, **values: str) -> str:
    """Return the text of this name with its fields filled."""
    text = _loaded(name)
    for field, value in values.items():
        text = text.replace(f"{{{field}}}", value)
    return text


@cache
def _loaded(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), "text", f"{name}.md"), encoding="utf-8") as file:
        return file.read().rstrip("\n")
