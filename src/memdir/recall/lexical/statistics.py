"""The terms of the documents of a store, ready for queries while documents come and go.

Example: `statistics = Statistics.of([Profile.of(name, description, body), …])` takes plain texts, no files;
`statistics.fit(query).scores` has one number a document, in the same order.

`Profile.of` is the slow part, depends on one document alone, and is what a store keeps; a long text belongs
into `body`, where it is cut into passages.

A host waits for this module: it imports late and does without `typing`.
"""

import math
from collections import defaultdict

from memdir.recall.lexical.bm25 import MANY, Fit, alike, fit, rooms_of
from memdir.recall.lexical.terms import everyday_terms, terms
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memdir.recall.lexical.bm25 import Marks, Numbers

__all__ = ["Profile", "Statistics"]


class Postings:
    """The passages of a store, each found again by its terms.

    A passage is a line of text: groups parted by tabs, of terms that stand in it once, twice, and so on.
    """

    def __init__(self) -> None:
        """Begin without a passage."""
        self.passages: list[str] = []
        self._noted = 0
        self._once: defaultdict[str, Numbers] = defaultdict(list)
        self._more: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def places(self, term: str) -> "tuple[Numbers, Sequence[tuple[int, int]]]":
        """Return the passages that have a term once, and those that have it more often with how often."""
        self.note()
        return self._once.get(term, []), self._more.get(term, ())

    def document_frequency(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return sum(map(len, self.places(term)))

    def note(self) -> None:
        """Take in the passages that came since the last time."""
        once, more = self._once, self._more
        if len(self.passages) > MANY:
            from array import array

            once.default_factory = lambda: array("i")
        for number in range(self._noted, len(self.passages)):
            first, *others = self.passages[number].split("\t")
            for term in first.split():
                once[term].append(number)
            for times, group in enumerate(others, 2):
                for term in group.split():
                    more[term].append((number, times))
        self._noted = len(self.passages)


_NAME_WEIGHT = 2
_PASSAGE = 40
"""Terms of a passage, about sixty words."""

_MOST_TIMES = 16
"""Repetitions of a term that are counted: the next one would hardly change a score."""


@value_class(frozen=True, slots=True)
class Profile:
    """The terms of one document, passage by passage."""

    passages: tuple[str, ...]
    """Each its length and then groups of terms that stand in it once, twice, and so on, parted by tabs."""

    @classmethod
    def of(cls, name: str, description: str, body: str = "") -> "Profile":
        """Read the words of a document."""
        head = terms(name) * _NAME_WEIGHT + terms(description)
        return cls(tuple(_group_by_count(head + piece) for piece in _pieces(body)))


class Statistics:
    """The terms of many documents, ready for queries; documents may come and go."""

    def __init__(self) -> None:
        """Begin without a document."""
        self._postings = Postings()
        self._lengths: list[float] = []
        """Of each passage in terms; infinite, so that nothing in it counts, once its document was dropped."""
        self._rooms: Marks = []
        self.owners: list[int] = []
        """The place of the document of each passage."""
        self.starts: list[int] = []
        """The first passage of each document."""
        self.dropped = 0
        """Documents that no longer count but still take room."""
        self.places, self.among, self.note = (
            self._postings.places,
            self._postings.document_frequency,
            self._postings.note,
        )

    @classmethod
    def of(cls, profiles: "Iterable[Profile]") -> "Statistics":
        """Return the statistics of these documents, their places counted from 0."""
        statistics = cls()
        for profile in profiles:
            statistics.add(profile)
        return statistics

    def add(self, profile: Profile) -> int:
        """Take in one more document and return its place in the scores."""
        place = len(self.starts)
        self.starts.append(len(self.owners))
        for passage in profile.passages:
            length, _, groups = passage.partition("\t")
            self._postings.passages.append(groups)
            self._lengths.append(int(length))
            self.owners.append(place)
        self._rooms = []
        return place

    def drop(self, place: int) -> None:
        """Give up one document: its score is 0.0 from now on."""
        for number in range(self.starts[place], len(self.owners)):
            if self.owners[number] != place:
                break
            self._lengths[number] = math.inf
        self._rooms = []
        self.dropped += 1

    @property
    def rooms(self) -> "Marks":
        """What the length of each passage adds below the line of the formula."""
        self._rooms = self._rooms or rooms_of(self._lengths)
        return self._rooms

    @property
    def passages(self) -> list[str]:
        """The groups of terms of each passage."""
        return self._postings.passages

    @property
    def everyday(self) -> set[str]:
        """Terms that count less."""
        return everyday_terms()

    def score(self, query: str, *, widen: bool = True) -> Fit:
        """Return how well each document fits; without `widen` only the words of the query itself count."""
        return fit(self, query, widen=widen)

    def scores(self, query: str, *, widen: bool = True) -> list[float]:
        """Return only the scores."""
        return self.score(query, widen=widen).scores

    def similarities(self, places: "Sequence[int]", least: float = 0.0) -> list[list[float]]:
        """Return for each two of these documents which share of their terms both have, from `least` on."""
        return alike(self, places, least)


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
