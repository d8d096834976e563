"""Parse the statements of a memory: the words that carry meaning, values, negation, announced changes."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from memdir.memories.contradiction import phrases
from memdir.memories.contradiction.values import VALUES, Value, value_of
from memdir.text.value import value_class

__all__ = ["ARTICLES", "COPULAS", "PLACING", "Statement", "Word", "parts", "statements"]

MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Telling words of a statement: a longer one says several things."""

_MOST_READ, _MOST_OF_ONE = 6_000, 600
"""Characters of a memory, and of one statement, that are looked at."""

COPULAS = frozenset(["is", "are", "ist", "sind", "est", "sont", "es", "son", "=", ":"])
PLACING = frozenset(
    """
    chez in on at from to with as by through via named called im bei mit von aus dans avec de sur con desde
    be
    """.split()  # noqa: SIM905 - a table
)
ARTICLES = frozenset(["the", "our", "der", "die", "das", "le", "la", "el", "unser", "notre"])


@value_class(frozen=True, slots=True)
class Word:
    """A word that tells something: as a stem, and what kind of value it is, if any."""

    stem: str
    text: str
    value: Value | None = None
    link: str = ""
    """The small word before it: is, in, on, at."""
    name: bool = False
    """Whether it is written like a name or an identifier."""


@value_class(frozen=True, slots=True)
class Statement:
    """One thing that a memory says."""

    words: tuple[Word, ...]
    denies: bool
    limited: bool
    """Whether it holds only under a condition."""
    taken_back: tuple[tuple[str, ...], ...]
    """What it says is no longer so, as stems."""
    ended: frozenset[str]
    """The names of which it says that they are gone, as stems."""
    over: tuple[tuple[str, ...], ...] = ()
    """What it says has ended, closed or gone, as stems: names or not."""
    changes: bool = False
    """Whether it announces a change: moved, now, again, from now on."""
    adds: bool = False
    """Whether it says something besides: also, too."""
    permits: bool = False
    """Whether it allows something in so many words."""
    reach: str = ""
    """Whether it says "only" or "both"."""
    keys: frozenset[str] = frozenset()
    """The stems, those of words that a hyphen joins, and neighbours as one word: "time out", "timeout"."""

    @property
    def stems(self) -> list[str]:
        """The words as they are compared."""
        return [word.stem for word in self.words]


@lru_cache(maxsize=512)
def statements(text: str) -> tuple[Statement, ...]:
    """Return what a text states, from its beginning, reasons and instructions for use aside."""
    plain = unicodedata.normalize("NFKC", _ASIDE.sub("", text[:_MOST_READ]))
    parts = (part for part in _END.split(plain) if part.strip())
    found = (_statement(part[:_MOST_OF_ONE]) for _, part in zip(range(MOST_STATEMENTS), parts, strict=False))
    return tuple(one for one in found if 0 < len(one.words) <= _LONGEST)


_ASIDE = re.compile(
    r"(?m)^[ \t>*+-]*(?:[Ww]hy|[Hh]ow to apply|[Bb]ecause)\b[^\n]*\n?|<!--.*?-->|\([^()\n]{0,200}\)"
)
_END = re.compile(r"(?<=[\w\])`'\"%])[.!?;](?=\s|$)|[\u3002\uff01\uff1b\uff1f]|\n+|\s[\u2013\u2014]\s")


def _statement(text: str) -> Statement:
    gone = [next(filter(None, found.groups())) for kind in _GONE for found in kind.finditer(text)]
    main = phrases.BACK.sub(" ", phrases.MOVED.sub(" ", text))
    over = [found[1] or found[3] for found in phrases.OVER.finditer(main)]
    main = phrases.SWITCHED.sub(r"is \1", main)
    limited = phrases.LIMIT.search(main) is not None
    main = next((part for part in phrases.REASON.split(main) if part.strip()), "")  # "Since May …"
    denies = sum(bool(kind.search(main)) for kind in _DENYING) % 2 == 1
    for pattern in (*_DENYING, phrases.CHANGE, phrases.REACH):
        main = pattern.sub(" ", main)
    reach = phrases.REACH.search(text)
    words = tuple(_words(main))
    return Statement(
        words=words,
        keys=_keys([word.stem for word in words]),
        denies=denies,
        limited=limited,
        taken_back=tuple(map(_stems, gone)),
        ended=frozenset(name for phrase in over for name in _names(phrase)),
        over=tuple(map(_stems, over)),
        changes=bool(gone or phrases.CHANGE.search(text)),
        permits=phrases.PERMITS.search(text) is not None,
        adds=phrases.ADDS.search(text) is not None,
        reach="" if not reach else "both" if reach[1] else "only",
    )


