"""Whether two memories may contradict each other: one says of a thing what the other says otherwise.

Two statements about the same thing that differ in one value (a day, a number, a name, a tool), or of which one
denies what the other says, or takes it back in so many words ("no longer on Tuesdays"). Two things that merely
look alike ("the API timeout", "the database timeout") differ in more than the value and do not contradict.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memdir.core.contradiction_words import VALUES, Value, value_of
from memdir.core.value import value_class

__all__ = ["may_contradict"]

MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Telling words of a statement: a longer one says several things."""


def may_contradict(one: str, two: str) -> str:
    """Return how two texts may contradict each other, in words; empty when nothing says so."""
    first, second = _statements(one), _statements(two)
    for mine in first:
        for other in second:
            if because := _judged(mine, other):
                return because
    return _ended(first, second) or _ended(second, first)


@value_class(frozen=True, slots=True)
class _Word:
    """A word that tells something: as a stem, and what kind of value it is, if any."""

    stem: str
    text: str
    value: Value | None = None
    link: str = ""
    """The small word before it: is, in, on, at."""
    name: bool = False
    """Whether it is written like a name or an identifier."""


@value_class(frozen=True, slots=True)
class _Statement:
    words: tuple[_Word, ...]
    denies: bool
    limited: bool
    """Whether it holds only under a condition."""
    taken_back: tuple[tuple[str, ...], ...]
    """What it says is no longer so, as stems."""
    ended: frozenset[str]
    """The names of which it says that they are gone, as stems."""

    @property
    def stems(self) -> list[str]:
        return [word.stem for word in self.words]

    @property
    def frame(self) -> frozenset[str]:
        """The words besides values."""
        return frozenset(word.stem for word in self.words if word.value is None)


def _judged(one: _Statement, two: _Statement) -> str:
    for new, old in ((one, two), (two, one)):
        if because := _taken_back(new, old):
            return because
    if one.denies and two.denies:
        return ""  # two things that must not be do not exclude each other
    if one.denies or two.denies:
        return _denied(one, two)
    return _replaced(one, two) or _other_value(one, two)


def _taken_back(new: _Statement, old: _Statement) -> str:
    """Judge "no longer on Tuesdays", "instead of webpack" against a statement that says just that."""
    if old.denies:
        return ""
    said, kinds = set(old.stems), {word.value.kind for word in new.words if word.value}
    for gone in new.taken_back:
        rest = said - set(gone)
        about = set(new.stems) - set(gone)
        rival = any(word.stem in gone and word.value and word.value.kind in kinds for word in old.words)
        if gone and set(gone) <= said and rest and (rest & about or not about or rival):
            return f'"{" ".join(gone)}" is taken back'
    return ""


def _ended(new: Sequence[_Statement], old: Sequence[_Statement]) -> str:
    """Judge "EMR is switched off" against the first words of a memory that builds on it."""
    known = {stem for one in new for stem in one.stems}
    for gone in (name for one in new for name in one.ended):
        for other in old[:_FIRST]:
            about = set(other.stems) - {gone}
            plain = not (other.denies or other.ended) and gone in other.stems
            if plain and (about & known or len(about) <= _ADDED):
                return f'"{gone}" is gone'
    return ""


_FIRST = 2
"""Statements of a memory that say what it is about."""


def _denied(one: _Statement, two: _Statement) -> str:
    """Judge a statement against its denial: the same words, and nothing that limits one of them."""
    if one.limited or two.limited or one.taken_back or two.taken_back:
        return ""
    first, second = set(one.stems), set(two.stems)
    small, large = sorted((first, second), key=len)
    if len(small) < _LEAST_DENIED or not small <= large or len(large) - len(small) > _ADDED:
        return ""
    return "one denies what the other says"


_LEAST_DENIED, _ADDED = 2, 2
"""Telling words that a denial and what it denies have in common, and those that one of them may add."""


def _replaced(one: _Statement, two: _Statement) -> str:
    """Judge two statements that are the same but for one run of words."""
    first, second = one.stems, two.stems
    start = _common(first, second)
    end = min(_common(first[::-1], second[::-1]), len(first) - start, len(second) - start)
    mine, other = one.words[start : len(first) - end], two.words[start : len(second) - end]
    if not mine or not other or len(mine) > _RUN or len(other) > _RUN or not (start or end):
        return ""
    if _exclude(mine, other, one.words[:start], one.words[len(first) - end :]):
        return f"{_shown(mine)} or {_shown(other)}"
    return ""


_RUN = 4
"""Words of the run in which two statements may differ."""


