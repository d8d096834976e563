"""How well the words of a query fit each document of a store: BM25 over the passages of each.

A document fits as well as the best of its passages, each of which has name and description as its head: one
paragraph that answers is worth more than ten that touch the subject. The words of the passages that fit
best are then asked for too, because people ask in other words than they wrote.

`Profile.of` is the slow part, depends on one document alone, and is what a store keeps. A score is 0.0 where
nothing fits; its scale depends on the query.

A host waits for this module: it imports late and does without `typing`.
"""

import math
from collections import defaultdict

from memdir.recall.lexical.terms import everyday_terms, terms
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence

    Marks = list[float] | array[float]
    Numbers = list[int] | array[int]

__all__ = ["Fit", "Overlap", "Profile", "Statistics", "share_of_best"]

_SMALLEST = 50
"""Passages that a store counts as having at least: with three, a word that all have would count nothing."""

_MANY = 2_000
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

_NAME_WEIGHT = 2
_PASSAGE = 40
"""Terms of a passage, about sixty words."""

_MOST_TIMES = 16
"""Repetitions of a term that are counted: the next one would hardly change a score."""


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


@value_class(frozen=True, slots=True)
class Fit:
    """How well the words of a query fit documents."""

    scores: list[float]
    """Of each document, by its place."""
    plain: list[float]
    """The same before further words were asked for: it alone says how well the query itself fits."""
    terms: int
    """Different terms of the query."""


@value_class(frozen=True, slots=True)
class Profile:
    """The terms of one document, passage by passage."""

    passages: tuple[str, ...]
    """Each its length and then groups of terms that stand in it once, twice, and so on, parted by tabs."""

    @classmethod
    def of(cls, name: str, description: str, body: str = "") -> "Profile":
        """Read the words of a document; a long text belongs into `body`, which is cut into passages."""
        head = terms(name) * _NAME_WEIGHT + terms(description)
        return cls(tuple(_group_by_count(head + piece) for piece in _pieces(body)))