_GONE = (phrases.BACK, phrases.UNUSED, phrases.MOVED)
_DENYING = (phrases.NOT, phrases.FORBIDDEN, phrases.WITHOUT)


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(word.stem for word in _words(phrase))


def _keys(stems: list[str]) -> frozenset[str]:
    joined = ("".join(pair) for pair in pairwise(stems))
    return frozenset([*stems, *joined, *(part for stem in stems for part in parts(stem))])


def parts(stem: str) -> list[str]:
    """Return the words that a hyphen joins, small ones aside: on-call is on call."""
    found = stem.split("-") if "-" in stem else []
    return [part for part in found if len(part) > _TINY] if "".join(found).isalpha() else []


_TINY = 2


def _names(phrase: str) -> Iterator[str]:
    """Yield the names in a phrase as stems; a capital at the beginning of several words makes none."""
    for word in _words(phrase):
        alone = " " not in phrase or not phrase.startswith(word.text)
        if word.name and not word.text[0].isdecimal() and (alone or _MIXED.search(word.text)):
            yield word.stem


_MIXED = re.compile(r".[A-Z0-9]")


def _words(text: str) -> Iterator[Word]:
    link, first = "", True
    for found in VALUES.finditer(text):
        raw = found[0].strip("`'\"*_,:")
        if not raw:
            continue
        low = raw.casefold()
        value = value_of(found, raw) if low != "on" or link in COPULAS else None  # on is mostly no switch
        written = len(raw) > 1 and (raw.isupper() or (not first and raw[0].isupper()))
        if value is None and not written and (low in _SMALL or "\u3040" <= low[0] <= "\u309f"):
            link = low if link in ("", *COPULAS) or low in COPULAS | PLACING else link
            continue
        shaped = (not first and raw[:1].isupper()) or re.search(
            r"[\d/#@_:.]|\w-\w|[a-z][A-Z]", raw
        ) is not None
        low = low[:-1] if raw[-1] == "s" and raw[:-1].isupper() else low  # PRs
        yield Word(
            value.key if value else _stem(low), raw, value, link, shaped or (first and raw[:1].isupper())
        )
        link, first = "", False


def _stem(word: str) -> str:
    word = _FORMS.get(word, word)
    if not word.isalpha() or len(word) < _SHORT:
        return word
    if len(word) == _SHORT:
        return word[:-1] if word[-1] == "s" != word[-2] else word
    single = word[:-1] if word[-1] == "s" != word[-2] else word
    stem = _ENDING.sub("", single)
    stem = stem[:-1] if stem[-1:] == stem[-2:-1] and single[-2:] in ("ed", "ng", "er") else stem  # logged
    return stem if len(stem) >= _SHORT - 1 else word


_FORMS = {
    form: row.split()[0]
    for row in """
        send sent\nlead led\nbuild built\nrebuild rebuilt\nkeep kept\nhold held\nwrite written wrote\npay paid
        run ran\nmake made\nsell sold\nchoose chosen\ngive given\nmeet met\nbuy bought
        reply replies answer answers respond response responses speak speaks
    """.strip().splitlines()
    for form in row.split()[1:]
}
"""Forms that do not begin like their word, and the ways to say reply."""
_SHORT = 4
_ENDING = re.compile(r"(?:ment|ing|edly|ed|ion|al|able|e|ly|en|er|age|ie|(?<=w)n|(?<![aeou])y)\Z")
_SMALL = frozenset(
    """
    a an the and or of to in on at by for from with as is am are was were be been being it its that these
    those through via like likes want wants prefer prefers i you your we our us they them he she his her my
    me do does did have has had having will would should must may might can could need needs please there
    here just very really then than now also always still already currently today before after any all every
    each user's use uses used using get gets set sets happen happens take takes done make sure keep named
    called per so over allow allows allowed permitted okay ok fine welcome up least most run runs go goes
    come comes came live lives land lands stay stays handle handles serve serves provide provides der die
    das den dem des ein eine einen und oder ist sind wir ich bei mit von aus im auf für zu wird werden wurde
    wurden um sich jetzt immer nutze nutzen liegt chez été ont usa usan usar usamos utilise utilisons le la
    les un une et est sont nous je de du dans avec sur pour maintenant toujours 我 们 的 是 在 了 用 每 使
    做 为 到 从 由 行 ao al allo alla stato stata state stati à il lo gli uno di è sono si nel della o os
    uma da no na com pelo pela são é foi el los las una y es son nosotros en con desde por para ahora
    siempre del
    """.split()  # noqa: SIM905 - a table
)
