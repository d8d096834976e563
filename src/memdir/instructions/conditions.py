"""The `paths:` of a rule, in whatever form people write it."""

from collections.abc import Iterator

from memdir.core.entries import entries, lines_between, span
from memdir.core.globs import Globs, globs_in
from memdir.core.scalars import Node, value_read

__all__ = ["conditions", "is_misnamed"]


def conditions(header: str) -> Globs:
    """Return what the header of a rule restricts it to; without `paths:` that is nothing."""
    if "paths" not in header:
        return _ANY
    value = _values(header).get("paths", "")
    if isinstance(value, str):
        found = [] if value.strip() in _NONE else globs_in(value)
    else:
        found = [glob for item in _items(value) if (glob := item.strip()) not in _NONE]
    return Globs(tuple(found))


def is_misnamed(header: str) -> bool:
    """Tell whether a header says `globs:`, which is not a key of this layout, instead of `paths:`."""
    return "globs" in header and "globs" in (keys := _values(header)) and "paths" not in keys


_ANY = Globs()
_NONE = frozenset({"", "~", "null"})
"""How YAML writes that a key has no value."""


def _values(header: str) -> dict[str, Node]:
    where = span(header)
    if not where:
        return {}
    lines = lines_between(header, where.first, where.stop)
    found: dict[str, Node] = {}
    for entry in entries(lines)[0]:
        if entry.key in _KEYS:
            below = "".join(lines[entry.first + 1 : entry.stop])
            value, _ = value_read(entry.value, below)
            # `{a,b}/*.ts` is a glob with braces, though a reader of YAML sees a mapping.
            found[entry.key] = entry.value if isinstance(value, dict) else value
    return found


_KEYS = frozenset({"paths", "globs"})


def _items(node: Node) -> Iterator[str]:
    """Yield the globs of a list, also of one in another; an item with a comma and a space is several."""
    if isinstance(node, str):
        yield from globs_in(node) if ", " in node else [node]
    elif isinstance(node, dict):
        yield "{" + ",".join(node) + "}"
    else:
        for item in node:
            yield from _items(item)
