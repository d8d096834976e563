"""The sentences of recall that a model reads: files in `text/`, with their fields filled in."""

import os

from memdir.recall.fast_escape import inert

__all__ = ["Prose", "filled"]


class Prose(str):
    """Words of our own, which may be structure; any other text is escaped when it fills a field."""

    __slots__ = ()


def filled(name: str, /, **values: str) -> Prose:
    """Return the text of this name with its fields filled; a line that holds only an empty field vanishes."""
    safe = {field: value if isinstance(value, Prose) else inert(value) for field, value in values.items()}
    lines = [line for line in _loaded(name).split("\n") if not _is_empty_field(line, safe)]
    # One pass, so that a brace inside a value is never taken for a field.
    first, *pieces = "\n".join(lines).split("{")
    return Prose(first + "".join([_with_field(piece, safe) for piece in pieces]))


_FOLDER = os.path.join(os.path.dirname(__file__), "text")
_texts: dict[str, str] = {}


def _loaded(name: str) -> str:
    if name not in _texts:
        with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8", newline="") as file:
            _texts[name] = file.read().rstrip("\n")
    return _texts[name]


def _with_field(piece: str, values: dict[str, str]) -> str:
    """Return what a text goes on with after a brace: the value of the field that it names, or itself."""
    field, closed, rest = piece.partition("}")
    return values[field] + rest if closed and _is_name(field) else "{" + piece


def _is_empty_field(line: str, values: dict[str, str]) -> bool:
    return line[:1] == "{" and line[-1:] == "}" and _is_name(line[1:-1]) and not values[line[1:-1]]


def _is_name(field: str) -> bool:
    return field.isascii() and field.isalpha() and field.islower()
