"""How probable it is that a memory helps with a prompt: a logistic regression over features with names.

The coefficients lie in `relevance.tsv`, once for memories with vectors and once for words alone; `training`
writes it from cross-validated signals. A feature counts by how far it lies from what is typical, so that each
can be given as a reason.

A host waits for this module: it does without `typing`.
"""

from functools import cache
from math import exp, log, log1p

from memdir.recall.lexical.bm25 import Overlap
from memdir.recall.lexical.terms import ENGLISH_STOP_WORDS, terms
from memdir.resources import read_resource, resource_path
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Language = tuple[int, float, float]
    """Words of a text, its share of English stop words, and of characters that English does not have."""
    Signals = tuple[float, float, float]
    """The cosine of whole texts, MaxSim of a prompt's tokens in a memory, and of its tokens in the prompt."""

__all__ = ["TABLE", "TIMES", "Evidence", "PromptSigns", "features", "judge", "nearness"]

_TABLE = "relevance.tsv"
TABLE = resource_path(__file__, _TABLE)
"""Where the coefficients lie."""

_MEANING, _WORDS = "meaning", "words"
TIMES = " * "
"""Stands between two features whose product is a feature."""

_COSINE, _FOUND, _BACK = 10.0, 12.0, 6.0
"""What counts for nearness: whole texts, the prompt's tokens in a memory, and its tokens in the prompt."""

_OTHERS = 6.0
"""The nearness of some other memory, for a store that has none."""

_USUAL, _FILLED = ((0.1, 0.12), (0.25, 0.1), (0.17, 0.1)), 5
"""Mean and spread of each signal over the memories of a store, and as how many memories they count."""

_EVEN, _LEAST_SPREAD = 11.0, 0.5
"""The nearness that weighs as much as a `nothing` of 0, and the least spread of a store."""

_YOUNGEST, _OLDEST = 14.0, 365.0
"""Days between which age was learned: an age outside counts as the nearer of the two."""

_SHORT = 4
"""Words of a short prompt: an order such as "run the tests"."""

_MARKS = ".,;:!?\"'()[]{}<>*`"

_REASONS = 3
"""Reasons that a receipt gives: those that count most."""


@value_class(frozen=True, slots=True)
class PromptSigns:
    """What is known of a prompt, and of how all memories fit it."""

    text: str
    terms: frozenset[str]
    shares: "Sequence[float]"
    """The two highest shares of words."""
    near: "Sequence[Signals]" = ()
    """The signals of meaning of all memories that were compared token by token."""
    nothing: float = 0.0
    """The encoder's score for showing nothing."""


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
    """None without vectors."""


def judge(prompt: PromptSigns, evidence: "Sequence[Evidence]") -> list[tuple[float, tuple[str, ...]]]:
    """Return for each memory the probability that it helps, and what decided, in words.

    One without vectors is judged by its words, and if it shares none, it does not help.
    """
    found: list[tuple[float, tuple[str, ...]]] = []
    for one, values in zip(evidence, features(prompt, evidence), strict=True):
        if one.near is None and one.share <= 0:
            found.append((0.0, ()))
            continue
        logit, rows = _coefficients()[_WORDS if one.near is None else _MEANING]
        parts: dict[str, float] = {}
        for reason, feature, factor, weight, typical in rows:
            part = weight * (values[feature] * (values[factor] if factor else 1.0) - typical)
            parts[reason] = parts.get(reason, 0.0) + part
            logit += part
        best = sorted(parts, key=lambda reason: -abs(parts[reason]))[:_REASONS]
        probability = 1 / (1 + exp(-max(-50.0, min(50.0, logit))))
        found.append((probability, tuple([f"{reason} {parts[reason]:+.1f}" for reason in best])))
    return found


def nearness(cosine: float, found: float, back: float) -> float:
    """Return the three signals of meaning as one number."""
    return _COSINE * cosine + _FOUND * found + _BACK * back


def features(prompt: PromptSigns, evidence: "Sequence[Evidence]") -> list[dict[str, float]]:
    """Return every feature of each memory by its name; what the coefficients do not name is not used."""
    language, store = _language(prompt.text), _Store(prompt)
    return [
        _by_words(prompt, one, language)
        | ({} if one.near is None else _by_meaning(prompt, one.near, store, language))
        for one in evidence
    ]


def _by_words(prompt: PromptSigns, one: Evidence, language: "Language") -> dict[str, float]:
    overlap, asked, (words, english, letters) = one.overlap, log1p(len(prompt.terms)), language
    _, its_english, its_letters = _language(f"{one.name.replace('-', ' ')} {one.description}")
    return {
        "words in common": one.share,
        "lead in words": one.share - _best_other(one.share, prompt.shares),
        "words in common, widened": one.widened,
        "words in common, not divided": one.share * len(prompt.terms),
        "part of the prompt covered": overlap.coverage,
        "part of a long prompt covered": overlap.coverage * asked,
        "rarest word in common": overlap.rarest,
        "second rarest word in common": overlap.second,
        "number of words in common": log1p(overlap.count),
        "its name in the prompt": _part(one.name, prompt.terms),
        "its description in the prompt": _part(one.description, prompt.terms),
        "length of the prompt": log1p(words),
        "length of a short prompt": 1 / (1 + words / _SHORT),
        "terms of the prompt": asked,
        "its length": log1p(overlap.size),
        "age": log1p(min(max(one.days, _YOUNGEST), _OLDEST)),
        "it is about the user": float(one.kind == "user"),
        "letters beyond English": letters,
        "words in common beyond English": letters * one.share,
        "other language than the prompt": abs(english - its_english),
        "other letters than the prompt": abs(letters - its_letters),
        "English prompt": english,
    }


