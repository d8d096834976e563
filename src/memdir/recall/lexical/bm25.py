"""How well the words of a query fit each document of a store: BM25 over the passages of each.

A document fits as well as the best of its passages, each of which has name and description as its head: one
paragraph that answers is worth more than ten that touch the subject. The words of the passages that fit
best are then asked for too, because people ask in other words than they wrote.

A score is 0.0 where nothing fits; its scale depends on the query.

A host waits for this module: it imports late and does without `typing`.
"""

import math

from memdir.recall.lexical.terms import terms
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from memdir.recall.lexical.statistics import Statistics

    Marks = list[float] | array[float]
    Numbers = list[int] | array[int]


__all__ = ["MANY", "Fit", "Overlap", "alike", "fit", "overlaps", "rooms_of", "share_of_best"]


@value_class(frozen=True, slots=True)
class Overlap:
    """What one document shares with a query."""

    coverage: float = 0.0
    """The share of what the query's terms are worth together."""
    rarest: float = 0.0
    """What the rarest shared term is worth."""
    second: float = 0.0
    """What the second rarest is worth."""
    count: int = 0
    """Different terms that are shared."""
    size: int = 0
    """Different terms of the document."""


def overlaps(texts: "Statistics", query: str, places: "Sequence[int]") -> list[Overlap]:
    """Return what these documents share with a query."""
    worth = {term: rarity(texts, term, texts.among(term)) for term in set(terms(query))}
    total = sum(worth.values()) or 1.0
    found = []
    for place in places:
        mine = terms_of_document(texts, place)
        shared = sorted([worth[term] for term in worth.keys() & mine], reverse=True)
        rarest, second, *_ = *shared, 0.0, 0.0
        found.append(Overlap(sum(shared) / total, rarest, second, len(shared), len(mine)))
    return found


def share_of_best(score: float, asked: int, documents: int) -> float:
    """Return a BM25 score as a share of what a text with all terms would get if no other had them."""
    return score / (max(1, asked) * math.log((max(SMALLEST, documents) + 1) / 1.5))


SMALLEST = 50
"""Passages that a store counts as having at least: with three, a word that all have would count nothing."""

MANY = 2_000
"""Passages from which numbers lie in arrays: they are read faster there, but it takes longer to make them."""

_K1, _B = 0.9, 0.6
"""How soon repetition stops counting, and how much length counts; any .6 to 1.6 and .4 to .75 do as well."""

_LONGEST_QUERY = 8192
"""Characters of a query that are read: of a pasted log, where it begins and where it ends."""

_EVERYDAY_WEIGHT = 0.5

_MOST_COMMON = 5
"""A word counts as if no more than one passage in so many had it: a whole store may be about one subject."""

_BEST, _GOOD = 10, 0.3
"""Passages whose words widen a query, at most; each fits at least so well, measured by the best."""

_ADDED, _ADDED_WEIGHT = 20, 0.5
"""Words that are added, and what the best of them counts."""

_FEW, _COMMON = 5, 10
"""Words in one passage of so many are not worth adding, except in a store of a few passages."""


@value_class(frozen=True, slots=True)
class Fit:
    """How well the words of a query fit documents."""

    scores: list[float]
    """Of each document, by its place."""
    plain: list[float]
    """The same before further words were asked for: it alone says how well the query itself fits."""
    terms: int
    """Different terms of the query."""


def fit(texts: "Statistics", query: str, *, widen: bool = True) -> Fit:
    """Return how well each document fits; without `widen` only the words of the query itself count."""
    asked: dict[str, float] = {}
    for term in terms(_ends(query)):
        asked[term] = asked.get(term, 0.0) + 1.0
    marks = _zeros(len(texts.rooms))
    _mark(texts, marks, asked)
    plain = _highest(texts, marks)
    best = max(marks, default=0.0)
    if not widen or not best:
        return Fit(plain, plain, len(asked))
    _mark(texts, marks, _akin(texts, marks, best))
    return Fit(_highest(texts, marks), plain, len(asked))


