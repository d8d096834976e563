"""Parse the statements of a memory: the words that carry meaning, values, negation, announced changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise

from memdir.memories.contradiction.values import TABLE, TOKENS, Value, value_of
from memdir.resources import rows_of
from memdir.text.value import value_class

__all__ = ["ARTICLES", "COPULAS", "PLACING", "Statement", "Word", "hyphen_parts", "quote", "statements"]

COPULAS, PLACING, ARTICLES, _SMALL = (
    frozenset(" ".join(TABLE[name]).split()) for name in ("copulas", "placing", "articles", "small words")
)
_FORMS = {form: word for word, forms in rows_of(TABLE["forms"]).items() for form in forms.split()}
_PHRASES = {name: re.compile(pattern) for name, pattern in rows_of(TABLE["phrases"]).items()}
_TAKING_BACK = (_PHRASES["back"], _PHRASES["unused"], _PHRASES["moved"])
_DENYING = (_PHRASES["not"], _PHRASES["forbidden"], _PHRASES["without"])

_MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Words of a statement: a longer one says several things."""

_MOST_READ, _MOST_OF_ONE = 6_000, 600
"""Characters of a memory, and of one statement, that are looked at."""

_ASIDE = re.compile(
    r"(?m)^[ \t>*+-]*(?:[Ww]hy|[Hh]ow to apply|[Bb]ecause)\b[^\n]*\n?|<!--.*?-->|\([^()\n]{0,200}\)"
)
"""What gives reasons and remarks."""

_END = re.compile(r"(?<=[\w\])`'\"%])[.!?;](?=\s|$)|[\u3002\uff01\uff1b\uff1f]|\n+|\s[\u2013\u2014]\s")
"""The end of a statement."""


@value_class(frozen=True, slots=True)
class Word:
    """A word that carries meaning: as a stem, and what kind of value it is, if any."""

    stem: str
    text: str
    value: Value | None = None
    link: str = ""
    """The small word before it: is, in, on, at."""
    name: bool = False
    """Whether it is written like a name or an identifier."""

    @property
    def kind(self) -> str:
        """The kind of value that it is; empty for a word that is none."""
        return self.value.kind if self.value else ""


@value_class(frozen=True, slots=True)
class Statement:
    """One thing that a memory says."""

    words: tuple[Word, ...]
    keys: frozenset[str]
    """The stems, those of words that a hyphen joins, and neighbours as one word: "time out", "timeout"."""
    denies: bool
    limited: bool
    """Whether it holds only under a condition."""
    taken_back: tuple[tuple[str, ...], ...]
    """What it says is no longer so, as stems."""
    ended: tuple[tuple[str, ...], ...]
    """What it says has ended, closed or gone, as stems: names or not."""
    ended_names: frozenset[str]
    """The names among these, as stems."""
    changes: bool
    """Whether it announces a change: moved, now, again, from now on."""
    adds: bool
    """Whether it says something besides: also, too."""
    permits: bool
    """Whether it allows something in so many words."""
    reach: str
    """Whether it says "only" or "both"."""

    @property
    def stems(self) -> list[str]:
        """The words as they are compared."""
        return [word.stem for word in self.words]


@lru_cache(maxsize=512)
def statements(text: str) -> tuple[Statement, ...]:
    """Return what a text states, from its beginning, reasons and instructions for use aside."""
    plain = unicodedata.normalize("NFKC", _ASIDE.sub("", text[:_MOST_READ]))
    sentences = (sentence for sentence in _END.split(plain) if sentence.strip())
    found = [_statement(sentence[:_MOST_OF_ONE]) for sentence in islice(sentences, _MOST_STATEMENTS)]
    return tuple(statement for statement in found if 0 < len(statement.words) <= _LONGEST)


def quote(words: Iterable[Word]) -> str:
    """Return words as they are written, in quotes."""
    return f'"{" ".join(word.text for word in words)}"'


def hyphen_parts(stem: str) -> list[str]:
    """Return the words that a hyphen joins, small ones aside: on-call is call."""
    found = stem.split("-") if "-" in stem else []
    return [part for part in found if len(part) > _TINY] if "".join(found).isalpha() else []


