"""What a dream would change in headers, which decide how a memory is found, how long, and what it forbids."""

from collections.abc import Iterator
from datetime import UTC, datetime

from memdir.dream.marks import lost_marks, said
from memdir.dream.sources import Sources
from memdir.memories.change import Edit
from memdir.memories.topic import Header, header_from
from memdir.text.frontmatter.header import parse

__all__ = ["header_objections"]

_DECIDING = ("expires", "supersedes", "enforce", "pinned")
"""Keys that only a person sets or changes; one that is left out is put back when the edit is signed."""


def header_objections(edit: Edit, source: str, sources: Sources) -> Iterator[str]:
    """Yield what speaks against the header of a text before it is signed with this source."""
    if edit.after is None or edit.verb == "nothing":
        return
    was, new = _values(edit.before or ""), _values(edit.after)
    for key in _DECIDING:
        if new.get(key) and new[key] != was.get(key, ""):
            yield f"{edit.file} would have its {key} set to {new[key][:80]!r}."
    if edit.before is None:
        return
    if new.get("source", source) not in (source, was.get("source")):
        yield f"{edit.file} would claim {new['source'][:80]!r} as its source."
    before, after = (header_from(edit.file, text, _EPOCH) for text in (edit.before, edit.after))
    if new.get("name") and after.name != before.name:
        yield f"{edit.file} would be named {after.name[:80]!r} instead of {before.name[:80]!r}."
    if new.get("type") and after.kind != before.kind:
        yield f"{edit.file} would be of type {new['type'][:80]!r} instead of {before.kind or 'none'}."
    yield from _description(before, after, sources)


def _description(before: Header, after: Header, sources: Sources) -> Iterator[str]:
    old, new = said(before.description), said(after.description)
    newer = 2 * len(new.marks) >= len(old.marks) and sources.say(new)  # a lone word is said by any line
    if before.description == after.description or newer:
        return
    if missing := lost_marks(old, new):
        yield f"The description of {before.file} would differ in {', '.join(missing[:5])}."
    elif not sources.bear(after.description):
        yield f"The description of {before.file} would say what no memory and no log says."


def _values(text: str) -> dict[str, str]:
    front = parse(text)
    return {key: value.strip() for key, value in (front.metadata | front.fields).items()}


_EPOCH = datetime.fromtimestamp(0, UTC)