def _exclude(
    mine: Sequence[_Word], other: Sequence[_Word], before: Sequence[_Word], after: Sequence[_Word]
) -> bool:
    """Tell whether only one of two runs can hold where they stand."""
    values, others = [one.value for one in mine], [one.value for one in other]
    if all(values) and all(others):
        return _differ(mine, other) and not _counts(before)
    if len(mine) == len(other) == 1 and _rivals(mine[0], other[0]):
        return True
    if any(one is not None and one.kind.startswith(_PRECISE) for one in (*values, *others)):
        return False  # "3 in the client", "10 in the worker": not the value alone is another
    if not before:
        owns = bool(after) and (after[0].stem in _OWNING or after[0].link in _THE)
        return owns and len(mine) == len(other) == 1 and mine[0].name and other[0].name
    if any(one.link for one in (*mine[1:], *other[1:])):
        return False  # more than a name differs
    links = {one.link or before[-1].link for one in (mine[0], other[0])}
    named = all(one.name for one in (mine[0], other[0]))
    if links <= _IS | _THE:
        return named and (len(before) > 1 or before[0].link in _THE)
    return len(links) == 1 and links <= _PLACING and (len(before) > 1 or named) and len(after) <= 1


def _other_value(one: _Statement, two: _Statement) -> str:
    """Judge statements about one thing in other words that give it values of one kind which differ."""
    if one.limited or two.limited or not one.frame or not two.frame:
        return ""
    small, large = sorted((one.frame, two.frame), key=len)
    if not small <= large or len(large) - len(small) > _ADDED:
        return ""
    kinds = {word.value.kind for word in one.words if word.value}
    for kind in sorted(kinds & {word.value.kind for word in two.words if word.value}):
        mine = [word for word in one.words if word.value and word.value.kind == kind]
        other = [word for word in two.words if word.value and word.value.kind == kind]
        few = len(small) < _LEAST_DENIED and not kind.startswith(_PRECISE)
        if not few and _differ(mine, other) and not _counts(one.words) and not _counts(two.words):
            return f"{_shown(mine)} or {_shown(other)}"
    return ""


_PRECISE = ("amount", "date", "day", "time")
"""Kinds of values of which a thing has one, however few words say which thing it is."""


def _differ(mine: Sequence[_Word], other: Sequence[_Word]) -> bool:
    """Tell whether values of one kind exclude each other: no set of them holds the other."""
    first = {one.value for one in mine if one.value}
    second = {one.value for one in other if one.value}
    if {one.kind for one in first} != {one.kind for one in second}:
        return False
    return not (first <= second or second <= first)


def _rivals(one: _Word, other: _Word) -> bool:
    return one.value is not None and other.value is not None and one.value.kind == other.value.kind


def _counts(words: Sequence[_Word]) -> bool:
    """Tell whether a number numbers things of which there are many: version 2, sprint 12."""
    after = [*words[1:], None]
    return any(one.stem in _NUMBERED and (two is None or two.value) for one, two in zip(words, after, strict=False))


def _shown(words: Sequence[_Word]) -> str:
    return f'"{" ".join(word.text for word in words)}"'


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many words two lists begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


_IS = frozenset(["is", "are", "ist", "sind", "est", "sont", "es", "son", "=", ":"])
_PLACING = frozenset(
    "in on at from to with as by through via named called im bei mit von aus dans avec de sur con desde be".split()  # noqa: SIM905 - a table
)
_THE = frozenset("the our der die das le la el unser notre".split())  # noqa: SIM905 - a table
_OWNING = frozenset("own lead maintain manag head".split())  # noqa: SIM905 - a table
_NUMBERED = frozenset("version phase step sprint mileston stage chapter adr rfc pr issu ticket part q".split())  # noqa: SIM905


# -- reading ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _statements(text: str) -> tuple[_Statement, ...]:
    """Return what a text states, from its beginning, reasons and instructions for use aside."""
    plain = unicodedata.normalize("NFKC", _ASIDE.sub("", text))
    parts = (part for part in _END.split(plain) if part.strip())
    found = (_statement(part) for _, part in zip(range(MOST_STATEMENTS), parts, strict=False))
    return tuple(one for one in found if 0 < len(one.words) <= _LONGEST)


_ASIDE = re.compile(r"(?mi)^[ \t>*+-]*(?:why|how to apply|because)\b[^\n]*\n?|<!--.*?-->|\([^()\n]{0,200}\)")
_END = re.compile(r"(?<=[\w\])`'\"%])[.!?;](?=\s|$)|[\u3002\uff01\uff1b\uff1f]|\n+|\s[\u2013\u2014]\s")


