"""Merge two versions of one memory that began as the same text: headers key by key, bodies line by line.

Lines that both sides added at one place are both kept. Where both changed the same lines or the same key, and
not alike, nothing is merged: the caller keeps both versions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from memdir.text.frontmatter.header import span
from memdir.text.frontmatter.lines import entries, is_metadata_block, lines_between
from memdir.text.value import value_class

__all__ = ["MergeConflict", "merge"]

T = TypeVar("T")

_MOST_LINES = 5_000
"""Lines that are compared: a memory is a page, and the time grows with the square."""

_LATER = ("metadata.modified", "metadata.verified")
_EARLIER = ("metadata.created",)
_WITH_THE_NEWER = ("metadata.actor", "metadata.session", "metadata.source", "metadata.anchors")
"""Keys that memdir writes itself: two values are no contradiction, the newer text's counts."""

_Keys = dict[str, str]
"""Each key of a header, those below `metadata:` with that word before them, and its lines as they stand."""


@value_class(frozen=True, slots=True)
class MergeConflict:
    """Two texts cannot be merged, and why."""

    because: str


def merge(base: str | None, ours: str, theirs: str) -> str | MergeConflict:
    """Return one text with the changes of both sides since the base; the order of the sides is no matter.

    Without a base two texts agree only where their bodies do.
    """
    one, other = sorted((ours, theirs))
    if (whole := _pick_side(base, one, other)) is not None:
        return whole
    head_base, body_base = (None, None) if base is None else _halves(base)
    (head_one, body_one), (head_other, body_other) = _halves(one), _halves(other)
    body = _pick_side(body_base, body_one, body_other)
    if body is None and body_base is not None:
        body = _merged_lines(body_base, body_one, body_other, union=True)
    if body is None:
        return MergeConflict("both sides changed the same lines")
    head = _merged_header(head_base, head_one, head_other)
    return head if isinstance(head, MergeConflict) else head + body


def _pick_side(base: T | None, one: T, other: T) -> T | None:
    """Return what both sides have, or the side that changed alone; None where both changed, and not alike."""
    if other in (one, base):
        return one
    return other if one == base else None


def _halves(text: str) -> tuple[str, str]:
    where = span(text)
    return (text[: where.body], text[where.body :]) if where else ("", text)


def _merged_lines(*texts: str, union: bool) -> str | None:
    """Return the lines of a base and two sides merged; None where both sides changed the same ones.

    The texts are compared in chunks: between two of them stands a line that all three have.
    """
    base, one, other = (text.split("\n") for text in texts)
    if max(len(base), len(one), len(other)) > _MOST_LINES:
        return None
    in_one, in_other = _places(base, one), _places(base, other)
    merged, at, at_one, at_other = list[str](), 0, 0, 0
    for line in [*sorted(in_one.keys() & in_other.keys()), len(base)]:
        stop_one, stop_other = in_one.get(line, len(one)), in_other.get(line, len(other))
        old, first, second = base[at:line], one[at_one:stop_one], other[at_other:stop_other]
        chunk = _pick_side(old, first, second)
        if chunk is None and union and not old:
            chunk = _union(first, second)
        if chunk is None:
            return None
        merged += [*chunk, *base[line : line + 1]]
        at, at_one, at_other = line + 1, stop_one + 1, stop_other + 1
    return "\n".join(merged)


def _places(base: Sequence[str], changed: Sequence[str]) -> dict[int, int]:
    """Return where each line of the base stands in the changed text, for those that still do."""
    blocks = SequenceMatcher(None, base, changed).get_matching_blocks()
    return {a + step: b + step for a, b, size in blocks for step in range(size)}


def _union(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the lines that two sides added at one place; what both have stands there once."""
    if not {line for line in one if line.strip()} & {*other}:
        return [*one, *other]
    matcher, lines = SequenceMatcher(None, one, other, autojunk=False), list[str]()
    for what, first, stop, start, end in matcher.get_opcodes():
        lines += [*one[first:stop], *(() if what == "equal" else other[start:end])]
    return lines


def _merged_header(base: str | None, one: str, other: str) -> str | MergeConflict:
    if (whole := _pick_side(base, one, other)) is not None:
        return whole
    common, first, second = _keys(base or ""), _keys(one), _keys(other)
    if common is not None and first is not None and second is not None:
        return _merged_keys(common, first, second)
    merged = _merged_lines(base or "", one, other, union=False)
    return MergeConflict("both sides changed the header") if merged is None else merged


def _keys(header: str) -> _Keys | None:
    """Return the lines of each key; None for a header that has more to it than plain keys."""
    if not header:
        return {}
    if not re.fullmatch(r"---\n(?s:.*)\n---\n", header) or "\r" in header:
        return None
    found: _Keys = {}
    return found if _add_keys(lines_between(header, 4, len(header) - 4), "", found) else None


def _add_keys(lines: list[str], prefix: str, found: _Keys) -> bool:
    """Add the keys of some lines; tell whether that was all of them."""
    listed, strays = entries(lines)
    if strays or sum(entry.stop - entry.first for entry in listed) != len(lines):
        return False
    for entry in listed:
        below = lines[entry.first + 1 : entry.stop]
        if not prefix and is_metadata_block(entry, below):
            if lines[entry.first] != "metadata:\n" or not _add_keys(below, "metadata.", found):
                return False
        elif prefix + entry.key in found or (not prefix and entry.key.startswith("metadata.")):
            return False
        else:
            found[prefix + entry.key] = "".join(lines[entry.first : entry.stop])
    return True


def _merged_keys(base: _Keys, one: _Keys, other: _Keys) -> str | MergeConflict:
    newer = max((one, other), key=lambda keys: (keys.get("metadata.modified", ""), sorted(keys.values())))
    merged: _Keys = {}
    for key in {**one, **other}:
        was, first, second = (keys.get(key, "") for keys in (base, one, other))
        value = _pick_side(was, first, second)
        if value is None and key in _WITH_THE_NEWER:
            value = newer.get(key, "")
        elif value is None and key in _LATER + _EARLIER:
            value = (min if key in _EARLIER else max)(filter(None, (first, second)))
        if value is None:
            return MergeConflict(f"both sides changed `{key}` in the header")
        merged[key] = value
    below = [lines for key, lines in merged.items() if lines and key.startswith("metadata.")]
    top = [lines for key, lines in merged.items() if not key.startswith("metadata.")]
    return "".join(["---\n", *top, *(["metadata:\n"] if below else []), *below, "---\n"])
