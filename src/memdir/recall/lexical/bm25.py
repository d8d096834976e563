"""BM25 over the passages of each document, with query expansion.

The score of a document is that of its best passage: one paragraph that answers is worth more than ten that
touch the subject. Each passage begins with the name and the description. The query is then expanded with
terms of the best passages (pseudo-relevance feedback), because people ask in other words than they wrote.

`passages_of` is the slow part. It depends on one document alone, so a store can keep its result.

A host waits for this module: it does without `typing`.
"""

import math
from collections import defaultdict

from memdir.recall.lexical.terms import everyday_terms, terms
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Postings = list[defaultdict[str, list[int]]]
    """For each frequency from 1 on, the passages in which a term stands so often."""

__all__ = ["BM25", "LexicalFit", "Overlap", "passages_of"]

_K1, _B = 0.9, 0.6
"""Term saturation and length normalisation; any k1 of .6 to 1.6 and b of .4 to .75 do as well."""

_MANY = 2_000
"""Passages from which all terms are indexed: a query of a smaller store finds its own terms sooner."""

_SMALLEST = 50
"""Least number of passages to count with: of three, a term that is in all would count nothing."""

_MOST_COMMON = 5
"""A term counts as if no more than one passage in so many had it: a store may be about one subject."""

_EVERYDAY_WEIGHT = 0.5

_FEEDBACK, _GOOD = 10, 0.3
"""Passages whose terms expand a query, at most, and their least score as a share of the best."""

_ADDED, _ADDED_WEIGHT = 20, 0.5
"""Terms that are added, and the weight of the best of them."""

_FEW, _COMMON = 5, 10
"""A term in more than one passage of so many is not added, except in a store of a few passages."""

_NAME_WEIGHT = 2
_PASSAGE = 40
"""Terms of a passage, about sixty words."""

_MOST_TIMES = 16
"""Repetitions of a term that are counted: the next one would hardly change a score."""


def passages_of(name: str, description: str, body: str = "") -> str:
    """Return the term counts of a document, one line a passage.

    A line is the length of the passage, then a tab and the terms that stand in it once, a tab and those that
    stand in it twice, and so on.
    """
    head = terms(name) * _NAME_WEIGHT + terms(description)
    passages: list[list[str]] = [[]]
    for line in body.split("\n"):
        for sentence in line.replace("? ", ". ").replace("! ", ". ").split(". "):
            if len(passages[-1]) >= _PASSAGE:
                passages.append([])
            passages[-1] += terms(sentence)
    if len(passages) > 1 and not passages[-1]:
        passages.pop()
    return "\n".join([_passage_line(head + passage) for passage in passages])


def _passage_line(found: "Sequence[str]") -> str:
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = min(_MOST_TIMES, counts.get(term, 0) + 1)
    groups: list[list[str]] = [[] for _ in range(max(counts.values(), default=1))]
    for term, count in counts.items():
        groups[count - 1].append(term)
    return "\t".join([str(sum(counts.values())), *(" ".join(group) for group in groups)])


@value_class(frozen=True, slots=True)
class Overlap:
    """The terms that one document shares with a query."""

    coverage: float = 0.0
    """Their share of the query's summed inverse document frequencies (IDF)."""
    rarest: float = 0.0
    """The highest IDF among them."""
    second: float = 0.0
    """The second highest."""
    count: int = 0
    """How many different ones."""
    size: int = 0
    """Different terms of the document."""