def _by_meaning(
    prompt: PromptSigns, near: "Signals", store: "_Store", language: "Language"
) -> dict[str, float]:
    mine, (_, english, letters) = nearness(*near), language
    above = [(value - mean) / spread for value, (mean, spread) in zip(near, store.scales, strict=True)]
    rank = sum([one > mine for one in store.others])
    rest = [*store.others[:rank], *store.others[rank + 1 :], prompt.nothing + _EVEN]
    top, best = max(rest), max([mine, *store.others[:1]])
    together = top + log(sum([exp(one - top) for one in rest]))
    return {
        "lead in meaning": mine - _best_other(mine, store.others, _OTHERS),
        "distance to the nearest in meaning": mine - best,
        "meaning as a whole": near[0],
        "meaning above that of others": above[0],
        "the prompt's words by meaning above others": above[1],
        "its words by meaning above others": above[2],
        "the prompt's words by meaning": near[1],
        "the prompt asks for nothing": prompt.nothing,
        "nearness in meaning beyond English": letters * mine,
        "meaning of an English prompt": english * near[0],
        "nearness above nothing and others": mine - together,
        "size of the store": log1p(len(store.others)),
        "nearness within the store": (mine - store.mean) / store.spread,
        "best of the store": (best - store.mean) / store.spread,
        "lead over the third in meaning": mine - (rest[1] if len(rest) > 2 else _OTHERS),
    }


class _Store:
    """How near all memories of a store lie to a prompt: what a nearness is worth depends on the others."""

    def __init__(self, prompt: PromptSigns) -> None:
        self.others = sorted([nearness(*one) for one in prompt.near], reverse=True)
        count = len(self.others)
        self.mean = sum(self.others) / count if count else _OTHERS
        variance = sum([(one - self.mean) ** 2 for one in self.others]) / (count or 1)
        self.spread = variance**0.5 + _LEAST_SPREAD
        self.scales = list[tuple[float, float]]()
        """Mean and spread of each signal; a small store is filled up with usual memories."""
        for at, (usual, spread) in enumerate(_USUAL):
            values = [one[at] for one in prompt.near]
            mean = (sum(values) + _FILLED * usual) / (count + _FILLED)
            square = sum([(value - mean) ** 2 for value in values]) + _FILLED * spread**2
            self.scales.append((mean, (square / (count + _FILLED)) ** 0.5))


def _language(text: str) -> "Language":
    words = text.lower().split()
    common = sum([word.strip(_MARKS) in ENGLISH_STOP_WORDS for word in words])
    beyond = 0 if text.isascii() else sum([character > "\x7f" for character in text])
    return len(words), common / (len(words) or 1), beyond / (len(text) or 1)


def _best_other(mine: float, best: "Sequence[float]", alone: float = 0.0) -> float:
    """Return the best of the others; where there are none, as little as they usually have."""
    if best and mine < best[0]:
        return best[0]
    return best[1] if len(best) > 1 else alone


def _part(text: str, asked: "frozenset[str]") -> float:
    found = set(terms(text))
    return len(found & asked) / len(found) if found else 0.0


@cache
def _coefficients() -> "dict[str, tuple[float, list[tuple[str, str, str, float, float]]]]":
    """Return the intercept and the rows of each variant.

    A row is the reason that a feature belongs to, one or two features that are multiplied, the coefficient,
    and the typical value.
    """
    begins = {reason: tuple(names.split("|")) for reason, names in _REASONS_OF.items()}
    intercepts, found = dict[str, float](), dict[str, list[tuple[str, str, str, float, float]]]()
    lines = read_resource(__file__, _TABLE).splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    for variant, name, weight, typical in rows:
        if name:
            one, _, other = name.partition(TIMES)
            reasons = (reason for reason, names in begins.items() if one.startswith(names))
            row = next(reasons, one), one, other, float(weight), float(typical)
            found.setdefault(variant, []).append(row)
        else:
            intercepts[variant] = float(weight)
    return {variant: (intercepts[variant], features) for variant, features in found.items()}


_REASONS_OF = {
    "words in common": (
        "words in common|lead in words|part of|rarest|second|number of|its name|its description"
    ),
    "nearness in meaning": (
        "nearness|lead in meaning|distance|meaning|the prompt's words|its words|best of|lead over|size of"
    ),
    "whether the prompt asks for anything": "the prompt asks",
    "length of the prompt": "length of|terms of",
    "language": "English|letters|other",
    "its kind": "it is",
}
"""The reason that a feature counts towards, by how its name begins; any other counts by its own name."""
