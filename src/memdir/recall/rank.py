"""Which memories fit a query best by words, meaning, age and occasion; of the best, how probably they help.

    ranked(documents, words)                    # by words, age and occasion
    ranked(documents, words, near)              # with meaning too; any document may lack vectors

The weights were found on some stores and checked on others: bench/recall/README.md.

A host waits for this module: it does without `typing`.
"""

from math import exp, inf
from operator import add

from memdir.recall.lexical.statistics import Fit, Overlap, share_of_best
from memdir.recall.lexical.terms import terms
from memdir.recall.relevance import Evidence, PromptSigns, judge
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Protocol

    from memdir.memories.topic import Header
    from memdir.recall.relevance import Signals

    class Near(Protocol):
        """How near documents lie to a query in meaning."""

        @property
        def nothing(self) -> float: ...
        def cosines(self) -> list[float | None]: ...
        def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]: ...  # maybe fewer
        def similarities(self, numbers: Sequence[int]) -> list[list[float]]: ...


__all__ = [
    "JUDGED",
    "LONGEST_QUERY",
    "REPLACED",
    "Best",
    "Document",
    "Documents",
    "Ranked",
    "Stage",
    "Words",
    "by_probability",
    "candidates",
    "rank_documents",
    "ranked_after_replacing",
]

REPLACED = "superseded by "
"""How the note begins of a memory that another one replaces: it is not shown, whatever its score."""


@value_class(frozen=True, slots=True)
class Ranked:
    """One memory with how well it fits a query."""

    header: "Header"
    score: float
    """How probable it is that it helps, from 0 to 1."""
    lexical: float = 0.0
    """The share of words, before fusion."""
    semantic: float | None = None
    """The cosine of the mean vectors; None when there is no vector for it."""
    notes: tuple[str, ...] = ()
    """What moved it up or down, in words: pinned, expired, superseded by x.md, near duplicate of y.md."""
    expired: bool = False
    """Whether its last day is over: it is ranked, for whoever asks why, and never shown."""
    reasons: tuple[str, ...] = ()
    """What decided about the probability, in words, each with how much it counts; what counts most first."""


@value_class(frozen=True, slots=True)
class Best:
    """The memories that fit a query best, the best first, and how many there are in all."""

    ranked: "list[Ranked]"
    total: int
    without_vectors: int
    """Of all."""


def by_probability(ranked: "Sequence[Ranked]") -> list[Ranked]:
    """Return them with the most probable first; where that is equal, in the order in which they fit."""
    return sorted(ranked, key=lambda one: -one.score)


LONGEST_QUERY = 8_000
"""Characters of a prompt that are looked at: a pasted log says what is wanted at its beginning."""

LOOKED_AT = 80
"""Documents that get the closer look: piece by piece is too slow for thousands, and the rest never wins."""

JUDGED = 12
"""Documents whose probability is asked for: what fits less well than so many others does not help."""

_WORDS, _MEAN, _FOUND, _BACK = 0.3, 0.1, 0.4, 0.2
"""Shares of the score: words; whole texts; the query's pieces found in a text; its pieces in the query."""

_RECENCY, _FADE = 0.25, 0.15
"""What the newest gets on top, and the share of a store after which a third of that is left."""

_OCCASION = 0.5
"""Share of the best score of an occasion that all of it gets: what was learned together is used together."""

_DAY = 86_400

_STEP_BACK, _FORWARD = 0.6, 1.15
"""Factors for what is expired, replaced or said again by a newer memory; and for what somebody pinned."""

_PINNED = "pinned"

_LOOKED_INTO = 20
"""Of the best so many it is asked which memories they replace."""

_TWIN, _WORD_TWIN, _TWINS_AMONG = 0.93, 0.8, 20
"""Cosine and, without vectors, share of terms from which two memories say the same; and of how many best."""


@value_class(frozen=True, slots=True)
class Document:
    """What ranking knows of one memory apart from the query."""

    header: "Header"
    age: float | None = None
    """Share of the store that is newer, from 0; None where age means nothing."""
    occasion: int | None = None
    """Documents with the same number were saved together."""
    expired: bool = False
    superseded_by: str = ""
    days: float = 0.0
    """Since it was saved."""


