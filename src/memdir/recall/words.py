"""The terms of a text: folded, split as code is named, stemmed, without the words that say nothing.

A name in code counts as a whole and in its parts, whatever its style: `maxTokens`, `max_tokens` and
`max-tokens` all give max, token and maxtokens. Scripts that write without spaces give each character and each
pair of neighbours.
"""

import re
from functools import cache
from itertools import pairwise

from memdir.recall.forms import EVERYDAY, STOP_WORDS
from memdir.recall.stem import stem

__all__ = ["everyday_terms", "terms"]

_MOST_KNOWN = 1 << 15
"""Words remembered with their terms: a store uses a few thousand, and a long process must not grow."""

_LONGEST = 64
"""Characters of a word: beyond that it is data, not a name that anyone asks for."""

_RUN = re.compile(r"[A-Za-z](?:\+\+|#)|[^\W_]+(?:(?:['\u2019._-]|(?<=[0-9]),(?=[0-9]{3}))[^\W_]+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W0-9_A-Za-z]+")

# Patterns that few queries need stay text until then: compiling them would cost more than ranking.
_ACCENTS = "[\u0300-\u036f]+"
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

_known: dict[str, tuple[str, ...]] = {}


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repetitions included."""
    found: list[str] = []
    if not text.isascii():
        text = _folded(text)
        for run in re.findall(_UNSPACED, text):
            found += run
            found += map("".join, pairwise(run))
        text = re.sub(_UNSPACED, " ", text)
    known = _known
    for run in _RUN.findall(text):
        of_run = known.get(run)
        found += _learned(run) if of_run is None else of_run
    return found


@cache
def everyday_terms() -> frozenset[str]:
    """Return the terms that count less: those of words that stand in any conversation."""
    return frozenset(stem(word) for word in EVERYDAY)


def _folded(text: str) -> str:
    """Level what only looks different: wide letters, ligatures, accents; scripts keep their own marks."""
    from unicodedata import normalize

    return normalize("NFC", re.sub(_ACCENTS, "", normalize("NFKD", text)))


def _learned(run: str) -> tuple[str, ...]:
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[run] = found = tuple(_terms_of(run[:_LONGEST]))
    return found


def _terms_of(run: str) -> list[str]:
    if run.isalpha() and (run.islower() or run.istitle()):
        return _stems([run])
    steps = run.split(".")
    if len(steps) > 1 and all(map(str.isdecimal, steps)):
        return [".".join(steps[:count]) for count in range(2, len(steps) + 1)]
    if run[-1] in "+#":
        return [run.lower()]
    run = run.replace("\u2019", "'").replace(",", "")
    run = run[:-2] if run.endswith(("'s", "'S")) else run
    parts = _PART.findall(run)
    whole = "".join(parts)
    if "'" in run or len(parts) < 2:
        return _stems([whole or run])
    return _stems([*(part for part in parts if len(part) > 1), whole])


def _stems(words: list[str]) -> list[str]:
    lower = (word.casefold() for word in words)
    return [stem(word) for word in lower if word not in STOP_WORDS]