class Statistics:
    """The terms of many documents, ready for queries; documents may come and go."""

    def __init__(self) -> None:
        """Begin without a document."""
        self._passages: list[str] = []
        """Groups of terms that stand in a passage once, twice, and so on, parted by tabs."""
        self._lengths: list[float] = []
        """Of each passage in terms; infinite, so that nothing in it counts, once its document was dropped."""
        self._rooms: Marks = []
        """What the length of each passage adds below the line of the formula."""
        self._owners: list[int] = []
        """The place of the document of each passage."""
        self._starts: list[int] = []
        """The first passage of each document."""
        self.dropped = self._noted = 0
        """Documents that no longer count but still take room; passages whose terms were taken in."""
        self._once: defaultdict[str, Numbers] = defaultdict(list)
        """The passages that have a term once."""
        self._more: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        """Those that have it more often, with how often."""

    @classmethod
    def of(cls, profiles: "Iterable[Profile]") -> "Statistics":
        """Return the statistics of these documents, their places counted from 0."""
        statistics = cls()
        for profile in profiles:
            statistics.add(profile)
        return statistics

    def add(self, profile: Profile) -> int:
        """Take in one more document and return its place in the scores."""
        place = len(self._starts)
        self._starts.append(len(self._owners))
        for passage in profile.passages:
            length, _, groups = passage.partition("\t")
            self._passages.append(groups)
            self._lengths.append(int(length))
            self._owners.append(place)
        self._rooms = []
        return place

    def drop(self, place: int) -> None:
        """Give up one document: its score is 0.0 from now on."""
        for number in range(*self._bounds(place)):
            self._lengths[number] = math.inf
        self._rooms = []
        self.dropped += 1

    def note(self) -> None:
        """Take in the passages that came since the last time."""
        once, more = self._once, self._more
        if len(self._passages) > _MANY:
            from array import array

            once.default_factory = lambda: array("i")
        for number in range(self._noted, len(self._passages)):
            first, *others = self._passages[number].split("\t")
            for term in first.split():
                once[term].append(number)
            for times, group in enumerate(others, 2):
                for term in group.split():
                    more[term].append((number, times))
        self._noted = len(self._passages)

    def score(self, query: str, *, widen: bool = True) -> Fit:
        """Return how well each document fits; without `widen` only the words of the query itself count."""
        self.note()
        self._rooms = self._rooms or _rooms_of(self._lengths)
        half = _LONGEST_QUERY // 2
        query = query if len(query) <= _LONGEST_QUERY else f"{query[:half]} {query[-half:]}"
        asked: dict[str, float] = {}
        for term in terms(query):
            asked[term] = asked.get(term, 0.0) + 1.0
        marks = _zeros(len(self._passages))
        self._mark(marks, asked)
        plain = self._highest(marks)
        best = max(marks, default=0.0)
        if not widen or not best:
            return Fit(plain, plain, len(asked))
        self._mark(marks, self._akin(marks, best))
        return Fit(self._highest(marks), plain, len(asked))

    def overlaps(self, query: str, places: "Sequence[int]") -> list[Overlap]:
        """Return what these documents share with a query."""
        self.note()
        worth = {term: self._rarity(term) for term in set(terms(query))}
        total = sum(worth.values()) or 1.0
        found = []
        for place in places:
            mine = self._terms_of(place)
            shared = sorted([worth[term] for term in worth.keys() & mine], reverse=True)
            rarest, second, *_ = *shared, 0.0, 0.0
            found.append(Overlap(sum(shared) / total, rarest, second, len(shared), len(mine)))
        return found

    def similarities(self, places: "Sequence[int]", least: float = 0.0) -> list[list[float]]:
        """Return for each two of these documents which share of their terms both have, from `least` on."""
        found = [self._terms_of(place) for place in places]
        shares = [[1.0] * len(found) for _ in found]
        for one, mine in enumerate(found):
            for other, others in enumerate(found[:one]):
                share = 0.0  # also where one is so much shorter that nothing need be counted
                if min(len(mine), len(others)) >= least * max(len(mine), len(others)):
                    both = len(mine & others)
                    share = both / (len(mine) + len(others) - both or 1)
                shares[one][other] = shares[other][one] = share
        return shares

    def _bounds(self, place: int) -> tuple[int, int]:
        """Return where the passages of a document begin and end."""
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._owners)
        return self._starts[place], end

    def _terms_of(self, place: int) -> set[str]:
        begin, end = self._bounds(place)
        return set(" ".join(self._passages[begin:end]).split())

    def _among(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return len(self._once.get(term, ())) + len(self._more.get(term, ()))

    def _rarity(self, term: str) -> float:
        """Return what a term is worth."""
        size = max(_SMALLEST, len(self._passages))
        among = min(self._among(term), size // _MOST_COMMON)
        rarity = math.log(1 + (size - among + 0.5) / (among + 0.5))
        return rarity * _EVERYDAY_WEIGHT if term in everyday_terms() else rarity

    def _mark(self, marks: "Marks", asked: dict[str, float]) -> None:
        """Add to the mark of each passage what these terms are worth in it."""
        rooms = self._rooms
        for term, weight in asked.items():
            worth = weight * self._rarity(term) * (_K1 + 1)
            for number in self._once.get(term, ()):
                marks[number] += worth / (1 + rooms[number])
            for number, times in self._more.get(term, ()):
                marks[number] += worth * times / (times + rooms[number])

    def _akin(self, marks: "Marks", highest: float) -> dict[str, float]:
        """Return further terms worth asking for: those that weigh most in the passages that fit best."""
        good = _GOOD * highest
        best = sorted([(mark, number) for number, mark in enumerate(marks) if mark > good], reverse=True)
        worth: dict[str, float] = {}
        for mark, number in best[:_BEST]:
            share, room = mark / highest, self._rooms[number]
            for times, group in enumerate(self._passages[number].split("\t"), 1):
                gain = share * times / (times + room)
                for term in group.split():
                    worth[term] = worth.get(term, 0.0) + gain
        most = max(_FEW, len(marks) // _COMMON)
        weighed = [
            (gain * self._rarity(term), term) for term, gain in worth.items() if self._among(term) <= most
        ]
        added = sorted(weighed, reverse=True)[:_ADDED]
        return {term: _ADDED_WEIGHT * gain / added[0][0] for gain, term in added}

    def _highest(self, marks: "Marks") -> list[float]:
        """Return of each document the mark of its best passage."""
        best = [0.0] * len(self._starts)
        for owner, mark in zip(self._owners, marks, strict=True):
            if mark > best[owner]:  # noqa: PLR1730 - calling max for each would take three times as long
                best[owner] = mark
        return best


def share_of_best(score: float, asked: int, documents: int) -> float:
    """Return a BM25 score as a share of what a text with all terms would get if no other had them."""
    return score / (max(1, asked) * math.log((max(_SMALLEST, documents) + 1) / 1.5))


def _rooms_of(lengths: "Sequence[float]") -> "Marks":
    """Return for passages of these lengths what each adds below the line of the formula."""
    finite = [length for length in lengths if length < math.inf]
    mean = sum(finite) / len(finite) if finite else 0.0
    rooms = _zeros(len(lengths))
    for number, length in enumerate(lengths):
        rooms[number] = _K1 * (1 - _B + _B * length / (mean or 1.0))
    return rooms


def _zeros(count: int) -> "Marks":
    """Return as many numbers, all 0.0, to be added to."""
    if count <= _MANY:
        return [0.0] * count
    from array import array

    return array("d", bytes(8 * count))


def _pieces(body: str) -> list[list[str]]:
    """Return the terms of a body in passages that end where a sentence does; at least one, maybe empty."""
    pieces: list[list[str]] = [[]]
    for line in body.split("\n"):
        for sentence in line.replace("? ", ". ").replace("! ", ". ").split(". "):
            if len(pieces[-1]) >= _PASSAGE:
                pieces.append([])
            pieces[-1] += terms(sentence)
    return pieces if pieces[-1] or len(pieces) == 1 else pieces[:-1]


def _group_by_count(found: "Sequence[str]") -> str:
    """Write the terms of a passage once each, grouped by how often they stand in it."""
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = min(_MOST_TIMES, counts.get(term, 0) + 1)
    groups: list[list[str]] = [[] for _ in range(max(counts.values(), default=1))]
    for term, count in counts.items():
        groups[count - 1].append(term)
    return "\t".join([str(sum(counts.values())), *(" ".join(group) for group in groups)])
