"""Join scores into one order: words, meaning, age and occasion; the best get a probability.

The weights were found on some stores and checked on others, see bench/recall/README.md.

A host waits for this module: it does without `typing`.
"""

from math import exp, inf
from operator import add

from memdir.recall.relevance import Evidence, PromptSigns, judge
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Protocol

    from memdir.memories.topic import Header
    from memdir.recall.lexical.bm25 import LexicalFit
    from memdir.recall.relevance import Signals

    class ByMeaning(Protocol):
        """How near documents lie to a query in meaning; `MaxSim` is one."""

        @property
        def nothing(self) -> float: ...
        @property
        def cosines(self) -> list[float | None]: ...
        def tokens(self, places: Sequence[int]) -> list[tuple[float, float]]: ...  # maybe fewer
        def similarities(self, places: Sequence[int]) -> list[list[float]]: ...


__all__ = [
    "EXPIRED",
    "JUDGED",
    "LOOKED_AT",
    "REPLACED",
    "Candidates",
    "Documents",
    "Ranked",
    "by_probability",
    "candidates",
]

REPLACED, EXPIRED = "superseded by ", "expired "
"""How the note of a replaced memory and of an expired one begins: such a memory is never shown."""


@value_class(frozen=True, slots=True)
class Ranked:
    """One memory with how well it fits a query."""

    header: "Header"
    score: float
    """The probability that it helps, from 0 to 1."""
    lexical: float = 0.0
    """The BM25 score, before fusion."""
    semantic: float | None = None
    """The cosine of the mean vectors; None when there is no vector for it."""
    notes: tuple[str, ...] = ()
    """What moved it up or down, in words: pinned, expired, superseded by x.md, near duplicate of y.md."""
    reasons: tuple[str, ...] = ()
    """What decided about the probability, in words, each with how much it counts; what counts most first."""


def by_probability(ranked: "Sequence[Ranked]") -> list[Ranked]:
    """Return memories with the most probable first; equally probable ones keep their order."""
    return sorted(ranked, key=lambda one: -one.score)


LOOKED_AT = 80
"""Documents that are compared token by token: that is too slow for thousands, and the rest never wins."""

JUDGED = 12
"""Documents whose probability is asked for: what fits less well than so many others does not help."""

_WORDS, _MEAN, _FOUND, _BACK = 0.3, 0.1, 0.4, 0.2
"""Shares of the score: words; whole texts; the query's tokens found in a text; its tokens in the query."""

_RECENCY, _FADE = 0.25, 0.15
"""What the newest gets on top, and the share of a store after which a third of that is left."""

_OCCASION = 0.5
"""Share of the best score of an occasion that all of it gets: what was learned together is used together."""

_STEP_BACK, _FORWARD = 0.6, 1.15
"""Factors for what is expired, replaced or said again by a newer memory; and for what somebody pinned."""

_PINNED = "pinned"

_TWIN, _WORD_TWIN, _TWINS_AMONG = 0.93, 0.8, 20
"""Cosine and, without vectors, Jaccard similarity of near-duplicates; how many of the best are compared."""


class Documents:
    """The memories of a store as ranking needs them, column by column: made once for many queries."""

    def __init__(
        self,
        headers: "Sequence[Header]",
        ages: "Sequence[float | None]",
        occasions: "Sequence[int | None]",
        expired: "Container[int]" = (),
    ) -> None:
        """Take one column each: an age is the share of the store that is newer, None where it means nothing.

        Documents of one occasion were saved together; expired ones are given by their places.
        """
        self.headers, self.occasions, self.expired = headers, occasions, expired
        self.recency = [0.0 if age is None else _RECENCY * exp(-age / _FADE) for age in ages]
        self.noted = {at for at, header in enumerate(headers) if header.pinned or at in expired}


@value_class(frozen=True, slots=True)
class Candidates:
    """Documents in the order of how well they fit, with the evidence whether the first of them help."""

    order: "Sequence[int]"
    headers: "Sequence[Header]"
    lexical: "Sequence[float]"
    semantic: "Sequence[float | None]"
    """Empty without meanings."""
    notes: "Mapping[int, tuple[str, ...]]"
    prompt: PromptSigns
    evidence: "Sequence[Evidence]"
    """Of the first documents of the order."""

    def rank(self) -> list[Ranked]:
        """Return the documents in their order; only the first get a probability above 0."""
        judgements, ranked = judge(self.prompt, self.evidence), list[Ranked]()
        for place, at in enumerate(self.order):
            probability, reasons, notes = 0.0, tuple[str, ...](), self.notes.get(at, ())
            if place < len(judgements):
                probability, reasons = judgements[place]
            score = min(1.0, probability * _factor(notes))
            cosine = self.semantic[at] if self.semantic else None
            ranked.append(Ranked(self.headers[at], score, self.lexical[at], cosine, notes, reasons))
        return ranked


def candidates(
    documents: Documents,
    words: "LexicalFit",
    meaning: "ByMeaning | None" = None,
    *,
    now: "datetime | None" = None,
    replaced: "Mapping[int, str] | None" = None,
    looked_at: int = LOOKED_AT,
    most: int | None = None,
) -> Candidates:
    """Order documents, all or the best few, by words, meaning, age and occasion.

    `replaced` names, by place, the file that replaces a document. Any document may lack vectors.
    """
    fits, signals = _fusion(words, meaning, looked_at)
    scores = _with_occasions(documents.occasions, list(map(add, fits, documents.recency)))
    twins, replaced = _near_duplicates(documents, scores, words, meaning), replaced or {}
    notes = {
        at: _notes(documents, at, replaced.get(at, ""), twins.get(at, ""))
        for at in sorted({*documents.noted, *replaced, *twins})
    }
    for at, why in notes.items():
        scores[at] *= _factor(why)
    order = _highest(scores, most)
    shares = [words.share(score) for score in sorted(words.plain, reverse=True)[:2]]
    nothing, cosines = (meaning.nothing, meaning.cosines) if meaning else (0.0, [])
    prompt = PromptSigns(words.query, frozenset(words.idf), shares, list(signals.values()), nothing)
    evidence = _evidence(documents, words, signals, order[:JUDGED], now)
    return Candidates(order, documents.headers, words.scores, cosines, notes, prompt, evidence)


