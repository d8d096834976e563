"""How probable it is that a memory helps with a prompt: a logistic regression over features with names.

The coefficients lie in `relevance.tsv`, once for memories with vectors and once for words alone; `training`
writes it from cross-validated signals. A feature counts by how far it lies from what is typical, so each can
be told as a reason.

A host waits for this module: it does without `typing`.
"""

from math import exp, log, log1p

from memdir.recall.lexical.statistics import Overlap
from memdir.recall.lexical.terms import ENGLISH_STOP_WORDS, terms
from memdir.resources import resource_path
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Signals = tuple[float, float, float]
    """The cosine of whole texts, the prompt's pieces found in a memory, its pieces found in the prompt."""

__all__ = ["TABLE", "TIMES", "Evidence", "PromptSigns", "features", "judge", "nearness"]

TABLE = resource_path(__file__, "relevance.tsv")
"""Where the coefficients lie."""

_MEANING, _WORDS = "meaning", "words"
TIMES = " * "
"""Stands between two features whose product is a feature."""

_COSINE, _FOUND, _BACK = 10.0, 12.0, 6.0
"""What counts for nearness: whole texts, the prompt's pieces in a memory, and its pieces in the prompt."""

_OTHERS = 6.0
"""The nearness of some other memory, for a store that has none."""

_USUAL, _FILLED = ((0.1, 0.12), (0.25, 0.1), (0.17, 0.1)), 5
"""Mean and spread of each signal over the memories of a store, and as how many memories they count."""

_EVEN, _LEAST_SPREAD = 11.0, 0.5
"""The nearness that is even with a "nothing" of 0, and the least spread of a store."""

_YOUNGEST, _OLDEST = 14.0, 365.0
"""Days between which age was learned: what lies outside counts as the nearest of both."""

_SHORT = 4
"""Words of a short prompt: an order such as "run the tests"."""

_MARKS = ".,;:!?\"'()[]{}<>*`"

_REASONS = 3
"""Reasons that are told: those that count most."""


@value_class(frozen=True, slots=True)
class PromptSigns:
    """What is known of a prompt, and of how all memories fit it."""

    text: str
    terms: frozenset[str]
    shares: "Sequence[float]"
    """The two highest shares of words."""
    near: "Sequence[Signals]" = ()
    """The signals of meaning of all memories that got the closer look."""
    nothing: float = 0.0
    """How much speaks for showing nothing, by its meaning."""


@value_class(frozen=True, slots=True)
class Evidence:
    """What is known of one memory and a prompt."""

    name: str
    description: str
    kind: str
    days: float
    """Since it was saved."""
    share: float
    """Its BM25 score as a share of the highest possible."""
    widened: float
    """Its score after further words were asked for, as a share of the best."""
    overlap: Overlap
    near: "Signals | None" = None
    """The cosine, the prompt's pieces found in it, its pieces found in the prompt; None without vectors."""


@value_class(frozen=True, slots=True)
class Judgement:
    """How probable it is that a memory helps, and what decided."""

    probability: float
    reasons: tuple[str, ...]


def nearness(cosine: float, found: float, back: float) -> float:
    """Return the three signals of meaning as one number."""
    return _COSINE * cosine + _FOUND * found + _BACK * back


def judge(prompt: PromptSigns, evidence: "Sequence[Evidence]") -> list[Judgement]:
    """Judge memories; one without vectors is judged by its words, and if it shares none, it does not help."""
    tables = _tables()
    return [
        _judgement(values, tables[_WORDS if one.near is None else _MEANING])
        if one.near is not None or one.share > 0
        else Judgement(0.0, ())
        for one, values in zip(evidence, features(prompt, evidence), strict=True)
    ]


def features(prompt: PromptSigns, evidence: "Sequence[Evidence]") -> list[dict[str, float]]:
    """Return every feature of each memory by its name; what the coefficients do not name is not used."""
    about = _Language.of(prompt.text)
    store = _Store.of(prompt)
    found = []
    for one in evidence:
        named = _by_words(prompt, one, about)
        if one.near is not None:
            named |= _by_meaning(prompt, one.near, store, about)
        found.append(named)
    return found


