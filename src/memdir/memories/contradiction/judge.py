"""Whether two memories may contradict each other: they say different things about the same thing.

A memory is read as its first statements. Each statement of the one is compared with each of the other:

1. one takes back what the other says ("no longer on Tuesdays");
2. both say the same but for one value, of which there can be one only (a day, a number, a name, a tool);
3. one says that a thing has ended, and the other builds on it ("EMR is switched off");
4. both say it in other words (`paraphrase.py`).

Two things that merely look alike ("the API timeout", "the database timeout") differ in more than the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product, starmap

from memdir.memories.contradiction.paraphrase import judge_paraphrase
from memdir.memories.contradiction.statement import (
    ARTICLES,
    COPULAS,
    PLACING,
    Statement,
    Word,
    quote,
    statements,
)
from memdir.memories.contradiction.values import TABLE

__all__ = ["contradicts_itself", "may_contradict"]

_OPENING = 2
"""Statements of a memory that say what it is about."""
_FEW = 2
"""Words that a statement may have besides the name of what is gone."""
_LONGEST_RUN = 4
"""Words in which two statements that are otherwise the same may differ."""
_OFTEN_SEVERAL = ("amount", "date", "address")
"""Kinds of values of which a memory may hold many, each for another thing."""
_PRECISE = ("amount", "date", "day", "time")
"""Kinds of values of which a thing has one, however few words say which thing it is."""
_OWNING, _NUMBERED = (frozenset(TABLE[name][0].split()) for name in ("owning", "numbered"))


def may_contradict(one: str, two: str, *, sure: bool = False) -> str:
    """Return how two texts may contradict each other, in words; empty when nothing says so.

    With `sure` both have to say it in nearly the same words: nine in ten such findings are right, and every
    second one of the others. That is enough for a hint, and too little for leaving a memory out.
    """
    first, second = statements(one), statements(two)
    here, there = _environments(first[:1]), _environments(second[:1])
    if here and there and here.isdisjoint(there):
        return ""  # what holds in staging need not hold in production
    because = _first_reason(_judge_same_words, product(first, second))
    because = because or _judge_end(first, second) or _judge_end(second, first)
    if because or sure:
        return because
    return _first_reason(judge_paraphrase, product(_opening(one), _opening(two)))


def contradicts_itself(text: str) -> str:
    """Return how two statements of one text may contradict each other; empty when nothing says so."""
    return _first_reason(_judge_any_words, combinations(statements(text), 2))


def _first_reason(
    judge: Callable[[Statement, Statement], str], pairs: Iterable[tuple[Statement, Statement]]
) -> str:
    return next(filter(None, starmap(judge, pairs)), "")


def _environments(found: Sequence[Statement]) -> set[str]:
    return {word.stem for statement in found for word in statement.words if word.kind == "environment"}


def _opening(text: str) -> list[Statement]:
    """Return the statements that say what a text is about, and the clauses of its first line."""
    whole, line = statements(text)[:_OPENING], text.partition("\n")[0]
    if ", " not in line or any(statement.adds for statement in whole):
        return [*whole]
    return [*whole, *statements(line.replace(", ", "; "))[:_OPENING]]


def _judge_any_words(one: Statement, two: Statement) -> str:
    return _judge_same_words(one, two) or judge_paraphrase(one, two)


def _judge_same_words(one: Statement, two: Statement) -> str:
    if because := _judge_withdrawal(one, two) or _judge_withdrawal(two, one):
        return because
    if one.denies or two.denies or one.adds or two.adds:
        return ""  # two bans do not exclude each other, nor do two additions
    ordered = any(word.link == "over" for word in (*one.words, *two.words))
    if ordered and one.stems != two.stems and sorted(one.stems) == sorted(two.stems):
        return "the other way round"  # "tabs over spaces", "spaces over tabs"
    return _judge_values(one, two)


def _judge_withdrawal(new: Statement, old: Statement) -> str:
    """Judge "no longer on Tuesdays", "instead of webpack" against a statement that says just that."""
    if old.denies:
        return ""
    kinds = {word.kind for word in new.words} - {""}
    for phrase in filter(None, new.taken_back):
        gone, last = set(phrase), old.words[-1]
        withdrawn = [word for word in old.words if word.stem in gone]
        rest, about = set(old.stems) - gone, set(new.stems) - gone
        same_thing = not rest or not about or rest & about
        replaced = any(word.kind in kinds for word in withdrawn) or (last.name and last.stem == phrase[-1])
        if gone.issubset(old.stems) and (same_thing or replaced):
            return f"{quote(withdrawn)} is taken back"
    return ""


def _judge_end(new: Sequence[Statement], old: Sequence[Statement]) -> str:
    """Judge "EMR is switched off" against the first words of a memory that builds on it."""
    known = {stem for statement in new for stem in statement.stems}
    names = [name for statement in new for name in statement.ended_names]
    for name, statement in product(names, old[:_OPENING]):
        if statement.denies or statement.ended_names or name not in statement.stems:
            continue
        about = set(statement.stems) - {name}
        if about & known or len(about) <= _FEW or name == statement.stems[0]:
            return f"{quote([word for word in statement.words if word.stem == name][:1])} is gone"
    phrases = [frozenset(phrase) for statement in new[:_OPENING] for phrase in statement.ended if phrase]
    for statement, phrase in product(old[:_OPENING], phrases):
        begins = statement.stems[0] in phrase or len(phrase) > 1
        if begins and not statement.ended and phrase.issubset(statement.stems):
            return f"{quote(word for word in statement.words if word.stem in phrase)} is gone"
    return ""


def _judge_values(one: Statement, two: Statement) -> str:
    """Judge two statements that are the same but for one run of words."""
    first, second = one.stems, two.stems
    start = _count_alike(first, second)
    end = min(_count_alike(first[::-1], second[::-1]), len(first) - start, len(second) - start)
    mine, other = one.words[start : len(first) - end], two.words[start : len(second) - end]
    if not mine or not other or max(len(mine), len(other)) > _LONGEST_RUN:
        return ""
    because = f"{quote(mine)} or {quote(other)}"
    if len(first) == len(second) == 1:  # "I prefer tabs"
        kind = mine[0].kind
        return because if kind and kind == other[0].kind and not kind.startswith(_OFTEN_SEVERAL) else ""
    if not start and not end:
        return ""
    # The small words around the run may differ, so both have to leave room for one only.
    here = _exclude(mine, other, one.words[:start], one.words[len(first) - end :])
    there = _exclude(other, mine, two.words[:start], two.words[len(second) - end :])
    return because if here and there else ""


def _count_alike(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many words two lists begin with alike."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))


def _exclude(
    mine: Sequence[Word], other: Sequence[Word], before: Sequence[Word], after: Sequence[Word]
) -> bool:
    """Tell whether only one of two runs can hold where they stand."""
    run = (*mine, *other)
    if all(word.value for word in run):  # of one kind they exclude each other, unless one set holds the other
        first, second = ({word.value for word in words} for words in (mine, other))
        same_kinds = {word.kind for word in mine} == {word.kind for word in other}
        return same_kinds and not (first <= second or second <= first) and not _are_numbers_of(before)
    if any(word.kind.startswith(_PRECISE) for word in run):
        return False  # "3 in the client", "10 in the worker": not the value alone is another
    if not before:
        owns = bool(after) and (after[0].stem in _OWNING or after[0].link in ARTICLES)
        return owns and len(mine) == len(other) == 1 and mine[0].name and other[0].name
    if any(word.link for word in (*mine[1:], *other[1:])):
        return False  # more than a name differs
    return _fill_one_place(mine[0], other[0], before, few=len(after) <= 1)


def _fill_one_place(one: Word, two: Word, before: Sequence[Word], *, few: bool) -> bool:
    """Tell whether two words stand where there is one only: "the provider is …", "… are kept in …"."""
    links, named = {word.link or before[-1].link for word in (one, two)}, one.name and two.name
    if links <= COPULAS | ARTICLES:
        return named and (len(before) > 1 or before[0].link in ARTICLES)
    return few and len(links) == 1 and links <= PLACING and (len(before) > 1 or named)


def _are_numbers_of(words: Sequence[Word]) -> bool:
    """Tell whether a number numbers things of which there are many: version 2, sprint 12."""
    pairs = zip(words, [*words[1:], None], strict=False)
    return any(one.stem in _NUMBERED and (two is None or two.value) for one, two in pairs)
