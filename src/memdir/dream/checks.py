"""The checks of a patch: reasons not to apply it without asking a person."""

from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime

from memdir.dream.ledger import LOST, LossLedger
from memdir.dream.sentence import lost_marks, marks_of
from memdir.dream.sources import Sources
from memdir.dream.statements import statements
from memdir.memories.change import Edit
from memdir.memories.contradiction.judge import contradicts_itself
from memdir.memories.review import MAX_DESCRIPTION
from memdir.memories.topic import Header, header_from
from memdir.text.frontmatter.header import parse

__all__ = ["header_objections", "inventions", "objections"]

_DECIDING = ("expires", "supersedes", "enforce", "pinned")
"""Keys that only a person sets or changes. Signing an edit puts a missing one back."""


def objections(
    edits: Sequence[Edit], ledger: LossLedger, sources: Sources, protected: Container[str], max_deletes: int
) -> Iterator[str]:
    """Yield what speaks against a patch, each as a sentence; nothing when it may be applied."""
    for edit in edits:
        if edit.file in protected:
            yield f"{edit.file} is pinned or holds rules, and would be changed."
    if lost := ledger.of(LOST):
        first = lost[0]
        count = "1 statement is" if len(lost) == 1 else f"{len(lost)} statements are"
        yield f"{count} unaccounted for, such as {first.statement.text[:120]!r} ({first.because})."
    removed = {edit.file for edit in edits if edit.verb == "forget"} | set(ledger.emptied)
    if len(removed) > max_deletes:
        yield f"{len(removed)} memories would go, and {max_deletes} is the most (dream.maxDeletes)."
    yield from _long(edits)
    yield from _contradictory(edits)
    for edit in edits:
        if edit.verb == "edit" and not _rests_on(edit, sources):
            yield f"{edit.file} would say what no memory and no log says."


def inventions(edits: Sequence[Edit], sources: Sources) -> list[Edit]:
    """Return the new memories that rest on nothing that was known."""
    return [edit for edit in edits if edit.before is None and not _rests_on(edit, sources)]


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


def _rests_on(edit: Edit, sources: Sources) -> bool:
    before = {one.key for one in statements(edit.file, edit.before or "")}
    new = [one for one in statements(edit.file, edit.after or "") if one.key not in before]
    return all(sources.bear(one.text, one.above) for one in new)


def _long(edits: Sequence[Edit]) -> Iterator[str]:
    for edit in edits:
        if edit.after is None:
            continue
        about, was = _about(edit.file, edit.after), _about(edit.file, edit.before or "")
        if len(about) > MAX_DESCRIPTION and about != was:
            yield f"{edit.file} has a description of {len(about)} characters; {MAX_DESCRIPTION} is the most."


def _contradictory(edits: Sequence[Edit]) -> Iterator[str]:
    """Object to a memory that contradicts itself, unless one of the old texts did so already."""
    if any(contradicts_itself(_body(edit.before)) for edit in edits if edit.before):
        return
    for edit in edits:
        if because := contradicts_itself(_body(edit.after)) if edit.after else "":
            yield f"{edit.file} would say two things that may contradict each other ({because})."


def _body(text: str) -> str:
    return text[parse(text).body :]


def _about(file: str, text: str) -> str:
    return header_from(file, text, _EPOCH).description


def _description(before: Header, after: Header, sources: Sources) -> Iterator[str]:
    old, new = marks_of(before.description), marks_of(after.description)
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
