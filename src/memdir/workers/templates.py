"""The sentences that a worker's model reads, from `text/`, with their fields filled in."""

import os
import re
from functools import cache

__all__ = ["worded"]

_FIELD = re.compile(r"\{([a-z_]+)\}")
_FOLDER = os.path.join(os.path.dirname(__file__), "text")


def worded(name: str, /, **fields: object) -> str:
    """Return the text of this name; each of its fields must be given, and nothing else."""
    text = _loaded(name)
    wanted = set(_FIELD.findall(text))
    if wanted != fields.keys():
        raise ValueError(f"The fields of {name}.md are {sorted(wanted)}; given were {sorted(fields)}.")
    # One pass, so that a brace inside a value is never taken for a field.
    return _FIELD.sub(lambda found: str(fields[found[1]]), text)


@cache
def _loaded(name: str) -> str:
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8", newline="") as file:
        return file.read().rstrip("\n")
