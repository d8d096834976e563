"""Parse the statements of a memory: the words that carry meaning, values, negation, announced changes."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from memdir.resources import fill, read_table, rows_of
from memdir.text.dates.calendar import MONTH, MONTH_NAMES
from memdir.text.value import value_class

__all__ = ["ARTICLES", "COPULAS", "PLACING", "TABLE", "Statement", "Word", "parts", "statements"]

TABLE = read_table(__file__, "words.txt")
"""Words and patterns by section, those of the judge too."""


@value_class(frozen=True, slots=True)
class Value:
    """One value: what kind it is of, and which of that kind."""

    kind: str
    key: str


VALUES = re.compile(fill("|".join(TABLE["values"]), {"month": MONTH}))


def value_of(found: re.Match[str], raw: str) -> Value | None:
    """Return the value that a word stands for; None when it is an ordinary word."""
    low = raw.casefold()
    if found.lastgroup is not None:
        return _value_by_shape(found, raw)
    if "://" in low:
        return Value("address", low)
    return _WORDS.get(low) or _WORDS.get(low.removesuffix("s"))


def _value_by_shape(found: re.Match[str], raw: str) -> Value:
    """Return the value of a word that is one by its shape: a date, a time, a number."""
    low, shape = raw.casefold(), next(name for name in _SHAPES if found[name])
    if shape == "date":
        return Value("date", _day(low))
    if shape == "clock":
        return Value("time", low.replace(" ", ""))
    if shape == "week":
        return Value("day", _WEEK[raw[0] if "曜" in raw else raw[-1]])
    if shape == "amount":
        return _number(found, raw)
    unit = _PERIODS.get(low.split()[-1], low.split()[-1].removesuffix("ly"))
    return _amount(f"1 {unit}", f" {unit}", "every" if shape == "period" else "")


_SHAPES = ("date", "clock", "week", "period", "whole", "amount")
_PERIODS = {"daily": "day", "nightly": "day", "night": "day", "annually": "year"}


def _number(found: re.Match[str], raw: str) -> Value:
    if found["money"]:
        return _amount(raw.lstrip("$€£¥ "), found["unit"] or "", "money")
    before, unit = found.string[: found.start()].rstrip(), found["unit"] or ""
    known = _singular(unit.strip(" -").casefold().rpartition(" ")[2]) in _UNITS
    if unit and not known and re.search(r"\b[A-Z][\w.+#-]*$", before):
        raw, unit = raw.removesuffix(unit), ""  # "Kubernetes 1.24 runs"
    every = re.search(r"(?i)\b(?:every|each|alle|toutes les|tous les|cada|ogni)$", before)
    return _amount(raw, unit, "every" if every else "")


def _day(low: str) -> str:
    """Return a date as month, day and year, as far as they are named."""
    if low[:4].isdecimal():
        return low
    month = next(at for at, names in enumerate(MONTH_NAMES, 1) if re.search(rf"\b(?:{names})\b", low))
    return " ".join([str(month), *re.findall(r"\d+", low)])


def _singular(unit: str) -> str:
    return unit if unit in _UNITS else unit.removesuffix("s")


def _amount(raw: str, unit: str, role: str = "") -> Value:
    number, unit = raw[: len(raw) - len(unit)].casefold(), unit.strip(" -").casefold().rpartition(" ")[2]
    digits = _NUMBERS.get(number, re.sub(r"(?:st|nd|rd|th)$|[,_]", "", number))
    kind, factor = _UNITS.get(_singular(unit), (_singular(unit), 1.0))
    kind = f"{kind} {role}".strip() if role == "every" else role or kind
    try:
        return Value(f"amount {kind}".strip(), f"{float(digits) * factor:g} {kind}".strip())
    except ValueError:  # a version of three parts
        return Value("amount", f"{digits} {unit}".strip())


_COUNTED = "one two three four five six seven eight nine ten - twelve"
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 1)}
_UNITS = {
    unit: (kind, float(factor)) for kind, factor, *units in map(str.split, TABLE["units"]) for unit in units
}
_WEEK = dict(zip("一二三四五六日月火水木金土", "1234567123456", strict=True))
_WORDS = {
    word: Value(kind, words.split()[0])
    for kind, _, values in (row.rpartition(": ") for row in TABLE["kinds"])
    for words in values.split(",")
    for word in words.split()
}


_PHRASES = {name: re.compile(pattern) for name, pattern in rows_of(TABLE["phrases"]).items()}
_FORMS = {form: word for word, forms in rows_of(TABLE["forms"]).items() for form in forms.split()}
_SMALL = frozenset(" ".join(TABLE["small words"]).split())

MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Telling words of a statement: a longer one says several things."""

_MOST_READ, _MOST_OF_ONE = 6_000, 600
"""Characters of a memory, and of one statement, that are looked at."""

COPULAS, PLACING, ARTICLES = (
    frozenset(" ".join(TABLE[name]).split()) for name in ("copulas", "placing", "articles")
)


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
    main = _PHRASES["back"].sub(" ", _PHRASES["moved"].sub(" ", text))
    over = [found[1] or found[3] for found in _PHRASES["over"].finditer(main)]
    main = _PHRASES["switched"].sub(r"is \1", main)
    limited = _PHRASES["limit"].search(main) is not None
    main = next((part for part in _PHRASES["reason"].split(main) if part.strip()), "")  # "Since May …"
    denies = sum(bool(kind.search(main)) for kind in _DENYING) % 2 == 1
    for pattern in (*_DENYING, _PHRASES["change"], _PHRASES["reach"]):
        main = pattern.sub(" ", main)
    reach = _PHRASES["reach"].search(text)
    words = tuple(_words(main))
    return Statement(
        words=words,
        keys=_keys([word.stem for word in words]),
        denies=denies,
        limited=limited,
        taken_back=tuple(map(_stems, gone)),
        ended=frozenset(name for phrase in over for name in _names(phrase)),
        over=tuple(map(_stems, over)),
        changes=bool(gone or _PHRASES["change"].search(text)),
        permits=_PHRASES["permits"].search(text) is not None,
        adds=_PHRASES["adds"].search(text) is not None,
        reach="" if not reach else "both" if reach[1] else "only",
    )


_GONE = (_PHRASES["back"], _PHRASES["unused"], _PHRASES["moved"])
_DENYING = (_PHRASES["not"], _PHRASES["forbidden"], _PHRASES["without"])


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


_SHORT = 4
_ENDING = re.compile(r"(?:ment|ing|edly|ed|ion|al|able|e|ly|en|er|age|ie|(?<=w)n|(?<![aeou])y)\Z")