def alike(texts: "Statistics", places: "Sequence[int]", least: float = 0.0) -> list[list[float]]:
    """Return for each two of these documents which share of their terms both have, from `least` on."""
    found = [terms_of_document(texts, place) for place in places]
    shares = [[1.0] * len(found) for _ in found]
    for one, mine in enumerate(found):
        for other in range(one):
            shares[one][other] = shares[other][one] = _jaccard(mine, found[other], least)
    return shares


def rooms_of(lengths: "Sequence[float]") -> "Marks":
    """Return for passages of these lengths what each adds below the line of the formula."""
    finite = [length for length in lengths if length < math.inf]
    mean = sum(finite) / len(finite) if finite else 0.0
    rooms = _zeros(len(lengths))
    for number, length in enumerate(lengths):
        rooms[number] = _K1 * (1 - _B + _B * length / (mean or 1.0))
    return rooms


def terms_of_document(texts: "Statistics", place: int) -> set[str]:
    """Return the terms of one document."""
    starts = texts.starts
    end = starts[place + 1] if place + 1 < len(starts) else len(texts.owners)
    return set(" ".join(texts.passages[starts[place] : end]).split())


def _mark(texts: "Statistics", marks: "Marks", asked: dict[str, float]) -> None:
    """Add to the mark of each passage what these terms are worth in it."""
    rooms = texts.rooms
    for term, weight in asked.items():
        once, more = texts.places(term)
        worth = weight * rarity(texts, term, len(once) + len(more)) * (_K1 + 1)
        for number in once:
            marks[number] += worth / (1 + rooms[number])
        for number, times in more:
            marks[number] += worth * times / (times + rooms[number])


def rarity(texts: "Statistics", term: str, among: int) -> float:
    """Return what a term is worth that stands in so many passages."""
    size = max(SMALLEST, len(texts.rooms))
    among = min(among, size // _MOST_COMMON)
    rarity = math.log(1 + (size - among + 0.5) / (among + 0.5))
    return rarity * _EVERYDAY_WEIGHT if term in texts.everyday else rarity


def _akin(texts: "Statistics", marks: "Marks", highest: float) -> dict[str, float]:
    """Return further terms worth asking for: those that weigh most in the passages that fit best."""
    good = _GOOD * highest
    best = sorted([(mark, number) for number, mark in enumerate(marks) if mark > good], reverse=True)
    worth: dict[str, float] = {}
    for mark, number in best[:_BEST]:
        share, room = mark / highest, texts.rooms[number]
        for times, group in enumerate(texts.passages[number].split("\t"), 1):
            gain = share * times / (times + room)
            for term in group.split():
                worth[term] = worth.get(term, 0.0) + gain
    most = max(_FEW, len(marks) // _COMMON)
    weighed = [
        (gain * rarity(texts, term, among), term)
        for term, gain in worth.items()
        if (among := texts.among(term)) <= most
    ]
    added = sorted(weighed, reverse=True)[:_ADDED]
    return {term: _ADDED_WEIGHT * gain / added[0][0] for gain, term in added}


def _highest(texts: "Statistics", marks: "Marks") -> list[float]:
    """Return of each document the mark of its best passage."""
    best = [0.0] * len(texts.starts)
    for owner, mark in zip(texts.owners, marks, strict=True):
        if mark > best[owner]:  # noqa: PLR1730 - calling max for each would take three times as long
            best[owner] = mark
    return best


def _ends(query: str) -> str:
    half = _LONGEST_QUERY // 2
    return query if len(query) <= _LONGEST_QUERY else f"{query[:half]} {query[-half:]}"


def _jaccard(mine: set[str], others: set[str], least: float) -> float:
    if min(len(mine), len(others)) < least * max(len(mine), len(others)):
        return 0.0  # one is so much shorter that nothing more need be counted
    both = len(mine & others)
    return both / (len(mine) + len(others) - both or 1)


def _zeros(count: int) -> "Marks":
    """Return as many numbers, all 0.0, to be added to."""
    if count <= MANY:
        return [0.0] * count
    from array import array

    return array("d", bytes(8 * count))
