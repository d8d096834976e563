"""The machine's checks of a dream: what speaks against applying a patch without asking a person."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from memdir.dream.ledger import LOST, Ledger
from memdir.dream.sources import Sources
from memdir.dream.statements import statements
from memdir.memories.change import Edit
from memdir.memories.contradiction.judge import contradicts_itself
from memdir.memories.review import MAX_DESCRIPTION
from memdir.memories.topic import header_from
from memdir.text.frontmatter.header import parse
from memdir.text.value import value_class

__all__ = ["Rules", "inventions", "objections"]


@value_class(frozen=True, slots=True)
class Rules:
    """What a patch is held to."""

    max_deletes: int = 10
    protected: frozenset[str] = frozenset()
    """Memories that a person pinned or that hold rules: they are never touched."""


def objections(edits: Sequence[Edit], ledger: Ledger, rules: Rules, sources: Sources) -> list[str]:
    """Return what speaks against a patch, each as a sentence; nothing when it may be applied."""
    return [
        *_protected(edits, rules),
        *_unaccounted(ledger),
        *_removed(edits, ledger, rules),
        *_long(edits),
        *_saying_both(edits),
        *(f"{edit.file} would say what no memory and no log says." for edit in _edited(edits, sources)),
    ]


def inventions(edits: Sequence[Edit], sources: Sources) -> list[Edit]:
    """Return the new memories that rest on nothing that was known."""
    return [edit for edit in edits if edit.before is None and not _rests_on(edit, sources)]


def _edited(edits: Sequence[Edit], sources: Sources) -> list[Edit]:
    return [edit for edit in edits if edit.verb == "edit" and not _rests_on(edit, sources)]


def _rests_on(edit: Edit, sources: Sources) -> bool:
    before = {one.key for one in statements(edit.file, edit.before or "")}
    new = [one for one in statements(edit.file, edit.after or "") if one.key not in before]
    return all(sources.bear(one.text, one.above) for one in new)


def _protected(edits: Sequence[Edit], rules: Rules) -> Iterator[str]:
    for edit in edits:
        if edit.file in rules.protected:
            yield f"{edit.file} is pinned or holds rules, and would be changed."


def _unaccounted(ledger: Ledger) -> Iterator[str]:
    if lost := ledger.of(LOST):
        first = lost[0]
        count = "1 statement is" if len(lost) == 1 else f"{len(lost)} statements are"
        yield f"{count} unaccounted for, such as {first.statement.text[:120]!r} ({first.because})."


def _removed(edits: Sequence[Edit], ledger: Ledger, rules: Rules) -> Iterator[str]:
    removed = {edit.file for edit in edits if edit.verb == "forget"} | set(ledger.emptied)
    if len(removed) > rules.max_deletes:
        yield f"{len(removed)} memories would go, and {rules.max_deletes} is the most (dream.maxDeletes)."


def _long(edits: Sequence[Edit]) -> Iterator[str]:
    for edit in edits:
        if edit.after is None:
            continue
        about, was = _about(edit.file, edit.after), _about(edit.file, edit.before or "")
        if len(about) > MAX_DESCRIPTION and about != was:
            yield f"{edit.file} has a description of {len(about)} characters; {MAX_DESCRIPTION} is the most."


def _saying_both(edits: Sequence[Edit]) -> Iterator[str]:
    """Object to a memory that states two things of which only one can hold, where none stated both before."""
    if any(contradicts_itself(_body(edit.before)) for edit in edits if edit.before):
        return
    for edit in edits:
        if because := contradicts_itself(_body(edit.after)) if edit.after else "":
            yield f"{edit.file} would say two things that may contradict each other ({because})."


def _body(text: str) -> str:
    return text[parse(text).body :]


def _about(file: str, text: str) -> str:
    return header_from(file, text, datetime.fromtimestamp(0, UTC)).description
