"""How much of one text another holds, by the words that carry meaning."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memdir.resources import read_table

__all__ = ["share_held", "similarity", "words"]


@lru_cache(maxsize=4_096)
def words(text: str) -> frozenset[str]:
    """Return the telling words of a text as stems; of scripts without spaces, pairs of characters."""
    text = unicodedata.normalize("NFKC", text).casefold()
    found = {run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(max(1, len(run) - 1))}
    spaced = _WORD.findall(_UNSPACED.sub(" ", text))
    return frozenset(found | {_stem(one.removesuffix("'s")) for one in spaced if one not in _SMALL})


def share_held(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return which share of the first words the second ones hold."""
    return len(part & whole) / len(part) if part else 0.0


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two texts have in common, from 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WORD = re.compile(r"#?[^\W_]+(?:['.-][^\W_]+)*")
_ENDING = re.compile(r"(?:ings?|edly|ed|ies|es|s|ly|er|en|e|y)\Z")
_SMALL = frozenset(" ".join(read_table(__file__, "similarity.txt")["small words"]).split())


def _stem(word: str) -> str:
    if len(word) < 5 or any(character.isdigit() for character in word):
        return word
    stem = _ENDING.sub("", word)
    stem = stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
    return stem if len(stem) >= 3 else word
