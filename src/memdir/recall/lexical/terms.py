"""The terms of a text: folded, split as code is named, stemmed, without the words that say nothing.

A name in code counts as a whole and in its parts, whatever its style: `maxTokens`, `max_tokens` and
`max-tokens` all give max, token and maxtokens. Scripts that write without spaces give each character and each
pair of neighbours.
"""

import re
from itertools import pairwise
from unicodedata import normalize

from memdir.recall.lexical.forms import EVERYDAY, STOP_CHARACTERS, STOP_WORDS
from memdir.recall.lexical.stem import stem

__all__ = ["everyday_terms", "terms"]

_MOST_KNOWN = 1 << 15
"""Words remembered with their terms: a store uses a few thousand, and a long process must not grow."""

_LONGEST = 64
"""Characters of a word: beyond that it is data, not a name that anyone asks for."""

_RUN = r"[A-Za-z](?:\+\+|#)|[^\W_]+(?:(?:['\u2019._-]|(?<=[0-9]),(?=[0-9]{3}))[^\W_]+)*"
_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W0-9_A-Za-z]+"
_ELIDED = frozenset({"l", "d", "j", "n", "s", "c", "m", "t", "qu"})
"""What French and its relatives write before a word without a space: l'alerte, d'une, qu'on."""
_ACCENTS = "[\u0300-\u036f]+"
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

_known: dict[str, tuple[str, ...]] = {}
_everyday: set[str] = set()


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repetitions included."""
    found: list[str] = []
    if not text.isascii():
        found, text = _unspaced(_folded(text))
    known = _known
    for run in re.findall(_RUN, text):
        of_run = known.get(run)
        found += _learned(run) if of_run is None else of_run
    return found


def everyday_terms() -> set[str]:
    """Return the terms that count less: those of words that stand in any conversation."""
    if not _everyday:
        _everyday.update(map(stem, EVERYDAY))
    return _everyday


def _folded(text: str) -> str:
    """Level what only looks different: wide letters, ligatures, accents; scripts keep their own marks."""
    return normalize("NFC", re.sub(_ACCENTS, "", normalize("NFKD", text)))


def _unspaced(text: str) -> tuple[list[str], str]:
    """Return the terms of scripts without spaces, and the text without them."""
    found: list[str] = []
    for run in re.findall(_UNSPACED, text):
        found += run
        found += map("".join, pairwise(run))
    return [term for term in found if not STOP_CHARACTERS.issuperset(term)], re.sub(_UNSPACED, " ", text)


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
    before, _, rest = run.partition("'")
    run = rest if rest and before.lower() in _ELIDED else run
    parts = re.findall(_PART, run)
    whole = "".join(parts)
    if "'" in run or len(parts) < 2:
        return _stems([whole or run])
    return _stems([*(part for part in parts if len(part) > 1), whole])


def _stems(words: list[str]) -> list[str]:
    lower = (word.casefold() for word in words)
    return [stem(word) for word in lower if word not in STOP_WORDS]
