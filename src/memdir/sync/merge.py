"""Merge two versions of one memory that began as the same text: headers key by key, bodies line by line.

Lines that both sides added at one place are both kept. Where both changed the same lines or the same key, and
not alike, nothing is merged: the caller keeps both versions.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from memdir.text.frontmatter.header import span
from memdir.text.frontmatter.lines import entries, is_metadata_block, lines_between
from memdir.text.value import value_class

__all__ = ["MergeConflict", "merge"]


@value_class(frozen=True, slots=True)
class MergeConflict:
    """Two texts cannot be merged, and why."""

    because: str


def merge(base: str | None, ours: str, theirs: str) -> str | MergeConflict:
    """Return one text with the changes of both sides since the base; the order of the sides is no matter.

    Without a base two texts agree only where their bodies do.
    """
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    one, other = sorted((ours, theirs))
    head_base, body_base = (None, None) if base is None else _halves(base)
    (head_one, body_one), (head_other, body_other) = _halves(one), _halves(other)
    body = _merged_body(body_base, body_one, body_other)
    if body is None:
        return MergeConflict("both sides changed the same lines")
    head = _merged_header(head_base, head_one, head_other)
    return head if isinstance(head, MergeConflict) else head + body


_MOST_LINES = 5_000
"""Lines that are compared: a memory is a page, and the time grows with the square."""

_LATER = ("metadata.modified", "metadata.verified")
_EARLIER = ("metadata.created",)
_WITH_THE_NEWER = ("metadata.actor", "metadata.session", "metadata.source", "metadata.anchors")
"""Keys that memdir writes itself: two values are no contradiction, the newer text's counts."""

_Keys = dict[str, str]
"""Each key of a header, those below `metadata:` with that word before them, and its lines as they stand."""


def _halves(text: str) -> tuple[str, str]:
    where = span(text)
    return (text[: where.body], text[where.body :]) if where else ("", text)


def _merged_body(base: str | None, one: str, other: str) -> str | None:
    if one == other or base is None:
        return one if one == other else None
    lines = [text.split("\n") for text in (base, one, other)]
    merged = _merged_lines(*lines)
    return None if merged is None else "\n".join(merged)


def _merged_lines(
    base: Sequence[str], one: Sequence[str], other: Sequence[str], *, union: bool = True
) -> list[str] | None:
    """Return all lines merged; None where both sides changed the same ones."""
    if max(len(base), len(one), len(other)) > _MOST_LINES:
        return None
    merged: list[str] = []
    for old, first, second in _chunks(base, one, other):
        chunk = _merged_chunk(old, first, second, union=union)
        if chunk is None:
            return None
        merged += chunk
    return merged


def _chunks(
    base: Sequence[str], one: Sequence[str], other: Sequence[str]
) -> Iterator[tuple[Sequence[str], Sequence[str], Sequence[str]]]:
    """Yield the three texts in pieces; between two pieces stands a line that all of them have."""
    in_one, in_other = _places(base, one), _places(base, other)
    at = at_one = at_other = 0
    for line in [*sorted(in_one.keys() & in_other.keys()), None]:
        if line is None:
            yield base[at:], one[at_one:], other[at_other:]
            return
        yield base[at:line], one[at_one : in_one[line]], other[at_other : in_other[line]]
        yield base[line : line + 1], base[line : line + 1], base[line : line + 1]
        at, at_one, at_other = line + 1, in_one[line] + 1, in_other[line] + 1


def _places(base: Sequence[str], changed: Sequence[str]) -> dict[int, int]:
    """Return where each line of the base stands in the changed text, for those that still do."""
    blocks = SequenceMatcher(None, base, changed).get_matching_blocks()
    return {a + step: b + step for a, b, size in blocks for step in range(size)}


def _merged_chunk(
    old: Sequence[str], one: Sequence[str], other: Sequence[str], *, union: bool
) -> Sequence[str] | None:
    if other in (one, old):
        return one
    if one == old:
        return other
    return _union(one, other) if union and not old else None


def _union(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """Return the lines that two sides added at one place; what both have stands there once."""
    if not {line for line in one if line.strip()} & {*other}:
        return [*one, *other]
    matcher, lines = SequenceMatcher(None, one, other, autojunk=False), list[str]()
    for what, first, stop, start, end in matcher.get_opcodes():
        lines += [*one[first:stop], *(() if what == "equal" else other[start:end])]
    return lines


def _merged_header(base: str | None, one: str, other: str) -> str | MergeConflict:
    if other in (one, base):
        return one
    if base == one:
        return other
    keys = [_keys(header) for header in (base or "", one, other)]
    if all(found is not None for found in keys):
        return _merged_keys(*[found or {} for found in keys])
    merged = _merged_lines((base or "").split("\n"), one.split("\n"), other.split("\n"), union=False)
    return MergeConflict("both sides changed the header") if merged is None else "\n".join(merged)


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
        values = base.get(key), one.get(key), other.get(key)
        if values[1] == values[2] or values[2] == values[0]:
            value = values[1]
        elif values[1] == values[0]:
            value = values[2]
        elif key in _LATER + _EARLIER + _WITH_THE_NEWER:
            both = [text for text in values[1:] if text]
            value = newer.get(key) if key in _WITH_THE_NEWER else (min if key in _EARLIER else max)(both)
        else:
            return MergeConflict(f"both sides changed `{key}` in the header")
        merged |= {} if value is None else {key: value}
    top = [lines for key, lines in merged.items() if not key.startswith("metadata.")]
    below = [lines for key, lines in merged.items() if key.startswith("metadata.")]
    return "".join(["---\n", *top, *(["metadata:\n"] if below else []), *below, "---\n"])
