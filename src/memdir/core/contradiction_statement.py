"""What a memory states, taken apart: the words that tell something, values among them, and what it denies."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from memdir.core.contradiction_words import VALUES, Value, value_of
from memdir.core.value import value_class

__all__ = ["ARTICLES", "COPULAS", "PLACING", "Statement", "Word", "statements"]

MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Telling words of a statement: a longer one says several things."""

_MOST_READ, _MOST_OF_ONE = 6_000, 600
"""Characters of a memory, and of one statement, that are looked at."""

COPULAS = frozenset(["is", "are", "ist", "sind", "est", "sont", "es", "son", "=", ":"])
PLACING = frozenset(
    """
    in on at from to with as by through via named called im bei mit von aus dans avec de sur con desde be
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

    @property
    def stems(self) -> list[str]:
        """The words as they are compared."""
        return [word.stem for word in self.words]

    @property
    def frame(self) -> frozenset[str]:
        """The words besides values."""
        return frozenset(word.stem for word in self.words if word.value is None)


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
    gone = [found[1] for found in _BACK.finditer(text)]
    gone += [found[1] or found[2] or found[3] for found in _MOVED.finditer(text)]
    taken_back = tuple(tuple(word.stem for word in _words(phrase)) for phrase in gone)
    main = _PLACED.sub(" in ", _BACK.sub(" ", _MOVED.sub(" ", text)))
    ended = frozenset(name for found in _ENDED.finditer(main) for name in _names(found[1]))
    limited = _LIMIT.search(main) is not None
    main = next((part for part in _REASON.split(main) if part.strip()), "")  # "Since May …" begins with one
    denies = _NOT.search(main) is not None
    return Statement(tuple(_words(_NOT.sub(" ", main))), denies, limited, taken_back, ended)


def _names(phrase: str) -> Iterator[str]:
    """Yield the names in a phrase as stems; a capital at the beginning of several words makes none."""
    for word in _words(phrase):
        alone = " " not in phrase or not phrase.startswith(word.text)
        if word.name and not word.text[0].isdecimal() and (alone or _MIXED.search(word.text)):
            yield word.stem


_MIXED = re.compile(r".[A-Z0-9]")
_BACK = re.compile(
    r"[,;]?\s*(?:\b(?:and |but )?(?:no longer|not any ?more|instead of|rather than|nicht mehr|statt|anstatt"
    r"|ya no|en vez de|au lieu de)\b|,\s*(?:not|nicht|plus|pas|no)\b|[\uff0c,]?\u4e0d\u518d(?:\u662f)?)"
    r"\s*([^,.;\n]{1,80})",
    re.IGNORECASE,
)
"""What is said to be no longer so, or to have given way."""
_MOVED = re.compile(
    r"\b(?:moved?|moving|switch(?:ed)?|migrat(?:ed?|ing)|chang(?:ed?|ing)|went)(?: away| over)?"
    r" from (.{1,40}?) to\b"
    r"|\breplac(?:ed|es) ([^,.;\n]{1,40}?)(?= (?:in|on|with|by|for|since|everywhere)\b|[,.;]|$)"
    r"|\u4ece\s*(\S{1,20}?)\s*(?:\u6362\u6210|\u6539\u4e3a|\u8fc1\u79fb\u5230)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"((?:[\w.+#-]+\s){0,2}[\w.+#-]+?)\s?"
    r"(?:(?:\b(?:is|are|was|were|has been|have been|contract|support|tap|got)\s){1,2}(?:now |finally )?"
    r"(?:gone|removed|dropped|switched off|ended|archived|retired|cancell?ed|discontinued|shut down|replaced"
    r"|abandoned|dead)\b"
    r"|\b(?:se elimin\u00f3|wurde abgeschafft|wurde ersetzt|a \u00e9t\u00e9 abandonn\u00e9e?)"
    r"|\s?\u306f\u5ec3\u6b62|\u5df2(?:\u5e9f\u5f03|\u505c\u7528))",
    re.IGNORECASE,
)
"""A name, and that it is gone."""
_PLACED = re.compile(r"\b(?:has |have |was |were )?moved (?:in)?to\b|\blives? (?:in|at|on)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:only|except|unless|if|when|whenever|until|outside|but|while|nur|au\u00dfer|wenn|bis|sauf|solo|salvo)"
    r"\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since|so that|as of|weil|damit|parce que|porque)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:(?:do|does|did|must|should|may|need|is|are|will) not|(?:do|does|must|should|ca|need|is|are|wo)n't"
    r"|can ?not|not|never|no|without|avoid(?:s|ed)?|stop(?:s|ped)?(?= \w+ing\b)"
    r"|nicht|kein(?:e|en|er)?|nie|niemals|ne|pas|jamais|nunca)\b(?![-\u2019])\s*|\bdis(?=likes?\b)"
    r"|\u4e0d\u8981|\u4e0d\u80fd|\u522b",
    re.IGNORECASE,
)


def _words(text: str) -> Iterator[Word]:
    link, first = "", True
    for found in VALUES.finditer(text):
        raw = found[0].strip("`'\"*_,:")
        if not raw:
            continue
        low = raw.casefold()
        value = value_of(found, raw) if low != "on" or link in COPULAS else None  # on is mostly no switch
        if value is None and low in _SMALL and not (len(raw) > 1 and raw.isupper()):
            link = low if link in ("", *COPULAS) or low in COPULAS | PLACING else link
            continue
        shaped = (not first and raw[:1].isupper()) or re.search(r"[\d/#@_:.]|\w-\w", raw) is not None
        yield Word(
            value.key if value else _stem(low), raw, value, link, shaped or (first and raw[:1].isupper())
        )
        link, first = "", False


def _stem(word: str) -> str:
    if not word.isalpha() or len(word) < _SHORT:
        return word
    if len(word) == _SHORT:
        return word[:-1] if word[-1] == "s" != word[-2] else word
    stem = _ENDING.sub("", word[:-1] if word[-1] == "s" != word[-2] else word)
    return stem if len(stem) >= _SHORT - 1 else word


_SHORT = 4
_ENDING = re.compile(r"(?:ment|ing|edly|ed|e|ly|en)\Z")
_SMALL = frozenset(
    """
    a an the and or of to in on at by for from with as is am are was were be been being it its this that these
    those through via like likes want wants prefer prefers i you your we our us they them he she his her my me
    do does did have has had having will would should must may might can could need needs please there here
    just very really then than now also always still already currently today before after any all every each
    user's use uses used using get gets set sets happen happens take takes done make sure keep named called
    per so
    der die das den dem des ein eine einen und oder ist sind wir ich bei mit von aus im am auf für zu wird
    werden jetzt immer nutze nutzen liegt
    le la les un une des et est sont nous on je de du dans avec sur pour maintenant toujours
    el los las una y es son nosotros en con desde por para ahora siempre del al
    """.split()  # noqa: SIM905 - a table
)
