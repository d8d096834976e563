"""Named pieces of a prompt, each a text of ours from `text/` with its fields filled in."""

import os
import re
from collections.abc import Iterable
from functools import cache

from memdir.text.escape import escaped
from memdir.text.value import value_class

__all__ = ["Prose", "Section", "fields_of", "filled", "listed", "loaded", "text"]


class Prose(str):
    """Words of our own, which may be structure; any other text is escaped when it fills a field."""

    __slots__ = ()


@value_class(frozen=True, slots=True)
class Section:
    """One piece of a prompt under the name it is known and tested by."""

    name: str
    text: str


def filled(name: str, /, **values: str) -> Prose:
    """Return the text of this name with its fields filled; each field must be given, and nothing else.

    A line that holds only a field vanishes when its value is empty.
    """
    if values.keys() != fields_of(name):
        wanted, given = (", ".join(sorted(names)) or "none" for names in (fields_of(name), values))
        raise ValueError(f"The fields of {name}.md are {wanted}; given were {given}. Give its own.")
    inert = {field: value if isinstance(value, Prose) else escaped(value) for field, value in values.items()}
    kept = [line for line in loaded(name).split("\n") if not _is_empty_field(line, inert)]
    # One pass, so that a brace inside a value is never taken for a field.
    return Prose(_FIELD.sub(lambda found: inert[found[1]], "\n".join(kept)).rstrip("\n"))


@cache
def loaded(name: str) -> str:
    """Return the text of this name as it stands in its file, fields unfilled."""
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8", newline="") as file:
        return file.read().rstrip("\n")


@cache
def fields_of(name: str) -> frozenset[str]:
    """Return the names of the fields in the text of this name."""
    return frozenset(_FIELD.findall(loaded(name)))


def listed(texts: Iterable[str]) -> Prose:
    """Return texts from outside as a list; indented as they are, they cannot look like a section of ours."""
    return Prose("\n".join(["- " + escaped(text).strip().replace("\n", "\n  ") for text in texts]))


def text(sections: Iterable[Section]) -> str:
    """Return the sections as one text, a blank line between two."""
    return "\n\n".join([section.text for section in sections])


_FIELD = re.compile(r"\{([A-Za-z_]\w*)\}")
_FOLDER = os.path.join(os.path.dirname(__file__), "text")


def _is_empty_field(line: str, values: dict[str, str]) -> bool:
    field = _FIELD.fullmatch(line)
    return field is not None and not values[field[1]]