class BM25:
    """Documents that can be searched by their terms; documents may come and go."""

    def __init__(self, documents: "Iterable[str]" = ()) -> None:
        """Add documents as `passages_of` returns them."""
        self._passages: list[str] = []
        """The terms of each passage, grouped by their frequency."""
        self._lengths: list[float] = []
        """Of each passage in terms; infinite once its document is dropped, so that nothing in it counts."""
        self._norms: list[float] = []
        """k1 with the length normalisation of each passage; empty after a change."""
        self._owners: list[int] = []
        """The number of the document of each passage."""
        self._spans: list[range] = []
        """The passages of each document."""
        self._postings: Postings = []
        """Those of all terms, in a large store."""
        self._indexed = self.dropped = 0
        """How many passages are in the postings, and how many dropped documents still take room."""
        for document in documents:
            self.add(document)

    def add(self, document: str) -> int:
        """Add one document and return its number; of one that cannot be read, nothing is added."""
        number, first = len(self._spans), len(self._owners)
        parts = [line.partition("\t") for line in document.split("\n")]
        self._lengths += [int(length) for length, _, _ in parts]
        self._passages += [groups for _, _, groups in parts]
        self._owners += [number] * len(parts)
        self._spans.append(range(first, len(self._owners)))
        self._norms = []
        if len(self._passages) > _MANY:
            self._index(self._postings, self._indexed)
            self._indexed = len(self._passages)
        return number

    def drop(self, number: int) -> None:
        """Drop one document: its score is 0.0 from now on."""
        for passage in self._spans[number]:
            self._lengths[passage] = math.inf
        self._norms = []
        self.dropped += 1

    def fit(
        self, query: str, documents: "Sequence[int] | None" = None, *, expand: bool = True
    ) -> "LexicalFit":
        """Return how well these documents, or all, fit a query; `expand` adds terms to the query."""
        weights: dict[str, float] = {}
        for term in terms(query):
            weights[term] = weights.get(term, 0.0) + 1.0
        postings = self._find(weights.keys())
        idf = {term: self._idf(_passage_count(term, postings), term) for term in weights}
        scores = [0.0] * len(self._passages)
        self._add_scores(scores, {term: weights[term] * idf[term] for term in weights}, postings)
        documents = range(len(self._spans)) if documents is None else documents
        plain = widened = self._document_scores(scores, documents)
        best = max(scores, default=0.0)
        if expand and best:
            self._add_scores(scores, *self._expansion(scores, best))
            widened = self._document_scores(scores, documents)
        return LexicalFit(self, documents, query, idf, plain, widened)

    def document_terms(self, number: int) -> set[str]:
        """Return the different terms of a document."""
        return set(" ".join([self._passages[passage] for passage in self._spans[number]]).split())

    def _find(self, wanted: "Iterable[str]") -> "Postings":
        """Return postings with these terms: those of all terms, or in a small store what a search finds."""
        if self._indexed:
            return self._postings
        found: Postings = []
        self._index(found, 0, frozenset(wanted))
        return found

    def _index(self, postings: "Postings", start: int, wanted: "frozenset[str] | None" = None) -> None:
        """Add the passages from this one on to postings, with these terms or all of theirs."""
        for passage in range(start, len(self._passages)):
            for times, group in enumerate(self._passages[passage].split("\t")):
                if times == len(postings):
                    postings.append(defaultdict(list))
                posting, found = postings[times], group.split()
                for term in found if wanted is None else wanted.intersection(found):
                    posting[term].append(passage)

    def _idf(self, among: int, term: str) -> float:
        """Return the inverse document frequency of a term in so many passages; everyday words count half."""
        size = max(_SMALLEST, len(self._passages))
        among = min(among, size // _MOST_COMMON)
        idf = math.log(1 + (size - among + 0.5) / (among + 0.5))
        return idf * _EVERYDAY_WEIGHT if term in everyday_terms() else idf

    def _add_scores(self, scores: list[float], weights: dict[str, float], postings: "Postings") -> None:
        """Add to the score of each passage what these terms, weighted by IDF, are worth in it."""
        if not self._norms:
            finite = [length for length in self._lengths if length < math.inf]
            mean = sum(finite) / len(finite) if finite else 0.0
            self._norms = [_K1 * (1 - _B + _B * length / (mean or 1.0)) for length in self._lengths]
        norms = self._norms
        for term, weight in weights.items():
            worth = weight * (_K1 + 1)
            for times, posting in enumerate(postings, 1):
                for passage in posting.get(term, ()):
                    scores[passage] += worth * times / (times + norms[passage])

    def _expansion(self, scores: list[float], highest: float) -> "tuple[dict[str, float], Postings]":
        """Return the terms that weigh most in the best passages, with their weights and their postings."""
        good = _GOOD * highest
        best = sorted([(score, at) for at, score in enumerate(scores) if score > good], reverse=True)
        worth: dict[str, float] = {}
        for score, passage in best[:_FEEDBACK]:
            share, norm = score / highest, self._norms[passage]
            for times, group in enumerate(self._passages[passage].split("\t"), 1):
                gain = share * times / (times + norm)
                for term in group.split():
                    worth[term] = worth.get(term, 0.0) + gain
        most, postings = max(_FEW, len(scores) // _COMMON), self._find(worth.keys())
        weighed = []
        for term, gain in worth.items():
            among = _passage_count(term, postings)
            if among <= most:
                idf = self._idf(among, term)
                weighed.append((gain * idf, term, idf))
        added = sorted(weighed, reverse=True)[:_ADDED]
        return {term: _ADDED_WEIGHT * gain / added[0][0] * idf for gain, term, idf in added}, postings

    def _document_scores(self, scores: list[float], documents: "Sequence[int]") -> list[float]:
        """Return for each of these documents the score of its best passage."""
        best = [0.0] * len(self._spans)
        for owner, score in zip(self._owners, scores, strict=True):
            if score > best[owner]:  # noqa: PLR1730 - calling max for each would take three times as long
                best[owner] = score
        return [*map(best.__getitem__, documents)]


def _passage_count(term: str, postings: "Postings") -> int:
    return sum([len(posting[term]) for posting in postings if term in posting])


@value_class(frozen=True, slots=True)
class LexicalFit:
    """How well the words of a query fit some documents, which are given by their places."""

    index: BM25
    documents: "Sequence[int]"
    """Their numbers in the index."""
    query: str
    idf: "Mapping[str, float]"
    """The inverse document frequency of each term of the query."""
    plain: list[float]
    """The scores of the query as it was asked."""
    scores: list[float]
    """The scores of the expanded query."""

    def share(self, score: float) -> float:
        """Return a score as a share of what a text with all terms would get if no other had them."""
        size = max(_SMALLEST, len(self.plain))
        return score / (max(1, len(self.idf)) * math.log((size + 1) / 1.5))

    def overlaps(self, places: "Sequence[int]") -> list[Overlap]:
        """Return which terms of the query each of these documents has."""
        idf = self.idf
        total = sum(idf.values()) or 1.0
        found = []
        for place in places:
            mine = self.index.document_terms(self.documents[place])
            shared = sorted([idf[term] for term in idf.keys() & mine], reverse=True)
            rarest, second = [*shared, 0.0, 0.0][:2]
            found.append(Overlap(sum(shared) / total, rarest, second, len(shared), len(mine)))
        return found

    def similarities(self, places: "Sequence[int]", least: float = 0.0) -> list[list[float]]:
        """Return the Jaccard similarity of each two of these documents; one below `least` may be 0."""
        found = [self.index.document_terms(self.documents[place]) for place in places]
        shares = [[1.0] * len(found) for _ in found]
        for one, mine in enumerate(found):
            for other, others in enumerate(found[:one]):
                share = 0.0  # also where one is so much shorter that nothing need be counted
                if min(len(mine), len(others)) >= least * max(len(mine), len(others)):
                    both = len(mine & others)
                    share = both / (len(mine) + len(others) - both or 1)
                shares[one][other] = shares[other][one] = share
        return shares