def _by_words(prompt: PromptSigns, one: Evidence, language: "_Language") -> dict[str, float]:
    overlap, asked = one.overlap, log1p(len(prompt.terms))
    theirs = _Language.of(f"{one.name.replace('-', ' ')} {one.description}")
    return {
        "words in common": one.share,
        "lead in words": one.share - _best_other(one.share, prompt.shares),
        "words in common, widened": one.widened,
        "words in common, not divided": one.share * len(prompt.terms),
        "words in common of a long prompt": one.share * asked,
        "part of the prompt covered": overlap.coverage,
        "part of a long prompt covered": overlap.coverage * asked,
        "rarest word in common": overlap.rarest,
        "second rarest word in common": overlap.second,
        "number of words in common": log1p(overlap.count),
        "its name in the prompt": _part(one.name, prompt.terms),
        "its description in the prompt": _part(one.description, prompt.terms),
        "length of the prompt": log1p(language.words),
        "length of a short prompt": 1 / (1 + language.words / _SHORT),
        "terms of the prompt": asked,
        "its length": log1p(overlap.size),
        "age": log1p(min(max(one.days, _YOUNGEST), _OLDEST)),
        "it is about the user": float(one.kind == "user"),
        "it is feedback": float(one.kind == "feedback"),
        "it is a reference": float(one.kind == "reference"),
        "letters beyond English": language.letters,
        "words in common beyond English": language.letters * one.share,
        "other language than the prompt": abs(language.english - theirs.english),
        "other letters than the prompt": abs(language.letters - theirs.letters),
        "English prompt": language.english,
    }


def _by_meaning(
    prompt: PromptSigns, near: "Signals", store: "_Store", language: "_Language"
) -> dict[str, float]:
    mine = nearness(*near)
    above = [(value - mean) / spread for value, (mean, spread) in zip(near, store.scales, strict=True)]
    return {
        "nearness in meaning": mine - prompt.nothing,
        "lead in meaning": mine - _best_other(mine, store.others, _OTHERS),
        "distance to the nearest in meaning": mine - max([mine, *store.others[:1]]),
        "meaning as a whole": near[0],
        "meaning above that of others": above[0],
        "the prompt's words by meaning above others": above[1],
        "its words by meaning above others": above[2],
        "the prompt's words by meaning": near[1],
        "the prompt asks for nothing": prompt.nothing,
        "nearness in meaning beyond English": language.letters * mine,
        "meaning of an English prompt": language.english * near[0],
        **store.features(mine),
    }


@value_class(frozen=True, slots=True)
class _Store:
    """How near all memories of a store lie to a prompt: what a nearness is worth depends on the others."""

    scales: "Sequence[tuple[float, float]]"
    """Mean and spread of each signal."""
    others: "Sequence[float]"
    """The nearness of all memories, the highest first."""
    nothing: float
    """The nearness from which on a memory says more than that nothing fits."""
    mean: float
    spread: float

    @classmethod
    def of(cls, prompt: PromptSigns) -> "_Store":
        """Measure the memories that got the closer look."""
        others = sorted([nearness(*one) for one in prompt.near], reverse=True)
        mean = sum(others) / len(others) if others else _OTHERS
        square = sum([(one - mean) ** 2 for one in others]) / (len(others) or 1)
        return cls(_scales(prompt.near), others, prompt.nothing + _EVEN, mean, square**0.5 + _LEAST_SPREAD)

    def features(self, mine: float) -> dict[str, float]:
        """Return what the store says about the nearness of one of its memories."""
        rank = sum([one > mine for one in self.others])
        rest = [*self.others[:rank], *self.others[rank + 1 :], self.nothing]
        top = max(rest)
        together = top + log(sum([exp(one - top) for one in rest]))
        return {
            "nearness above nothing and others": mine - together,
            "size of the store": log1p(len(self.others)),
            "nearness within the store": (mine - self.mean) / self.spread,
            "best of the store": (max([mine, *self.others[:1]]) - self.mean) / self.spread,
            "lead over the third in meaning": mine - (rest[1] if len(rest) > 2 else _OTHERS),
        }