class Documents:
    """Documents with what ranking asks of all of them, side by side: made once, it serves many queries."""

    def __init__(self, documents: "Sequence[Document]") -> None:
        """Read the columns off."""
        self._all = documents
        self._now: datetime | None = None
        self._replaced: Mapping[int, str] = {}
        self.recency = [0.0 if one.age is None else _RECENCY * exp(-one.age / _FADE) for one in documents]
        """What each gets for its age."""
        self.occasions = [one.occasion for one in documents]
        self._noted = [
            number
            for number, one in enumerate(documents)
            if one.expired or one.superseded_by or one.header.pinned
        ]

    @classmethod
    def of(cls, documents: "Sequence[Document] | Documents") -> "Documents":
        """Return documents with their columns."""
        return documents if isinstance(documents, cls) else cls(documents)  # type: ignore[arg-type]

    def at(self, now: "datetime", replaced: "Mapping[int, str]") -> "Documents":
        """Return the same documents at a moment, some of them replaced by files, by their numbers."""
        moved = object.__new__(type(self))
        moved.__dict__.update(vars(self), _now=now, _replaced=replaced)
        return moved

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> Document:
        return self._all[number]

    def superseded_by(self, number: int) -> str:
        """Return the file that replaces a document; empty where none does."""
        return self._replaced.get(number) or self._all[number].superseded_by

    def days(self, number: int) -> float:
        """Return the days since a document was saved."""
        one = self._all[number]
        return one.days if self._now is None else (self._now - one.header.saved_at).total_seconds() / _DAY

    def adjusted_documents(self, twins: "Mapping[int, str]") -> list[int]:
        """Return the documents that something moves up or down, in their order."""
        return sorted({*self._noted, *self._replaced, *twins})


@value_class(frozen=True, slots=True)
class Words:
    """How well the words of each document fit a query."""

    query: str
    fit: Fit
    """In the order of the documents."""
    overlaps: "Callable[[str, Sequence[int]], list[Overlap]]"
    """Which words of the query documents share."""
    alike: "Callable[[Sequence[int], float], list[list[float]]] | None" = None
    """Which share of their terms each two documents have in common, exactly where it is so much at least.

    Without it none are compared by words.
    """


@value_class(frozen=True, slots=True)
class Stage:
    """Documents in the order of how well they fit, before anybody judges whether they help."""

    order: "Sequence[int]"
    notes: "Mapping[int, tuple[str, ...]]"
    """What moves a document up or down, in words."""
    factors: "Mapping[int, float]"
    """How far."""
    prompt: PromptSigns
    evidence: "Sequence[Evidence]"
    """Of the first documents of the order."""


def rank_documents(
    documents: "Sequence[Document] | Documents",
    words: Words,
    near: "Near | None" = None,
    looked_at: int = LOOKED_AT,
    most: int | None = None,
) -> list[Ranked]:
    """Return the documents, all or so many, the one that fits best first.

    Only the best get a probability above 0.
    """
    documents = Documents.of(documents)
    stage = candidates(documents, words, near, looked_at, most)
    judgements = dict(zip(stage.order, judge(stage.prompt, stage.evidence), strict=False))
    scores = {at: min(1.0, one.probability * stage.factors.get(at, 1.0)) for at, one in judgements.items()}
    means = near.cosines() if near else None
    return [
        Ranked(
            documents[at].header,
            scores.get(at, 0.0),
            words.fit.scores[at],
            means[at] if means else None,
            stage.notes.get(at, ()),
            documents[at].expired,
            judgements[at].reasons if at in judgements else (),
        )
        for at in stage.order
    ]


def candidates(
    documents: "Sequence[Document] | Documents",
    words: Words,
    near: "Near | None" = None,
    looked_at: int = LOOKED_AT,
    most: int | None = None,
) -> Stage:
    """Order documents by words, meaning, age and occasion, and gather what is known of the best."""
    documents = Documents.of(documents)
    fits, signals = _scores(words, near, looked_at)
    marks = _with_occasions(documents.occasions, list(map(add, fits, documents.recency)))
    notes = _notes(documents, _near_duplicates(documents, marks, words, near))
    factors = {number: _adjustment(why) for number, why in notes.items()}
    for number, factor in factors.items():
        marks[number] *= factor
    order = _highest(marks, most)
    prompt = _prompt(words, signals, near.nothing if near else 0.0)
    return Stage(order, notes, factors, prompt, _evidence(documents, words, signals, order[:JUDGED]))


def _highest(values: "Sequence[float]", most: int | None) -> list[int]:
    """Return the places of the highest values, all or so many, the highest first, equal ones in order."""
    places: Iterable[int] = range(len(values))
    if most is not None and most < len(values):
        least = sorted(values, reverse=True)[most - 1] if most else inf
        places = [at for at, value in enumerate(values) if value >= least]
    return sorted(places, key=lambda at: -values[at])[:most]


def _adjustment(why: tuple[str, ...]) -> float:
    return (_FORWARD if _PINNED in why else 1.0) * (_STEP_BACK if why != (_PINNED,) else 1.0)


def _prompt(words: Words, signals: "Mapping[int, Signals]", nothing: float) -> PromptSigns:
    fit, count = words.fit, len(words.fit.plain)
    shares = [share_of_best(score, fit.terms, count) for score in sorted(fit.plain, reverse=True)[:2]]
    return PromptSigns(words.query, frozenset(terms(words.query)), shares, list(signals.values()), nothing)