def _statement(text: str) -> _Statement:
    gone = [found[1] for found in _BACK.finditer(text)]
    gone += [found[1] or found[2] or found[3] for found in _MOVED.finditer(text)]
    taken_back = tuple(tuple(word.stem for word in _words(phrase)) for phrase in gone)
    main = _PLACED.sub(" in ", _BACK.sub(" ", _MOVED.sub(" ", text)))
    ended = frozenset(
        word.stem
        for found in _ENDED.finditer(main)
        for at, word in enumerate(_words(found[1]))
        if word.name and not word.value and (at or " " not in found[1])
    )
    limited = _LIMIT.search(main) is not None
    main = _REASON.split(main)[0]
    denies = _NOT.search(main) is not None
    return _Statement(tuple(_words(_NOT.sub(_affirmed, main))), denies, limited, taken_back, ended)


_BACK = re.compile(
    r"[,;]?\s*(?:\b(?:and |but )?(?:no longer|not any ?more|instead of|rather than|nicht mehr|statt|anstatt|ya no"
    r"|en vez de|au lieu de)\b|,\s*(?:not|nicht|plus|pas|no)\b|[\uff0c,]?\u4e0d\u518d(?:\u662f)?)"
    r"\s*(?P<gone>[^,.;\n]{1,80})",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"((?:[\w.+#-]+\s){0,2}[\w.+#-]+?)\s?(?:(?:\b(?:is|are|was|were|has been|have been|contract|support|tap|got)\s){1,2}"
    r"(?:now |finally )?(?:gone|removed|dropped|switched off|ended|archived|retired|cancell?ed|discontinued|shut down"
    r"|replaced|abandoned|dead)\b|\b(?:se elimin\u00f3|wurde abgeschafft|wurde ersetzt|a \u00e9t\u00e9 abandonn\u00e9e?)"
    r"|\s?\u306f\u5ec3\u6b62|\u5df2(?:\u5e9f\u5f03|\u505c\u7528))",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:moved?|moving|switch(?:ed)?|migrat(?:ed?|ing)|chang(?:ed?|ing)|went)(?: away| over)? from (?P<gone>.{1,40}?)"
    r" to\b|\breplac(?:ed|es) (?P<other>[^,.;\n]{1,40}?)(?= (?:in|on|with|by|for|since|everywhere)\b|[,.;]|$)"
    r"|\u4ece\s*(?P<third>\S{1,20}?)\s*(?:\u6362\u6210|\u6539\u4e3a|\u8fc1\u79fb\u5230)",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:has |have |was |were )?moved (?:in)?to\b|\blives? (?:in|at|on)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:only|except|unless|if|when|whenever|until|outside|but|while|nur|au\u00dfer|wenn|bis|sauf|solo|salvo)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since|so that|as of|weil|damit|parce que|porque)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:do not|don't|does not|doesn't|did not|must not|mustn't|should not|shouldn't|may not|can ?not|can't"
    r"|need not|needn't|is not|isn't|are not|aren't|will not|won't|not|never|no|without|avoid(?:s|ed)?|stop(?:s|ped)?(?= \w+ing\b)"
    r"|dis(?=likes?\b)|no longer"
    r"|nicht|kein(?:e|en|er)?|nie|niemals|ne|pas|jamais|nunca)\b(?![-\u2019])\s*|\bdis(?=likes?\b)"
    r"|\u4e0d\u8981|\u4e0d\u80fd|\u522b",
    re.IGNORECASE,
)


def _affirmed(_: re.Match[str]) -> str:
    return " "


def _words(text: str) -> Iterator[_Word]:
    link, first = "", True
    for found in VALUES.finditer(text):
        raw = found[0].strip("`'\"*_,:")
        if not raw:
            continue
        low = raw.casefold()
        value = value_of(found, raw) if low != "on" or link in _IS else None  # on is mostly no switch
        if value is None and low in _SMALL and not (len(raw) > 1 and raw.isupper()):
            link = low if link in ("", *_IS) or (low in _LINKS and low not in _THE) else link
            continue
        shaped = not first and raw[:1].isupper() or re.search(r"[\d/#@_:.]|\w-\w", raw) is not None
        yield _Word(value.key if value else _stem(low), raw, value, link, shaped or (first and raw[:1].isupper()))
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
    those through via like likes want wants prefer prefers i you your we our us they them he she his her my me do does did have has had having will would should
    must may might can could need needs please there here just very really then than now also always still
    already currently today before after any all every each user's use uses used using get gets set sets happen happens take
    takes done make sure keep named called per so
    der die das den dem des ein eine einen und oder ist sind wir ich bei mit von aus im am auf für zu wird werden
    jetzt immer nutze nutzen liegt
    le la les un une des et est sont nous on je de du dans avec sur pour maintenant toujours
    el los las una y es son nosotros en con desde por para ahora siempre del al
    """.split()  # noqa: SIM905 - a table
)
_LINKS = _IS | _PLACING | _THE
