"""How well the words of a query fit each document of a store: BM25 over the passages of each.

Example: `statistics = Statistics.of([Profile.of(name, description, body), …])` takes plain texts, no files;
`statistics.fit(query).scores` has one number a document, in the same order.

A document fits as well as the best of its passages, each of which has name and description as its head: one
paragraph that answers is worth more than ten that touch the subject. The words of the passages that fit
best are then asked for too, because people ask in other words than they wrote.

`Profile.of` is the slow part, depends on one document alone, and is what a store keeps; a long text belongs
into `body`, where it is cut into passages. A score is 0.0 where nothing fits; its scale depends on the query.
"""

import math
from collections.abc import Iterable, Sequence
from heapq import nlargest

from memdir.core.value import value_class
from memdir.recall.postings import Postings, zeros
from memdir.recall.words import everyday_terms, terms

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.recall.postings import Marks

__all__ = ["SMALLEST", "Fit", "Profile", "Statistics"]

SMALLEST = 50
"""Passages that a store counts as having at least: with three, a word that all have would count nothing."""

_K1, _B = 0.9, 0.6
"""How soon repetition stops counting, and how much length counts; any .6 to 1.6 and .4 to .75 do as well."""

_NAME_WEIGHT = 2
_PASSAGE = 40
"""Terms of a passage, about sixty words."""

_MOST_TIMES = 16
"""Repetitions of a term that are counted: the next one would hardly change a score."""

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
class Profile:
    """The terms of one document, passage by passage."""

    passages: tuple[str, ...]
    """Each its length and then groups of terms that stand in it once, twice, and so on, parted by tabs."""

    @classmethod
    def of(cls, name: str, description: str, body: str = "") -> "Profile":
        """Read the words of a document."""
        head = terms(name) * _NAME_WEIGHT + terms(description)
        return cls(tuple(_grouped(head + piece) for piece in _pieces(body)))


@value_class(frozen=True, slots=True)
class Fit:
    """How well the words of a query fit documents."""

    scores: list[float]
    """Of each document, by its place."""
    terms: int
    """Different terms of the query."""
    best: float
    """The highest score before further words were asked for: it alone says how well the query itself fits."""


