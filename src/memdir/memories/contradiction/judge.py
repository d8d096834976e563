"""Whether two memories may contradict each other: one says of a thing what the other says otherwise.

Two statements about the same thing that differ in one value (a day, a number, a name, a tool), or of which
one denies what the other says, takes it back in so many words ("no longer on Tuesdays"), or announces a
change in words of its own ("moved to Leipzig"). Two things that merely look alike ("the API timeout",
"the database timeout") differ in more than the value.
"""

from collections.abc import Sequence
from itertools import product

from memdir.memories.contradiction.paraphrase import judge_paraphrase
from memdir.memories.contradiction.statement import ARTICLES, COPULAS, PLACING, Statement, Word, statements

__all__ = ["contradicts_itself", "may_contradict"]

_FIRST = 2
"""Statements of a memory that say what it is about."""
_ADDED = 2
"""Words that a memory may say besides what is gone or taken back."""
_RUN = 4
"""Words of the run in which two statements may differ."""
_MANY = ("amount", "date", "address")
"""Kinds of values of which a memory may hold many, each for another thing."""
_PRECISE = ("amount", "date", "day", "time")
"""Kinds of values of which a thing has one, however few words say which thing it is."""
_OWNING = frozenset(["own", "lead", "maintain", "manag", "head"])
_NUMBERED = frozenset(
    "version phase step sprint mileston stage chapter adr rfc pr issu ticket part q".split()  # noqa: SIM905
)


def may_contradict(one: str, two: str, *, sure: bool = False) -> str:
    """Return how two texts may contradict each other, in words; empty when nothing says so.

    With `sure` both have to say it in nearly the same words: nine in ten such findings are right, and every
    second one of the others. That is enough for a hint, and too little for leaving a memory out.
    """
    first, second = statements(one), statements(two)
    here, there = _environments(first[:1]), _environments(second[:1])
    if here and there and here.isdisjoint(there):
        return ""  # what holds in staging need not hold in production
    plain = (because for pair in product(first, second) if (because := _judge(*pair)))
    if because := next(plain, "") or _judge_end(first, second) or _judge_end(second, first):
        return because
    if sure:
        return ""
    pairs = product((*first[:_FIRST], *_clauses(one)), (*second[:_FIRST], *_clauses(two)))
    return next((because for pair in pairs if (because := judge_paraphrase(*pair))), "")


def contradicts_itself(text: str) -> str:
    """Return how two statements of one text may contradict each other; empty when nothing says so."""
    found = statements(text)
    pairs = ((mine, other) for at, mine in enumerate(found) for other in found[at + 1 :])
    return next((because for pair in pairs if (because := _judge(*pair) or judge_paraphrase(*pair))), "")


def _clauses(text: str) -> tuple[Statement, ...]:
    """Return the first parts of a text that commas part, where it has any."""
    line = text.partition("\n")[0]
    if ", " not in line or any(one.adds for one in statements(text)[:_FIRST]):
        return ()
    return statements(line.replace(", ", "; "))[:_FIRST]


def _environments(found: Sequence[Statement]) -> set[str]:
    words = (word for one in found for word in one.words)
    return {word.stem for word in words if word.value and word.value.kind == "environment"}


def _judge(one: Statement, two: Statement) -> str:
    if because := _judge_withdrawal(one, two) or _judge_withdrawal(two, one):
        return because
    if one.denies or two.denies or one.adds or two.adds:
        return ""  # two things that must not be, or are so besides, do not exclude each other
    ordered = any(word.link == "over" for word in (*one.words, *two.words))
    if ordered and one.stems != two.stems and sorted(one.stems) == sorted(two.stems):
        return "the other way round"  # "tabs over spaces", "spaces over tabs"
    return _judge_values(one, two)


def _judge_withdrawal(new: Statement, old: Statement) -> str:
    """Judge "no longer on Tuesdays", "instead of webpack" against a statement that says just that."""
    if old.denies:
        return ""
    said, kinds = set(old.stems), {word.value.kind for word in new.words if word.value}
    for gone in new.taken_back:
        rest, about = said - set(gone), set(new.stems) - set(gone)
        rival = any(word.stem in gone and word.value and word.value.kind in kinds for word in old.words)
        rival = rival or (bool(gone) and old.words[-1].stem == gone[-1] and old.words[-1].name)
        if gone and set(gone) <= said and (not rest or rest & about or not about or rival):
            return f"{_shown([word for word in old.words if word.stem in gone])} is taken back"
    return ""


