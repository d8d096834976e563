"""Set or remove keys of a header and keep the bytes of every other line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memdir.text.frontmatter.header import assignment, quote, span
from memdir.text.frontmatter.lines import (
    HeaderEntry,
    entries,
    flatten,
    is_metadata_block,
    lines_between,
    read_value,
)

__all__ = ["with_value", "with_values"]


def with_value(text: str, key: str, value: str | None) -> str:
    """Return the text with one key set (or, with None, gone) and the bytes of all other lines as they were.

    `metadata.x` is the key x under `metadata:`. A key given twice is set where it counts, the last time, and
    removed everywhere. A text without a header gets one; a header that is never closed is closed.
    """
    return with_values(text, {key: value})


def with_values(text: str, values: Mapping[str, str | None]) -> str:
    """Return the text with several keys set or gone, in their order, each as `with_value` does it."""
    where = span(text)
    if not where:
        key, value = next(((key, value) for key, value in values.items() if value is not None), ("", None))
        if value is None:
            return text
        return with_values(_with_new_header(text, key, value), values)
    lines = lines_between(text, where.first, where.stop)
    newline = _line_end(text[: where.first])
    if lines:
        lines[-1] = lines[-1] if _line_end(lines[-1], "") else lines[-1] + newline
    changed = lines
    for key, value in values.items():
        owner, dot, name = key.partition(".")
        if owner == "metadata" and dot:
            changed = _with_metadata(changed, name, value, newline)
        else:
            changed = _with_entry(changed, key, value, "", newline)
    if changed == lines:
        return text
    fence = text[where.stop : where.body] if where.closed else f"---{newline}"
    return f"{text[: where.first]}{''.join(changed)}{fence}{text[where.body :]}"


def _with_entry(lines: list[str], key: str, value: str | None, indent: str, newline: str) -> list[str]:
    found, _ = entries(lines)
    own = [entry for entry in found if entry.key == key]
    if value is None:
        gone = {number for entry in own for number in range(entry.first, entry.stop)}
        return [line for number, line in enumerate(lines) if number not in gone]
    if not own:
        indent = _white_start(found[0].label) if found else indent
        return [*lines, f"{indent}{assignment(key, value, newline)}"]
    last = own[-1]
    line = f"{last.label}: {quote(value)}{_line_end(lines[last.first], newline)}"
    return [*lines[: last.first], line, *lines[last.stop :]]


def _with_metadata(lines: list[str], name: str, value: str | None, newline: str) -> list[str]:
    found, _ = entries(lines)
    own = [entry for entry in found if entry.key == "metadata"]
    if not own:
        return lines if value is None else [*lines, *_block(found, {name: value}, newline)]
    last = own[-1]
    before, below, after = lines[: last.first], lines[last.first + 1 : last.stop], lines[last.stop :]
    if is_metadata_block(last, below) or (not last.value and not below):
        indent = f"{_white_start(found[0].label)}  "
        return [*before, lines[last.first], *_with_entry(below, name, value, indent, newline), *after]
    # Braces on one line, or no mapping at all: only keys on lines of their own can be edited by lines.
    pairs = _raw_pairs(last.value, "".join(below))
    if value is None and name not in (pairs or ()):
        return lines
    indent = _white_start(found[0].label)
    if pairs is None:
        was = lines[last.first].replace("metadata", _spare_key(found), 1)
        return [*before, was, *below, *_block(found, {name: value or ""}, newline), *after]
    text = "".join(f"{indent}  {pair.replace(_NEXT, newline + indent)}{newline}" for pair in pairs.values())
    spread = _with_entry(lines_between(text, 0, len(text)), name, value, f"{indent}  ", newline)
    return [*before, f"{indent}metadata:{newline}", *spread, *after]


def _spare_key(found: list[HeaderEntry]) -> str:
    """Return a key for a value that is no mapping and has to make way for one."""
    keys = {entry.key for entry in found}
    names = (f"metadata_was{number or ''}" for number in range(len(keys) + 1))
    return next(name for name in names if name not in keys)


_NEXT = "\n"


def _raw_pairs(first: str, rest: str) -> dict[str, str] | None:
    """Return each key of a mapping in braces with the very words that set it; None for anything else."""
    if not isinstance(read_value(first, rest)[0], dict):
        return None
    import yaml

    try:
        braces, *words = _words_inside(f"k: {first}\n{rest}")
    except (yaml.YAMLError, ValueError):  # the reader in C takes a little more
        return None
    if braces != "{" or any(label[:1] in {"[", "{", "*"} for label in words[::2]):
        return None
    pairs = {}
    for label, raw in zip(words[::2], words[1::2], strict=True):
        pairs[" ".join(flatten(read_value(label)[0]).split())] = f"{label}: {raw}".rstrip(" ")
    return pairs


def _words_inside(text: str) -> Iterator[str]:
    """Yield how the mapping begins that is the only value of this YAML; its keys and values as written."""
    import yaml

    depth = start = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):  # the one in Python: its marks count characters
        opens, closes = (
            isinstance(event, yaml.CollectionStartEvent),
            isinstance(event, yaml.CollectionEndEvent),
        )
        depth += opens
        if opens and depth == _INSIDE:
            yield text[event.start_mark.index]
        elif opens and depth == _VALUE:
            start = event.start_mark.index
        elif (depth == _VALUE and closes) or (depth == _INSIDE and not closes):
            first = start if closes else event.start_mark.index
            yield re.sub(r"[ \t]*(?:\r\n?|\n)\s*", f"{_NEXT}    ", text[first : event.end_mark.index])
        depth -= closes


_INSIDE, _VALUE = 2, 3
"""How deep the keys of the mapping stand, and what is inside its values."""


def _block(found: list[HeaderEntry], pairs: Mapping[str, str], newline: str) -> list[str]:
    indent = _white_start(found[0].label) if found else ""
    below = [f"{indent}  {assignment(key, value, newline)}" for key, value in pairs.items()]
    return [f"{indent}metadata:{newline}", *below]


def _with_new_header(text: str, key: str, value: str) -> str:
    owner, dot, name = key.partition(".")
    rest = text.removeprefix("\ufeff")
    first_end = re.search(r"\r\n?|\n", text)
    newline = first_end[0] if first_end else "\n"
    nested = owner == "metadata" and dot
    lines = _block([], {name: value}, newline) if nested else [assignment(key, value, newline)]
    return f"{text[: len(text) - len(rest)]}---{newline}{''.join(lines)}---{newline}{rest}"


def _line_end(line: str, default: str = "\n") -> str:
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1] if line[-1:] in {"\r", "\n"} and line else default


def _white_start(label: str) -> str:
    return label[: len(label) - len(label.lstrip(" \t"))]