class Statistics:
    """The terms of many documents, ready for queries; documents may come and go."""

    def __init__(self) -> None:
        """Begin without a document."""
        self._postings = Postings()
        self._lengths: list[float] = []
        """Of each passage in terms; infinite, so that nothing in it counts, once its document was dropped."""
        self._owners: list[int] = []
        """The place of the document of each passage."""
        self._starts: list[int] = []
        """The first passage of each document."""
        self._rooms: Marks = []
        self.dropped = 0
        """Documents that no longer count but still take room."""

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> "Statistics":
        """Return the statistics of these documents, their places counted from 0."""
        statistics = cls()
        for profile in profiles:
            statistics.add(profile)
        return statistics

    def add(self, profile: Profile) -> int:
        """Take in one more document and return its place in the scores."""
        place = len(self._starts)
        self._starts.append(len(self._postings))
        for passage in profile.passages:
            length, _, groups = passage.partition("\t")
            self._postings.passages.append(groups)
            self._lengths.append(int(length))
            self._owners.append(place)
        self._rooms = []
        return place

    def drop(self, place: int) -> None:
        """Give up one document: its score is 0.0 from now on."""
        for number in range(self._starts[place], len(self._owners)):
            if self._owners[number] != place:
                break
            self._lengths[number] = math.inf
        self._rooms = []
        self.dropped += 1

    def fit(self, query: str, *, widen: bool = True) -> Fit:
        """Return how well each document fits; without `widen` only the words of the query itself count."""
        self._rooms = self._rooms or _rooms(self._lengths)
        asked: dict[str, float] = {}
        for term in terms(_ends(query)):
            asked[term] = asked.get(term, 0.0) + 1.0
        marks = zeros(len(self._rooms))
        self._mark(marks, asked)
        best = max(marks, default=0.0)
        if widen and best:
            self._mark(marks, self._akin(marks, best))
        return Fit(self._highest(marks), len(asked), best)

    def scores(self, query: str, *, widen: bool = True) -> list[float]:
        """Return only the scores."""
        return self.fit(query, widen=widen).scores

    def alike(self, places: Sequence[int]) -> list[list[float]]:
        """Return for each two of these documents which share of their terms both have."""
        found = [self._terms(place) for place in places]
        shares = [[1.0] * len(found) for _ in found]
        for one, mine in enumerate(found):
            for other in range(one):
                shares[one][other] = shares[other][one] = _shared(mine, found[other])
        return shares

    def _terms(self, place: int) -> set[str]:
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._owners)
        return set(" ".join(self._postings.passages[self._starts[place] : end]).split())

    def _mark(self, marks: "Marks", asked: dict[str, float]) -> None:
        """Add to the mark of each passage what these terms are worth in it."""
        rooms = self._rooms
        for term, weight in asked.items():
            worth = weight * self._rarity(term) * (_K1 + 1)
            once, more = self._postings.places(term)
            for number in once:
                marks[number] += worth / (1 + rooms[number])
            for number, times in more:
                marks[number] += worth * times / (times + rooms[number])

    def _rarity(self, term: str) -> float:
        size = max(SMALLEST, len(self._postings))
        among = min(self._postings.among(term), size // _MOST_COMMON)
        rarity = math.log(1 + (size - among + 0.5) / (among + 0.5))
        return rarity * _EVERYDAY_WEIGHT if term in everyday_terms() else rarity

    def _akin(self, marks: Sequence[float], highest: float) -> dict[str, float]:
        """Return further terms worth asking for: those that weigh most in the passages that fit best."""
        good = _GOOD * highest
        best = nlargest(_BEST, [(mark, number) for number, mark in enumerate(marks) if mark > good])
        worth: dict[str, float] = {}
        for mark, number in best:
            share, room = mark / highest, self._rooms[number]
            for times, group in enumerate(self._postings.passages[number].split("\t"), 1):
                gain = share * times / (times + room)
                for term in group.split():
                    worth[term] = worth.get(term, 0.0) + gain
        most = max(_FEW, len(marks) // _COMMON)
        weighed = [
            (gain * self._rarity(term), term)
            for term, gain in worth.items()
            if self._postings.among(term) <= most
        ]
        added = nlargest(_ADDED, weighed)
        return {term: _ADDED_WEIGHT * gain / added[0][0] for gain, term in added}

    def _highest(self, marks: Sequence[float]) -> list[float]:
        """Return of each document the mark of its best passage."""
        best = [0.0] * len(self._starts)
        for owner, mark in zip(self._owners, marks, strict=True):
            if mark > best[owner]:  # noqa: PLR1730 - calling max for each would take three times as long
                best[owner] = mark
        return best


def _ends(query: str) -> str:
    half = _LONGEST_QUERY // 2
    return query if len(query) <= _LONGEST_QUERY else f"{query[:half]} {query[-half:]}"


def _shared(mine: set[str], others: set[str]) -> float:
    both = len(mine & others)
    return both / (len(mine) + len(others) - both or 1)


def _rooms(lengths: Sequence[float]) -> "Marks":
    """Return for each passage what its length adds below the line of the formula."""
    finite = [length for length in lengths if length < math.inf]
    mean = sum(finite) / len(finite) if finite else 0.0
    rooms = zeros(len(lengths))
    for number, length in enumerate(lengths):
        rooms[number] = _K1 * (1 - _B + _B * length / (mean or 1.0))
    return rooms


def _pieces(body: str) -> list[list[str]]:
    """Return the terms of a body in passages that end where a sentence does; at least one, maybe empty."""
    pieces: list[list[str]] = [[]]
    for line in body.split("\n"):
        for sentence in line.replace("? ", ". ").replace("! ", ". ").split(". "):
            if len(pieces[-1]) >= _PASSAGE:
                pieces.append([])
            pieces[-1] += terms(sentence)
    return pieces if pieces[-1] or len(pieces) == 1 else pieces[:-1]


def _grouped(found: Sequence[str]) -> str:
    """Write the terms of a passage once each, grouped by how often they stand in it."""
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = min(_MOST_TIMES, counts.get(term, 0) + 1)
    groups: list[list[str]] = [[] for _ in range(max(counts.values(), default=1))]
    for term, count in counts.items():
        groups[count - 1].append(term)
    return "\t".join([str(sum(counts.values())), *(" ".join(group) for group in groups)])
