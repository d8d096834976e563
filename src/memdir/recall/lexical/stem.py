"""The stem of an English word: what its plural, its tenses and its relatives have in common."""

from memdir.recall.lexical.forms import BASES

__all__ = ["stem"]

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
    return _bare(_underived(_underived(_present(_singular(word)))))


def _singular(word: str) -> str:
    if word[-1] != "s" or len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith("sses") else word[:-1]


def _present(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest is not word and len(rest) > 2 and not rest.endswith("e") and _has_vowel(rest):
            return rest
    return word


def _underived(word: str) -> str:
    word = _without_silent_e(word)
    for ending in _DERIVED if word.endswith(_DERIVED) else ():
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word


def _bare(word: str) -> str:
    """Level what spelling rules change at the end: a silent e, a doubled letter, y for i."""
    word = _without_silent_e(word)
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and len(word) > 3 else word


def _without_silent_e(word: str) -> str:
    """Return the word without the `e` at its end; one of nothing else, as in #EEEEEE, stays."""
    return (word.rstrip("e") or word) if len(word) > 3 else word


def _has_vowel(word: str) -> bool:
    return any(letter in "aeiouy" for letter in word)