_TINY = 2


def _statement(text: str) -> Statement:
    """Return what a sentence says: its words without those of the phrases that the other fields stand for."""
    gone = [next(filter(None, match.groups())) for kind in _TAKING_BACK for match in kind.finditer(text)]
    main = _PHRASES["back"].sub(" ", _PHRASES["moved"].sub(" ", text))
    ended = [match[1] or match[3] for match in _PHRASES["over"].finditer(main)]
    main = _PHRASES["switched"].sub(r"is \1", main)
    limited = _PHRASES["limit"].search(main) is not None
    main = next((part for part in _PHRASES["reason"].split(main) if part.strip()), "")  # "Since May …"
    denies = sum(bool(kind.search(main)) for kind in _DENYING) % 2 == 1
    for pattern in (*_DENYING, _PHRASES["change"], _PHRASES["reach"]):
        main = pattern.sub(" ", main)
    words, reach = tuple(_words(main)), _PHRASES["reach"].search(text)
    return Statement(
        words=words,
        keys=_keys([word.stem for word in words]),
        denies=denies,
        limited=limited,
        taken_back=tuple(map(_stems, gone)),
        ended=tuple(map(_stems, ended)),
        ended_names=frozenset(name for phrase in ended for name in _names(phrase)),
        changes=bool(gone or _PHRASES["change"].search(text)),
        adds=_PHRASES["adds"].search(text) is not None,
        permits=_PHRASES["permits"].search(text) is not None,
        reach="" if not reach else "both" if reach[1] else "only",
    )


def _keys(stems: list[str]) -> frozenset[str]:
    joined = ("".join(pair) for pair in pairwise(stems))
    return frozenset([*stems, *joined, *(part for stem in stems for part in hyphen_parts(stem))])


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(word.stem for word in _words(phrase))


def _names(phrase: str) -> Iterator[str]:
    """Yield the names in a phrase as stems; a capital at the beginning of several words makes none."""
    for word in _words(phrase):
        alone = " " not in phrase or not phrase.startswith(word.text)
        if word.name and not word.text[0].isdecimal() and (alone or _MIXED.search(word.text)):
            yield word.stem


_MIXED = re.compile(r".[A-Z0-9]")


def _words(text: str) -> Iterator[Word]:
    """Yield the words that carry meaning, each with the small word before it."""
    link, first = "", True
    for found in TOKENS.finditer(text):
        raw = found[0].strip("`'\"*_,:")
        if not raw:
            continue
        low = raw.casefold()
        value = value_of(found, raw) if low != "on" or link in COPULAS else None  # on is mostly no switch
        written = len(raw) > 1 and (raw.isupper() or (not first and raw[0].isupper()))
        if value is None and not written and (low in _SMALL or "\u3040" <= low[0] <= "\u309f"):
            if link in ("", *COPULAS) or low in COPULAS | PLACING:
                link = low
            continue
        name = raw[0].isupper() or _IDENTIFIER.search(raw) is not None
        plural = raw[-1] == "s" and raw[:-1].isupper()  # PRs
        yield Word(value.key if value else _stem(low[:-1] if plural else low), raw, value, link, name)
        link, first = "", False


_IDENTIFIER = re.compile(r"[\d/#@_:.]|\w-\w|[a-z][A-Z]")


def _stem(word: str) -> str:
    word = _FORMS.get(word, word)
    if not word.isalpha() or len(word) < _SHORT:
        return word
    single = word[:-1] if word[-1] == "s" and word[-2] != "s" else word
    if len(word) == _SHORT:
        return single
    stem = _ENDING.sub("", single)
    if stem[-1:] == stem[-2:-1] and single.endswith(("ed", "ng", "er")):
        stem = stem[:-1]  # logged
    return stem if len(stem) >= _SHORT - 1 else word


_SHORT = 4
_ENDING = re.compile(r"(?:ment|ing|edly|ed|ion|al|able|e|ly|en|er|age|ie|(?<=w)n|(?<![aeou])y)\Z")
