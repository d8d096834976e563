"""Which words of a query a document shares: how much of the query they are, how many, and how rare."""

import math

from memdir.recall.lexical.bm25 import SMALLEST, rarity, terms_of_document
from memdir.recall.lexical.terms import terms
from memdir.text.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.recall.lexical.statistics import Statistics

__all__ = ["Overlap", "overlaps", "share_of_best"]


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
