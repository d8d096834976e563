"""Two sentences compared: what a rewording must keep, and what it may leave out.

The marks of a sentence are its names, numbers, code and the small words that turn its meaning around. A
rewording has all of them in their order; its other words are compared as stems.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from memdir.resources import read_table, rows_of
from memdir.text.dates.calendar import absolute_dates
from memdir.text.similarity import words
from memdir.text.value import value_class

__all__ = ["SAME", "SentenceMarks", "common_share", "exchanged_words", "lost_marks", "marks_of"]

SAME = 0.75
"""The share of a sentence's telling words that a rewording must have, in order."""


@value_class(frozen=True, slots=True)
class SentenceMarks:
    """The parts of a sentence that are compared."""

    marks: tuple[str, ...]
    """Words that a rewording must keep, in this order."""
    telling: tuple[str, ...]
    """Its telling words as stems, in their order, the marks among them."""
    context: tuple[str, ...]
    """The telling words of its heading and lead-in, then its own."""
    turns: tuple[tuple[str, int], ...]
    """The number of each negating word: one more or less reverses the meaning."""


@lru_cache(maxsize=8_192)
def marks_of(text: str, above: str = "") -> SentenceMarks:
    """Return a sentence as it is compared, and what it stands under."""
    own, before = list(_tokens(text)), list(_tokens(above))
    turns = Counter(token for token, _ in (*before, *own) if token in _TURNING)
    return SentenceMarks(
        tuple(token for token, is_mark in own if is_mark),
        tuple(token for token, _ in own),
        tuple(token for token, _ in (*before, *own)),
        tuple(sorted(turns.items())),
    )


def lost_marks(old: SentenceMarks, new: SentenceMarks) -> list[str]:
    """Return what the new sentence does not say, or not in its place; nothing when all marks are there."""
    lost, at = [], 0
    for mark in old.marks:
        try:
            at = new.context.index(mark, at) + 1
        except ValueError:
            lost.append(mark)
    turned = {word for word, _ in {*old.turns} ^ {*new.turns}}
    return list(dict.fromkeys([*lost, *sorted(turned)]))


def exchanged_words(old: SentenceMarks, new: SentenceMarks) -> list[str]:
    """Return the words that the new sentence lacks, if it has others: a rewording cuts or adds, not both."""
    brought = [word for word in new.telling if word not in old.context and word not in _TURNS]
    return [word for word in old.telling if word not in new.context] if brought else []


def common_share(old: SentenceMarks, new: SentenceMarks) -> float:
    """Return which share of a sentence's telling words another has in the same order."""
    where: dict[str, list[int]] = defaultdict(list)
    for at, token in enumerate(new.context):
        where[token].append(at)
    ends: list[int] = []  # the last place of a common row of each length, as early as can be
    for token in old.telling:
        for at in reversed(where.get(token, ())):
            length = bisect_left(ends, at)
            ends[length : length + 1] = [at]
    return len(ends) / len(old.telling) if old.telling else 0.0


_TABLE = read_table(__file__, "small_words.txt")
_TURNS = rows_of(_TABLE["turns"])
"""Small words that decide the meaning of a sentence, by their class."""

_TURNING = frozenset({"not", "except", "forbidden", "optional", "off", "wrong", "dislikes"})
"""Those that may not be added either."""

_CLASS = {word: name for name, listed in _TURNS.items() for word in listed.split()}
_NUMBER_WORDS = {
    word: number for number, listed in rows_of(_TABLE["numbers"]).items() for word in listed.split()
}
_DAY = re.compile(r"(mon|tues|wednes|thurs|fri|satur|sun)days?")
_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_UNSPACED_NOT = frozenset("不没沒无無未非别別勿否않못없")
_UNSPACED_NUMBER = frozenset("零一二三四五六七八九十百千万萬")
_SIGNED = re.compile(r"([~<>=!\u2264\u2265$\u20ac\u00a3+-]*)(\d(?:[\d.,:/-]*\d)?)(%|[^\W\d_]*)")
_CODE = re.compile(r"[_/\\=<>$@#{}()\[\]|&*+~^%\u2264\u2265\u2260]|\w[.:]\w|\A-+\w|\d|[a-z][A-Z]")
_AROUND = (
    ".,;:!?\"'()[]{}*_`\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u3001"
)
_DASHES = re.compile(r"[-\u2010-\u2015|>]+|=+")


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what counts of a text in its order, and whether it is a mark."""
    for number, part in enumerate(_with_plain_dates(text).split("`")):
        for piece in _PIECE.findall(part):
            bare = piece.strip(_AROUND)
            if bare and not _DASHES.fullmatch(bare):
                # Between backticks stands code, of which every word counts.
                yield from ((token, is_mark or number % 2 == 1) for token, is_mark in _token(bare))


def _token(bare: str) -> Iterator[tuple[str, bool]]:
    plain = bare.casefold().replace("\u2019", "'")
    number = _SIGNED.fullmatch(bare)
    if plain.endswith("n't") or bare in _UNSPACED_NOT:
        yield "not", True
    elif plain.replace("'", "") in _CLASS:
        yield _CLASS[plain.replace("'", "")], True
    elif number:
        yield from (
            (part, True) for part in (number[1], number[2].replace(",", ""), number[3].lower()) if part
        )
    elif plain in _NUMBER_WORDS or bare in _UNSPACED_NUMBER:
        yield _NUMBER_WORDS.get(plain, plain), True
    elif day := _DAY.fullmatch(plain):
        yield f"{day[1]}day", True
    elif _CODE.search(bare):
        yield bare, True
    else:
        # A capital may be that of a name; at the start of a sentence nobody knows, and what it is about
        # has to be said again anyway.
        yield from ((stem, bare[0].isupper()) for stem in sorted(words(bare)))


def _with_plain_dates(text: str) -> str:
    """Return the text with each full date in one form."""
    parts, end = [], 0
    for found in absolute_dates(text):
        parts += [text[end : found.span[0]], found.day.isoformat()]
        end = found.span[1]
    return "".join([*parts, text[end:]])
