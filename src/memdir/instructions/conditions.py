"""The `paths:` of a rule, in whatever form people write it."""

import re
from collections.abc import Iterator

from memdir.text.frontmatter.header import span
from memdir.text.frontmatter.lines import entries, lines_between
from memdir.text.frontmatter.scalars import Node, read_value
from memdir.text.globs import Globs, globs_in

__all__ = ["conditions", "is_misnamed"]


def conditions(header: str) -> Globs:
    """Return what the header of a rule restricts it to; without globs under `paths:` that is nothing."""
    if "paths" not in header:
        return _ANY
    value = _values(header).get("paths", "")
    found = globs_in(value) if isinstance(value, str) else [item.strip() for item in _items(value)]
    return Globs(tuple([glob for glob in found if not _NO_GLOB.fullmatch(glob)]), relaxed=True)


def is_misnamed(header: str) -> bool:
    """Tell whether a header says `globs:`, which is not a key of this layout, instead of `paths:`."""
    return "globs" in header and "globs" in (keys := _values(header)) and "paths" not in keys


_ANY = Globs()
_NO_GLOB = re.compile(r"|~|null|true|false|[-+]?\.?[0-9][0-9._]*(?:e[-+]?[0-9]+)?", re.IGNORECASE)
"""What YAML reads as no text: nothing, a switch or a number."""


def _values(header: str) -> dict[str, Node]:
    where = span(header)
    if not where:
        return {}
    lines = lines_between(header, where.first, where.stop)
    found: dict[str, Node] = {}
    for entry in entries(lines)[0]:
        if entry.key in _KEYS:
            below = "".join(lines[entry.first + 1 : entry.stop])
            value, _ = read_value(entry.value, below)
            # A list that is no YAML, because of bare stars, is read as it is meant.
            is_list = isinstance(value, str) and value[:1] == "[" and value[-1:] == "]"
            found[entry.key] = value[1:-1] if is_list and isinstance(value, str) else value
    return found


_KEYS = frozenset({"paths", "globs"})


def _items(node: Node) -> Iterator[str]:
    """Yield the globs of a list, also of one in another; an item with a comma and a space is several."""
    if isinstance(node, str):
        yield from globs_in(node) if ", " in node else [node]
    elif isinstance(node, list):
        for item in node:
            yield from _items(item)
