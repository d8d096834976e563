"""The sentences of recall that a model reads: files in `text/`, with their fields filled in."""

import os
import re
from functools import cache

from memdir.recall.inert import inert

__all__ = ["Prose", "filled"]


class Prose(str):
    """Words of our own, which may be structure; any other text is escaped when it fills a field."""

    __slots__ = ()


def filled(name: str, /, **values: str) -> Prose:
    """Return the text of this name with its fields filled; a line that holds only an empty field vanishes."""
    safe = {field: value if isinstance(value, Prose) else inert(value) for field, value in values.items()}
    lines = [line for line in _loaded(name).split("\n") if not _is_empty_field(line, safe)]
    # One pass, so that a brace inside a value is never taken for a field.
    return Prose(_FIELD.sub(lambda found: safe[found[1]], "\n".join(lines)))


_FIELD = re.compile(r"\{([a-z]+)\}")
_FOLDER = os.path.join(os.path.dirname(__file__), "text")


@cache
def _loaded(name: str) -> str:
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8", newline="") as file:
        return file.read().rstrip("\n")


def _is_empty_field(line: str, values: dict[str, str]) -> bool:
    field = _FIELD.fullmatch(line)
    return field is not None and not values[field[1]]