@value_class(frozen=True, slots=True)
class _Language:
    """How a text is written."""

    words: int
    english: float
    """The share of its words that stand in every English text."""
    letters: float
    """The share of its characters that English does not have."""

    @classmethod
    def of(cls, text: str) -> "_Language":
        words = text.lower().split()
        common = sum([word.strip(_MARKS) in ENGLISH_STOP_WORDS for word in words])
        beyond = 0 if text.isascii() else sum([character > "\x7f" for character in text])
        return cls(len(words), common / (len(words) or 1), beyond / (len(text) or 1))


def _scales(near: "Sequence[Signals]") -> list[tuple[float, float]]:
    """Return mean and spread of each signal over the memories; a small store is filled up with usual ones."""
    count, found = len(near) + _FILLED, []
    for at, (usual, spread) in enumerate(_USUAL):
        values = [one[at] for one in near]
        mean = (sum(values) + _FILLED * usual) / count
        square = sum([(value - mean) ** 2 for value in values]) + _FILLED * spread**2
        found.append((mean, (square / count) ** 0.5))
    return found


def _best_other(mine: float, best: "Sequence[float]", alone: float = 0.0) -> float:
    """Return the best of the others; where there are none, as little as they usually have."""
    if best and mine < best[0]:
        return best[0]
    return best[1] if len(best) > 1 else alone


def _part(text: str, asked: "frozenset[str]") -> float:
    found = set(terms(text))
    return len(found & asked) / len(found) if found else 0.0


def _judgement(values: "Mapping[str, float]", table: "_Table") -> Judgement:
    evidence, parts = table.constant, dict[str, float]()
    for reason, one, other, weight, typical in table.rows:
        part = weight * (values[one] * (values[other] if other else 1.0) - typical)
        parts[reason] = parts.get(reason, 0.0) + part
        evidence += part
    best = sorted(parts, key=lambda reason: -abs(parts[reason]))[:_REASONS]
    reasons = tuple([f"{reason} {parts[reason]:+.1f}" for reason in best])
    return Judgement(1 / (1 + exp(-max(-50.0, min(50.0, evidence)))), reasons)


@value_class(frozen=True, slots=True)
class _Table:
    constant: float
    rows: tuple[tuple[str, str, str, float, float], ...]
    """The reason it belongs to, the one or two features that are multiplied, coefficient, typical value."""


_read: "dict[str, _Table]" = {}


def _tables() -> "dict[str, _Table]":
    """Return the coefficients by variant, read once a process."""
    if not _read:
        with open(TABLE, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        for variant in (_MEANING, _WORDS):
            mine = [row[1:] for row in rows if row[0] == variant]
            constant = next(float(weight) for name, weight, _ in mine if not name)
            _read[variant] = _Table(constant, tuple([_row(*row) for row in mine if row[0]]))
    return _read


def _row(name: str, weight: str, typical: str) -> tuple[str, str, str, float, float]:
    one, _, other = name.partition(TIMES)
    reason = next((reason for reason, starts in _REASONS_OF.items() if one.startswith(starts)), one)
    return reason, one, other, float(weight), float(typical)


_REASONS_OF = {
    "words in common": (
        "words in common",
        "lead in words",
        "part of",
        "rarest",
        "second",
        "number of",
        "its name",
        "its description",
    ),
    "nearness in meaning": (
        "nearness",
        "lead in meaning",
        "distance",
        "meaning",
        "the prompt's words",
        "its words",
        "best of",
        "lead over",
        "size of",
    ),
    "whether the prompt asks for anything": ("the prompt asks",),
    "length of the prompt": ("length of", "terms of"),
    "language": ("English", "letters", "other"),
    "its kind": ("it is",),
}
"""In which words features are told, by how their names begin; others are told by their names."""