def _highest(values: "Sequence[float]", most: int | None) -> list[int]:
    """Return the places of the highest values, all or so many, the highest first, equal ones in order."""
    places: Iterable[int] = range(len(values))
    if most is not None and most < len(values):
        least = sorted(values, reverse=True)[most - 1] if most else inf
        places = [at for at, value in enumerate(values) if value >= least]
    return sorted(places, key=lambda at: -values[at])[:most]


def _factor(notes: tuple[str, ...]) -> float:
    """Return how far notes move a document up or down."""
    back = any(note != _PINNED for note in notes)
    return (_FORWARD if _PINNED in notes else 1.0) * (_STEP_BACK if back else 1.0)


def _evidence(
    documents: Documents,
    words: "LexicalFit",
    signals: "Mapping[int, Signals]",
    best: "Sequence[int]",
    now: "datetime | None",
) -> list[Evidence]:
    highest, found = max(words.scores, default=0.0) or 1.0, []
    for at, overlap in zip(best, words.overlaps(best), strict=True):
        header = documents.headers[at]
        days = (now - header.saved_at).total_seconds() / 86_400 if now else 0.0
        found.append(
            Evidence(
                header.name,
                header.description,
                str(header.kind or ""),
                days,
                share=words.share(words.plain[at]),
                widened=words.scores[at] / highest,
                overlap=overlap,
                near=signals.get(at),
            )
        )
    return found


def _fusion(
    words: "LexicalFit", meaning: "ByMeaning | None", looked_at: int
) -> "tuple[list[float], dict[int, Signals]]":
    """Return how well each document fits, and the signals of meaning of those compared token by token."""
    cosines = meaning.cosines if meaning else []
    known = [at for at, cosine in enumerate(cosines) if cosine is not None]
    if meaning is None or not known:  # alone, words count from none at all: the least fit may be a good one
        return _stretch(words.scores, 0.0), {}
    lexical = _stretch(words.scores)
    fits = list(lexical)
    for at, cosine in zip(known, _stretch([cosines[at] or 0.0 for at in known]), strict=True):
        fits[at] = _WORDS * lexical[at] + _MEAN * cosine
    best = [known[at] for at in _highest([fits[at] for at in known], looked_at)]
    closer = meaning.tokens(best)
    found, back = [one for one, _ in closer], [other for _, other in closer]
    for at, one, other in zip(best, _stretch(found), _stretch(back), strict=False):
        fits[at] += _FOUND * one + _BACK * other
    signals = {at: (cosines[at] or 0.0, *pair) for at, pair in zip(best, closer, strict=False)}
    return fits, signals


def _stretch(values: "Sequence[float]", low: float | None = None) -> list[float]:
    """Return the values stretched from `low`, or the lowest, to 1; where all are equal, all are best."""
    low = min(values, default=0.0) if low is None else low
    high = max(values, default=0.0)
    span = high - low
    return [(value - low) / span for value in values] if span > 0 else [float(high > 0)] * len(values)


def _with_occasions(occasions: "Sequence[int | None]", scores: list[float]) -> list[float]:
    """Return the scores with a share of the best of each document's occasion, itself included."""
    best: dict[int | None, float] = {}
    for occasion, score in zip(occasions, scores, strict=True):
        if occasion is not None and score > best.get(occasion, 0.0):
            best[occasion] = score
    return [
        score + _OCCASION * (score if occasion is None else best.get(occasion, 0.0))
        for occasion, score in zip(occasions, scores, strict=True)
    ]


def _near_duplicates(
    documents: Documents, scores: "Sequence[float]", words: "LexicalFit", meaning: "ByMeaning | None"
) -> dict[int, str]:
    """Return the older ones of near-duplicates among the best, each with the file of a newer one."""
    cosines = meaning.cosines if meaning else ()
    known = [at for at, cosine in enumerate(cosines) if cosine is not None] if cosines else range(len(scores))
    best = [known[at] for at in _highest([scores[at] for at in known], _TWINS_AMONG)]
    enough = _TWIN if meaning else _WORD_TWIN
    shares = meaning.similarities(best) if meaning else words.similarities(best, enough)
    older: dict[int, str] = {}
    for one, row in zip(best, shares, strict=True):
        for other, share in zip(best, row, strict=True):
            newer = documents.headers[other]
            if share >= enough and newer.saved_at > documents.headers[one].saved_at:
                older[one] = newer.file
    return older


def _notes(documents: Documents, at: int, newer: str, twin: str) -> tuple[str, ...]:
    """Return what moves a document up or down, in words."""
    header = documents.headers[at]
    notes = [_PINNED] if header.pinned else []
    notes += [f"{EXPIRED}{header.expires}"] if at in documents.expired else []
    notes += [f"{REPLACED}{newer}"] if newer else []
    notes += [f"near duplicate of {twin}"] if twin and twin != newer else []
    return tuple(notes)