def _evidence(
    documents: Documents, words: Words, signals: "Mapping[int, Signals]", best: "Sequence[int]"
) -> list[Evidence]:
    fit, found = words.fit, []
    highest = max(fit.scores, default=0.0) or 1.0
    for at, overlap in zip(best, words.overlaps(words.query, best), strict=True):
        header = documents[at].header
        share = share_of_best(fit.plain[at], fit.terms, len(documents))
        about = (header.name, header.description, str(header.kind or ""), documents.days(at))
        found.append(Evidence(*about, share, fit.scores[at] / highest, overlap, signals.get(at)))
    return found


def ranked_after_replacing(
    documents: "Callable[[dict[str, str]], Documents]",
    replaced: "Callable[[list[Ranked]], dict[str, str]]",
    words: Words,
    near: "Near | None" = None,
    most: int | None = None,
) -> Best:
    """Rank, and again when one of the best replaces another: names that are replaced, each with its file."""
    all_of_them = documents({})
    enough = None if most is None else max(most, _LOOKED_INTO)
    found = rank_documents(all_of_them, words, near, most=enough)
    if old := replaced(found[:_LOOKED_INTO]):
        found = rank_documents(documents(old), words, near, most=enough)
    total = len(all_of_them)
    return Best(found[:most], total, near.cosines().count(None) if near else total)


def _scores(words: Words, near: "Near | None", looked_at: int) -> "tuple[list[float], dict[int, Signals]]":
    """Return how well each document fits, and the signals of meaning of those that got the closer look."""
    lexical = _stretch(words.fit.scores)
    means = near.cosines() if near else []
    known = [number for number, mean in enumerate(means) if mean is not None]
    if near is None or not known:  # alone, words count from none at all: the least fit may be a good one
        return _stretch(words.fit.scores, 0.0), {}
    wholes = _stretch([means[number] or 0.0 for number in known])
    fits = list(lexical)
    for number, whole in zip(known, wholes, strict=True):
        fits[number] = _WORDS * lexical[number] + _MEAN * whole
    best = [known[at] for at in _highest([fits[number] for number in known], looked_at)]
    closer = near.tokens(best)
    found, back = [one for one, _ in closer], [other for _, other in closer]
    for number, one, other in zip(best, _stretch(found), _stretch(back), strict=False):
        fits[number] += _FOUND * one + _BACK * other
    signals = {
        number: (means[number] or 0.0, one, other)
        for number, one, other in zip(best, found, back, strict=False)
    }
    return fits, signals


def _stretch(values: "Sequence[float]", low: float | None = None) -> list[float]:
    """Return the values stretched from `low`, or the lowest, to 1; where all are equal, all are best."""
    low = min(values, default=0.0) if low is None else low
    high = max(values, default=0.0)
    span = high - low
    return [(value - low) / span for value in values] if span > 0 else [float(high > 0)] * len(values)


def _with_occasions(occasions: "Sequence[int | None]", marks: list[float]) -> list[float]:
    """Return the marks with a share of the best of each document's occasion, itself included."""
    best: dict[int | None, float] = {}
    for occasion, mark in zip(occasions, marks, strict=True):
        if occasion is not None and mark > best.get(occasion, 0.0):
            best[occasion] = mark
    return [
        mark + _OCCASION * (mark if occasion is None else best.get(occasion, 0.0))
        for occasion, mark in zip(occasions, marks, strict=True)
    ]


def _near_duplicates(
    documents: Documents, marks: "Sequence[float]", words: Words, near: "Near | None"
) -> dict[int, str]:
    """Return the older ones of near-duplicates among the best, each with the file of a newer one."""
    means = near.cosines() if near else ()
    known = [number for number, mean in enumerate(means) if mean is not None] if means else range(len(marks))
    best = [known[at] for at in _highest([marks[number] for number in known], _TWINS_AMONG)]
    if near is not None:
        shares, enough = near.similarities(best), _TWIN
    elif words.alike is not None:
        shares, enough = words.alike(best, _WORD_TWIN), _WORD_TWIN
    else:
        return {}
    older: dict[int, str] = {}
    for one, row in zip(best, shares, strict=True):
        for other, share in zip(best, row, strict=True):
            newer = documents[other].header
            if share >= enough and newer.saved_at > documents[one].header.saved_at:
                older[one] = newer.file
    return older


def _notes(documents: Documents, twins: "Mapping[int, str]") -> dict[int, tuple[str, ...]]:
    """Return what moves documents up or down, for those that anything does."""
    return {
        number: tuple(_reasons(documents[number], documents.superseded_by(number), twins.get(number, "")))
        for number in documents.adjusted_documents(twins)
    }


def _reasons(document: Document, newer: str, twin: str) -> "Iterator[str]":
    if document.header.pinned:
        yield _PINNED
    if document.expired:
        yield f"expired {document.header.expires}"
    if newer:
        yield f"{REPLACED}{newer}"
    if twin and twin != newer:
        yield f"near duplicate of {twin}"