def _judge_end(new: Sequence[Statement], old: Sequence[Statement]) -> str:
    """Judge "EMR is switched off" against the first words of a memory that builds on it."""
    known = {stem for one in new for stem in one.stems}
    for gone, other in product((name for one in new for name in one.ended), old[:_FIRST]):
        about = set(other.stems) - {gone}
        plain = not (other.denies or other.ended) and gone in other.stems
        if plain and (about & known or len(about) <= _ADDED or gone == other.stems[0]):
            return f"{_shown([word for word in other.words if word.stem == gone][:1])} is gone"
    ended = [frozenset(phrase) for one in new[:_FIRST] for phrase in one.over if phrase]
    for other, phrase in product(old[:_FIRST], ended):
        begins = other.stems[0] in phrase or len(phrase) > 1
        if begins and phrase <= set(other.stems) and not other.over:
            return f"{_shown([word for word in other.words if word.stem in phrase])} is gone"
    return ""


def _judge_values(one: Statement, two: Statement) -> str:
    """Judge two statements that are the same but for one run of words."""
    first, second = one.stems, two.stems
    start = _common(first, second)
    end = min(_common(first[::-1], second[::-1]), len(first) - start, len(second) - start)
    mine, other = one.words[start : len(first) - end], two.words[start : len(second) - end]
    because = f"{_shown(mine)} or {_shown(other)}"
    if len(first) == len(second) == 1 and not start:  # "I prefer tabs"
        kinds = [word.value.kind if word.value else "" for word in (*mine, *other)]
        return because if kinds[0] == kinds[1] != "" and not kinds[0].startswith(_MANY) else ""
    if not mine or not other or len(mine) > _RUN or len(other) > _RUN or not (start or end):
        return ""
    # The small words around the run may differ, so both have to leave room for one only.
    here = _exclude(mine, other, one.words[:start], one.words[len(first) - end :])
    there = _exclude(other, mine, two.words[:start], two.words[len(second) - end :])
    return because if here and there else ""


def _exclude(
    mine: Sequence[Word], other: Sequence[Word], before: Sequence[Word], after: Sequence[Word]
) -> bool:
    """Tell whether only one of two runs can hold where they stand."""
    values = [one.value for one in (*mine, *other)]
    if all(values):
        return _differ(mine, other) and not _is_numbered(before)
    if any(one is not None and one.kind.startswith(_PRECISE) for one in values):
        return False  # "3 in the client", "10 in the worker": not the value alone is another
    if not before:
        owns = bool(after) and (after[0].stem in _OWNING or after[0].link in ARTICLES)
        return owns and mine[0].name and other[0].name and len(mine) == len(other) == 1
    if any(one.link for one in (*mine[1:], *other[1:])):
        return False  # more than a name differs
    return _fills_one_place(mine[0], other[0], before, few=len(after) <= 1)


def _fills_one_place(one: Word, two: Word, before: Sequence[Word], *, few: bool) -> bool:
    """Tell whether two words stand where there is one only: "the provider is …", "… are kept in …"."""
    links, named = {word.link or before[-1].link for word in (one, two)}, one.name and two.name
    if links <= COPULAS | ARTICLES:
        return named and (len(before) > 1 or before[0].link in ARTICLES)
    return len(links) == 1 and links <= PLACING and (len(before) > 1 or named) and few


def _differ(mine: Sequence[Word], other: Sequence[Word]) -> bool:
    """Tell whether values of one kind exclude each other: no set of them holds the other."""
    first, second = ({one.value for one in words if one.value} for words in (mine, other))
    same = {one.kind for one in first} == {one.kind for one in second}
    return same and not (first <= second or second <= first)


def _is_numbered(words: Sequence[Word]) -> bool:
    """Tell whether a number numbers things of which there are many: version 2, sprint 12."""
    pairs = zip(words, [*words[1:], None], strict=False)
    return any(one.stem in _NUMBERED and (two is None or two.value) for one, two in pairs)


def _shown(words: Sequence[Word]) -> str:
    return f'"{" ".join(word.text for word in words)}"'


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many words two lists begin with alike."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))
