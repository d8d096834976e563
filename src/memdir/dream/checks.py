"""The machine's checks of a dream: what speaks against applying a patch without asking a person."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from memdir.dream.ledger import LOST, Ledger
from memdir.dream.sources import Sources
from memdir.dream.statements import statements
from memdir.memories.contradiction.judge import contradicts_itself
from memdir.memories.review import MAX_DESCRIPTION
from memdir.memories.topic import header_from
from memdir.text.frontmatter.header import parse
from memdir.text.value import value_class
from memdir.workers.workbench import Wish

__all__ = ["Rules", "inventions", "objections"]


@value_class(frozen=True, slots=True)
class Rules:
    """What a patch is held to."""

    max_deletes: int = 10
    protected: frozenset[str] = frozenset()
    """Memories that a person pinned or that hold rules: they are never touched."""


def objections(wishes: Sequence[Wish], ledger: Ledger, rules: Rules, sources: Sources) -> list[str]:
    """Return what speaks against a patch, each as a sentence; nothing when it may be applied."""
    return [
        *_protected(wishes, rules),
        *_unaccounted(ledger),
        *_removed(wishes, ledger, rules),
        *_long(wishes),
        *_saying_both(wishes),
        *(f"{wish.file} would say what no memory and no log says." for wish in _edited(wishes, sources)),
    ]


def inventions(wishes: Sequence[Wish], sources: Sources) -> list[Wish]:
    """Return the new memories that rest on nothing that was known."""
    return [wish for wish in wishes if wish.was is None and not _rests_on(wish, sources)]


def _edited(wishes: Sequence[Wish], sources: Sources) -> list[Wish]:
    return [wish for wish in wishes if wish.verb == "edit" and not _rests_on(wish, sources)]


def _rests_on(wish: Wish, sources: Sources) -> bool:
    before = {one.key for one in statements(wish.file, wish.was or "")}
    new = [one for one in statements(wish.file, wish.text or "") if one.key not in before]
    return all(sources.bear(one.text, one.above) for one in new)


def _protected(wishes: Sequence[Wish], rules: Rules) -> Iterator[str]:
    for wish in wishes:
        if wish.file in rules.protected:
            yield f"{wish.file} is pinned or holds rules, and would be changed."


def _unaccounted(ledger: Ledger) -> Iterator[str]:
    if lost := ledger.of(LOST):
        first = lost[0]
        count = "1 statement is" if len(lost) == 1 else f"{len(lost)} statements are"
        yield f"{count} unaccounted for, such as {first.statement.text[:120]!r} ({first.because})."


def _removed(wishes: Sequence[Wish], ledger: Ledger, rules: Rules) -> Iterator[str]:
    removed = {wish.file for wish in wishes if wish.verb == "forget"} | set(ledger.emptied)
    if len(removed) > rules.max_deletes:
        yield f"{len(removed)} memories would go, and {rules.max_deletes} is the most (dream.maxDeletes)."


def _long(wishes: Sequence[Wish]) -> Iterator[str]:
    for wish in wishes:
        if wish.text is None:
            continue
        about, was = _about(wish.file, wish.text), _about(wish.file, wish.was or "")
        if len(about) > MAX_DESCRIPTION and about != was:
            yield f"{wish.file} has a description of {len(about)} characters; {MAX_DESCRIPTION} is the most."


def _saying_both(wishes: Sequence[Wish]) -> Iterator[str]:
    """Object to a memory that states two things of which only one can hold, where none stated both before."""
    if any(contradicts_itself(_body(wish.was)) for wish in wishes if wish.was):
        return
    for wish in wishes:
        if because := contradicts_itself(_body(wish.text)) if wish.text else "":
            yield f"{wish.file} would say two things that may contradict each other ({because})."


def _body(text: str) -> str:
    return text[parse(text).body :]


def _about(file: str, text: str) -> str:
    return header_from(file, text, datetime.fromtimestamp(0, UTC)).description
