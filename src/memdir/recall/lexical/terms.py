"""The terms of a text: folded, split as code is named, stemmed, without the words that say nothing.

A name in code counts as a whole and in its parts, whatever its style: `maxTokens`, `max_tokens` and
`max-tokens` all give max, token and maxtokens. Scripts that write without spaces give each character and each
pair of neighbours.
"""

import re
from functools import cache, lru_cache
from itertools import pairwise
from unicodedata import normalize

from memdir.resources import read_table, rows_of

__all__ = ["ENGLISH_STOP_WORDS", "everyday_terms", "stem", "terms"]

_TABLE = read_table(__file__, "words.txt")

ENGLISH_STOP_WORDS = frozenset(" ".join(_TABLE["stop words"]).split())
"""Words that stand in every English text and say nothing about it."""

STOP_WORDS = ENGLISH_STOP_WORDS.union(" ".join(_TABLE["foreign stop words"]).split())
"""The same of six more languages."""

STOP_CHARACTERS = frozenset(_TABLE["stop characters"][0])
"""The same of scripts that put no spaces between words."""

BASES = {form: base for base, forms in rows_of(_TABLE["forms"]).items() for form in forms.split()}
"""Each form with the word it counts as."""


_LEAST = 5
"""Letters that a derived word keeps: shorter rests belong to too many words."""

_DERIVED = (
    "ization", "isation", "ability", "ibility", "ement", "ation", "ition", "ment", "ness", "able", "ible",
    "ance", "ence", "ator", "ship", "ical", "ious", "ally", "ful", "ous", "ive", "ize", "ise", "ity", "ist",
    "ism", "ary", "ory", "ant", "ent", "ial", "ion", "al", "ic", "at", "ly", "er", "or",
)  # fmt: skip
"""Endings that make one kind of word of another, longer ones before those they end with."""


def stem(word: str) -> str:
    """Return what a lower-case word shares with its other forms; numbers and other scripts stay."""
    word = BASES.get(word) or BASES.get(word.removesuffix("s"), word)
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_silent_e(_without_derivation(_without_derivation(_without_inflection(word))))
    # What spelling rules change at the end: a doubled letter, y for i.
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and len(word) > 3 else word


def _without_inflection(word: str) -> str:
    """Return a word of four letters or more without the endings of the plural and of verbs."""
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word[-1] == "s" and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith("sses") else word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and rest[-1] != "e" and not {*"aeiouy"}.isdisjoint(rest):
            return rest
    return word


def _without_derivation(word: str) -> str:
    word = _without_silent_e(word)
    for ending in _DERIVED if word.endswith(_DERIVED) else ():
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word


def _without_silent_e(word: str) -> str:
    """Return the word without the `e` at its end; one of nothing else, as in #EEEEEE, stays."""
    return (word.rstrip("e") or word) if len(word) > 3 else word


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


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repetitions included."""
    found: list[str] = []
    if not text.isascii():
        # Level what only looks different: wide letters, ligatures, accents; scripts keep their own marks.
        found, text = _unspaced_terms(normalize("NFC", re.sub(_ACCENTS, "", normalize("NFKD", text))))
    for run in re.findall(_RUN, text):
        found += _terms_of(run)
    return found


@cache
def everyday_terms() -> frozenset[str]:
    """Return the terms of words that stand in any conversation.

    They count half, because a small store cannot know how common they are.
    """
    return frozenset(map(stem, " ".join(_TABLE["everyday"]).split()))


def _unspaced_terms(text: str) -> tuple[list[str], str]:
    """Return the terms of scripts without spaces, and the text without them."""
    found: list[str] = []
    for run in re.findall(_UNSPACED, text):
        found += run
        found += map("".join, pairwise(run))
    return [term for term in found if not STOP_CHARACTERS.issuperset(term)], re.sub(_UNSPACED, " ", text)


@lru_cache(maxsize=1 << 15)  # a store uses a few thousand words, and a long process must not grow
def _terms_of(run: str) -> list[str]:
    run = run[:_LONGEST]
    steps = run.split(".")
    if len(steps) > 1 and all(map(str.isdecimal, steps)):
        return [".".join(steps[:count]) for count in range(2, len(steps) + 1)]
    if run[-1] in "+#":
        return [run.lower()]
    words = [run]
    if not (run.isalpha() and (run.islower() or run.istitle())):
        run = run.replace("\u2019", "'").replace(",", "")
        run = run[:-2] if run.endswith(("'s", "'S")) else run
        before, _, rest = run.partition("'")
        run = rest if rest and before.lower() in _ELIDED else run
        parts = re.findall(_PART, run)
        whole = "".join(parts)
        is_one_word = "'" in run or len(parts) < 2
        words = [whole or run] if is_one_word else [*(part for part in parts if len(part) > 1), whole]
    return [stem(word) for word in map(str.casefold, words) if word not in STOP_WORDS]
