"""How sure it is that a store holds anything for a query, from 0 to 1, whatever is best in it.

Both formulas come from logistic regressions: queries against the store they belong to, where the best five
held an answer, and the same queries against stores of other people. How they were made, and what they cost:
bench/recall/README.md.
"""

from math import exp, log

from memdir.recall.lexical.bm25 import SMALLEST

__all__ = ["by_meaning", "by_words"]


def by_words(best: float, terms: int, documents: int) -> float:
    """Return how sure the words alone are: which share of the query's words the best document has."""
    return _sure(16.5 * _share(best, terms, documents) + 1.4 * log(1 + terms) - 7.15)


def by_meaning(
    closest: tuple[float, float, float], best: float, terms: int, documents: int, density: float
) -> float:
    """Return how sure vectors and words are together.

    `closest` holds the highest cosine of a whole text, share of the query's pieces found, and share of a
    text's pieces found in the query. In a dense store, where memories are much alike, all are high by nature.
    """
    mean, found, back = closest
    near = 5.6 * mean + 15.5 * found + 5.0 * back - 14.3 * density
    length = 1.8 * (density - 0.44) * log(1 + terms)
    return _sure(near + length + 4.1 * _share(best, terms, documents) - 2.45)


def _share(best: float, terms: int, documents: int) -> float:
    """Return a BM25 score as a share of what a text with all terms would get if no other had them."""
    return best / (max(1, terms) * log((max(SMALLEST, documents) + 1) / 1.5))


def _sure(evidence: float) -> float:
    return 1 / (1 + exp(-max(-50.0, min(50.0, evidence))))
