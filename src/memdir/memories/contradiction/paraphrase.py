"""Whether two statements in other words say two things of one: a rival value, an announced change, an end.

They are about one thing when they share what they begin with and no shared word is
told apart in both ("the login page", "the export page").
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from memdir.memories.contradiction.statement import ARTICLES, COPULAS, Statement, Word, parts
from memdir.text.value import value_class

__all__ = ["reworded"]


def reworded(one: Statement, two: Statement) -> str:
    """Return how two statements in other words may contradict each other; empty when nothing says so."""
    if one.adds or two.adds or one.keys.isdisjoint(two.keys):
        return ""
    both = Sides(_side(one, two), _side(two, one))
    if not both.about_one_thing():
        return ""
    return _reach(one, two, both) or _permission(one, two, both) or _rivals(one, two, both)


@value_class(frozen=True, slots=True)
class Side:
    """A statement as the other sees it: which of its words the other has too."""

    words: tuple[Word, ...]
    shared: frozenset[int]

    @property
    def apart(self) -> dict[str, str]:
        """For each shared word the word of its own that tells it apart: "login" of the page."""
        found = {}
        for at in self.shared:
            word = self.words[at]
            if word.text[0] > _UNSPACED:
                continue
            if at and not word.link and self.words[at - 1].link != "to" and self._tells(at - 1):
                found[word.stem] = self.words[at - 1].stem
            after = self.words[at + 1] if at + 1 < len(self.words) else None
            if after and not after.link and not after.name and self._tells(at + 1):
                found[f"{word.stem} …"] = after.stem
        return found

    def _tells(self, at: int) -> bool:
        """Tell whether a word of its own says which one is meant."""
        word = self.words[at]
        plain = word.value is None or word.value.kind.startswith(_TOOL)
        return at not in self.shared and plain and word.stem not in _ANYWHERE

    @property
    def first(self) -> int | None:
        """Where the first word stands that is no value."""
        plain = (
            at for at, word in enumerate(self.words) if word.value is None and word.stem not in _ANYWHERE
        )
        return next(plain, None)

    def runs(self) -> "Iterator[Run]":
        """Yield the words that the other has not, those together that no small word parts."""
        run: list[Word] = []
        start = 0
        for at, word in enumerate(self.words):
            if run and (at in self.shared or word.link or word.value or run[-1].value):
                yield Run(tuple(run), start)
                run = []
            if at not in self.shared:
                start = start if run else at
                run.append(word)
        if run:
            yield Run(tuple(run), start, last=True)


@value_class(frozen=True, slots=True)
class Run:
    """Words that only one of two statements has."""

    words: tuple[Word, ...]
    start: int
    last: bool = False
    """Whether the statement ends with it."""

    @property
    def kind(self) -> str:
        """What may stand in its place: a value of its kind, or another name."""
        value = self.words[0].value
        if value and not value.kind.startswith(_TOOL):
            return value.kind
        return _NAME if self.named or (self.link and self.last) else ""

    @property
    def named(self) -> bool:
        """Whether it holds a name."""
        return any(
            (word.name and not _is_noun(word)) or word.value or word.text[0] > _UNSPACED
            for word in self.words
        )

    @property
    def tools(self) -> set[str]:
        """What its tools are for, where that is known."""
        return {word.value.kind for word in self.words if word.value}

    @property
    def link(self) -> str:
        """The group of small words that leads to it."""
        link = self.words[0].link
        return next((group for group, links in _LINKS.items() if link in links), "")

    @property
    def is_path(self) -> bool:
        """Whether it names a file or a folder."""
        return any("/" in word.text for word in self.words)

    @property
    def shown(self) -> str:
        """The words as a person reads them."""
        return f'"{" ".join(word.text for word in self.words[:_SHOWN])}"'


_SHOWN = 4
_NAME, _TOOL = "name", "tool: "
_UNSPACED = "\u3000"
"""From here on letters stand without spaces between words, and without capitals."""
_LINKS = {
    "place": frozenset(["in", "on", "at", "from", "im", "bei", "dans", "sur", "chez", "en"]),
    "to": frozenset(["to", "auf", "zu", "\u00e0"]),
    "means": frozenset(
        ["by", "with", "via", "through", "mit", "von", "over", "avec", "con", "por", "pela", "da"]
    ),
    "is": frozenset(
        ["is", "are", "be", "as", "ist", "est", "es", "\u00e8", "\u00e9", ":", "=", "named", "called"]
    ),
}


def _is_noun(word: Word) -> bool:
    """Tell whether a capital is only that of a noun behind an article."""
    return word.link in ARTICLES and word.text[1:].islower()


@value_class(frozen=True, slots=True)
class Sides:
    """Two statements beside each other."""

    one: Side
    two: Side

    def about_one_thing(self) -> bool:
        """Tell whether they share what they are about, and no word is told apart in both."""
        one, two = self.one, self.two
        if not one.shared or not two.shared:
            return False
        if one.first not in one.shared and two.first not in two.shared:
            return False
        theirs = two.apart
        return not any(theirs.get(stem, own) != own for stem, own in one.apart.items())


def _share(side: Side, rival: Run | None = None) -> float:
    """Return how much of a statement the other has too, values and the rival aside."""
    own = [word for run in side.runs() if run != rival for word in run.words if word.value is None]
    own = [word for word in own if word.stem not in _ANYWHERE]
    return len(side.shared) / (len(side.shared) + len(own))


def _side(one: Statement, other: Statement) -> Side:
    stems, known = one.stems, other.keys
    shared = {at for at, stem in enumerate(stems) if not known.isdisjoint([stem, *parts(stem)])}
    for at, pair in enumerate(pairwise(stems)):
        if "".join(pair) in other.stems:
            shared |= {at, at + 1}
    return Side(one.words, frozenset(at for at in shared if stems[at] not in _ANYWHERE))


_ANYWHERE = frozenset(["user", "this"])
"""Words that do not tell what a statement is about."""


def _reach(one: Statement, two: Statement, both: Sides) -> str:
    """Judge "only Chrome" against "both Chrome and Firefox"."""
    alike = max(_share(both.one), _share(both.two)) > _HALF
    return "one says only, the other both" if {one.reach, two.reach} == {"only", "both"} and alike else ""


_HALF = 0.5


def _permission(one: Statement, two: Statement, both: Sides) -> str:
    """Judge what is forbidden or not needed against what is allowed or wanted."""
    if one.denies == two.denies or one.taken_back or two.taken_back:
        return ""
    changes = one.changes or two.changes
    if (one.limited != two.limited and not changes) or _scoped(list(both.one.runs()), list(both.two.runs())):
        return ""
    least = _MOST if changes or one.permits or two.permits else 1
    holds = any(
        len(small.shared) >= max(_LEAST, least * (len(small.shared) + _own(small))) and _own(large) <= _ADDED
        for small, large in ((both.one, both.two), (both.two, both.one))
    )
    return "one denies what the other says" if holds else ""


def _own(side: Side) -> int:
    return len([word for run in side.runs() for word in run.words if word.stem not in _ANYWHERE])


_LEAST, _MOST, _ADDED = 2, 0.6, 2


def _rivals(one: Statement, two: Statement, both: Sides) -> str:
    """Judge values or names of one kind of which a thing has one."""
    if one.denies != two.denies:
        return ""
    mine, other = list(both.one.runs()), list(both.two.runs())
    pairs = [(a, b) for a in mine for b in other if _are_rivals(a, b)]
    if len({a.kind for a, _ in pairs}) != 1:
        return ""
    changes = one.changes or two.changes
    if not changes and one.limited != two.limited:
        return ""
    if one.denies:  # two things that must not be do not exclude each other, two bounds do
        pairs = [(a, b) for a, b in pairs if a.kind.startswith(_PRECISE)]
    found = (f"{a.shown} or {b.shown}" for a, b in pairs if _exclude(both, a, b, changes=changes))
    return next(found, "")


def _exclude(both: Sides, mine: Run, other: Run, *, changes: bool) -> bool:
    """Tell whether only one of two runs can hold of the thing that both statements are about."""
    ours, theirs = ([one for one in side.runs() if one not in (mine, other)] for side in (both.one, both.two))
    if _scoped(ours, theirs):
        return False
    rest = _share(both.one, mine), _share(both.two, other)
    if changes:
        return _fits_change(mine, other, rest)
    return _fits(mine, other, rest, min(len(both.one.shared), len(both.two.shared)))


def _scoped(mine: Sequence[Run], other: Sequence[Run]) -> bool:
    """Tell whether both are limited, to different things: "for images", "for videos"."""
    ours, theirs = ({run.words[0].link for run in runs} for runs in (mine, other))
    kinds = {run.kind for run in mine if run.words[0].value} & {
        run.kind for run in other if run.words[0].value
    }
    return bool((ours & theirs) - {"", "be", *COPULAS} or kinds)


def _are_rivals(one: Run, two: Run) -> bool:
    same = bool(one.kind) and one.kind == two.kind
    if any(here.is_path and not there.start and not there.link for here, there in ((one, two), (two, one))):
        return False  # who does it, and where it is
    if len({*one.tools, *two.tools}) > 1 and one.kind == _NAME and one.tools and two.tools:
        return False
    named = one.kind != _NAME or one.named or two.named
    return same and named and {word.stem for word in one.words} != {word.stem for word in two.words}


def _fits_change(one: Run, two: Run, rest: tuple[float, float]) -> bool:
    if one.kind != _NAME:
        return min(rest) >= _HALF
    links = {one.link, two.link} - {"", "to"}
    if not (one.named and two.named):
        return len(links) <= 1 and min(rest) >= _HALF and bool(one.link and two.link)
    direct = any(run.start and not run.link for run in (one, two))
    if ("means" in links and "to" in (one.link, two.link)) or ("place" in links and direct):
        return min(rest) == 1  # "sits in Lyon", "uses Airflow now": two things that are said of one
    return min(rest) > _HALF if len(links) > 1 else min(rest) >= _HALF


def _fits(one: Run, two: Run, rest: tuple[float, float], shared: int) -> bool:
    """Tell whether two values exclude each other although nothing is said to have changed."""
    if one.kind.startswith(_RARE):
        return min(rest) >= _HALF
    if one.kind != _NAME:
        return (max(rest) == 1 and min(rest) >= _HALF) or (shared >= _MANY and min(rest) >= _MOST)
    links = {one.link, two.link} - {""}
    placed = len(links) == 1 if one.named and two.named else one.link == two.link
    if placed and one.words[0].link == two.words[0].link != "":
        return max(rest) == 1 and min(rest) > _HALF
    return min(rest) == 1 and placed


_MANY = 3
_RARE = ("amount money", "amount share", "address", "language")
_PRECISE = ("amount", "date", "day", "time", "address")
