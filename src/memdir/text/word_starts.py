"""The first letters of a text's words: a cheap test of which texts need a comparison.

Light on purpose: every prompt and every save takes this look, and few need the rules behind it.
"""

from functools import lru_cache

__all__ = ["word_starts"]

_LONGEST_TEXT = 2_000
_LETTERS = 4
"""Letters of a word that count, a plural aside: `log` and `logs`, `retry` and `retries` begin alike."""
_SHORTEST = 3
_UNSPACED = "\u3000"
"""From here on letters stand without spaces between words."""


@lru_cache(maxsize=4_096)
def word_starts(text: str) -> frozenset[str]:
    """Return how the telling words of a text begin; of scripts without spaces, every letter."""
    found: set[str] = set()
    for raw in text[:_LONGEST_TEXT].lower().split():
        word = raw.strip("\"'`.,;:!?()[]*")
        if not word.isascii() and max(word) > _UNSPACED:
            found |= {letter for letter in word if letter > _UNSPACED}
        elif len(word) >= _SHORTEST and word not in _SMALL:
            found.add((word[:-1] if word[-1] == "s" and len(word) > _SHORTEST else word)[:_LETTERS])
    return frozenset(found)


_SMALL = frozenset(
    """
    the and for are not use our all was has its but you can may with that this from have they their there when
    what which will must should could about into only over than then also user users after before every each
    how why who where while
    der die das und ist sind wir nicht les des est sont pas los las son con por
    """.split()  # noqa: SIM905 - a table
)
