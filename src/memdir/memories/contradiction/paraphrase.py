"""Whether two statements in different words may contradict each other.

The words that both have, in some form, are their subject. The other words of each form runs. The statements
contradict each other when

1. one says "only" and the other "both";
2. one denies what the other says;
3. a run of the one is a rival of a run of the other: another value of the same kind, or another name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product

from memdir.memories.contradiction.statement import (
    ARTICLES,
    COPULAS,
    Statement,
    Word,
    hyphen_parts,
    quote,
)
from memdir.memories.contradiction.values import TABLE
from memdir.resources import rows_of
from memdir.text.value import value_class

__all__ = ["judge_paraphrase"]

_LINKS = {link: group for group, links in rows_of(TABLE["links"]).items() for link in links.split()}
"""Small words that lead to a value, by their group."""
_ANYWHERE = frozenset(["user", "this"])
"""Words that do not tell what a statement is about."""
_UNSPACED = "\u3000"
"""From here on letters stand without spaces between words, and without capitals."""
_NAME, _TOOL = "name", "tool: "
_UNMISTAKABLE = ("amount money", "amount share", "address", "language")
"""Kinds of values of which a thing rarely has two."""
_EXCLUSIVE = ("amount", "date", "day", "time", "address")
"""Kinds of values of which two exclude each other even where both are denied: these are bounds."""
_QUOTED = 4
"""Words of a run that a reason names."""
_ADDED = 2
"""Words that a statement may have besides what the other denies."""
_HALF, _MOST = 0.5, 0.6
"""Shares of a statement that the other has too."""
_LEAST, _SEVERAL = 2, 3
"""How many common words a denial needs, and how many allow two values to differ among other words."""


def judge_paraphrase(one: Statement, two: Statement) -> str:
    """Return how two statements in other words may contradict each other; empty when nothing says so."""
    if one.adds or two.adds or one.keys.isdisjoint(two.keys):
        return ""
    mine, other = _Side(one, two), _Side(two, one)
    if not mine.shared or not other.shared or not (mine.begins_alike or other.begins_alike):
        return ""
    theirs = other.distinguishing_words()
    if any(theirs.get(place, word) != word for place, word in mine.distinguishing_words().items()):
        return ""  # the login page, the export page
    if {one.reach, two.reach} == {"only", "both"} and max(mine.share(), other.share()) > _HALF:
        return "one says only, the other both"
    return _judge_denial(mine, other) or _judge_rivals(mine, other)


@value_class(frozen=True, slots=True)
class _Run:
    """Words that only one of two statements has."""

    words: tuple[Word, ...]
    start: int
    last: bool = False
    """Whether the statement ends with it."""

    @property
    def kind(self) -> str:
        """What may stand in its place: a value of its kind, or another name; empty for neither."""
        kind = self.words[0].kind
        if kind and not kind.startswith(_TOOL):
            return kind
        return _NAME if self.named or (self.link and self.last) else ""

    @property
    def named(self) -> bool:
        """Whether it holds a name; behind an article a capital may be only that of a noun."""
        return any(
            word.value
            or word.text[0] > _UNSPACED
            or (word.name and not (word.link in ARTICLES and word.text[1:].islower()))
            for word in self.words
        )

    @property
    def link(self) -> str:
        """The group of small words that leads to it."""
        return _LINKS.get(self.words[0].link, "")


class _Side:
    """One of two statements: the words that the other has too, and the runs that it has not."""

    def __init__(self, one: Statement, other: Statement) -> None:
        self.statement, self.words, stems = one, one.words, one.stems
        shared = {
            at for at, stem in enumerate(stems) if not other.keys.isdisjoint([stem, *hyphen_parts(stem)])
        }
        for at, pair in enumerate(pairwise(stems)):
            if "".join(pair) in other.stems:
                shared |= {at, at + 1}
        self.shared = frozenset(at for at in shared if stems[at] not in _ANYWHERE)
        """The places of the words that both have."""
        self.runs = list(self._find_runs())

    def _find_runs(self) -> Iterator[_Run]:
        """Yield the words that the other has not; a small word or a value begins a new run."""
        run: list[Word] = []
        start = 0
        for at, word in enumerate(self.words):
            if run and (at in self.shared or word.link or word.value or run[-1].value):
                yield _Run(tuple(run), start)
                run = []
            if at not in self.shared:
                start = start if run else at
                run.append(word)
        if run:
            yield _Run(tuple(run), start, last=True)

    @cached_property
    def begins_alike(self) -> bool:
        """Whether the other has the first word that is no value."""
        places = (at for at, word in enumerate(self.words) if not word.value and word.stem not in _ANYWHERE)
        return next(places, None) in self.shared

    def distinguishing_words(self) -> dict[str, str]:
        """Return the words that tell which of several things a shared word means, by where they stand.

        The "login" of "login page" stands before "page"; that of "page login" stands behind it.
        """
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
        """Tell whether this word, which the other has not, may say which of several things is meant."""
        word = self.words[at]
        plain = not word.value or word.kind.startswith(_TOOL)
        return plain and at not in self.shared and word.stem not in _ANYWHERE

    def share(self, rival: _Run | None = None) -> float:
        """Return how much of the statement the other has too, values and the rival aside."""
        own = [word for run in self.runs if run != rival for word in run.words if not word.value]
        return len(self.shared) / (len(self.shared) + _count_telling(own))

    def count_own(self) -> int:
        """Return how many words it has that the other has not."""
        return _count_telling([word for run in self.runs for word in run.words])


def _count_telling(words: Sequence[Word]) -> int:
    return len([word for word in words if word.stem not in _ANYWHERE])


def _judge_denial(mine: _Side, other: _Side) -> str:
    """Judge what is forbidden or not needed against what is allowed or wanted."""
    one, two = mine.statement, other.statement
    changes = one.changes or two.changes
    if one.denies == two.denies or one.taken_back or two.taken_back:
        return ""
    if (one.limited != two.limited and not changes) or _differ_in_scope(mine.runs, other.runs):
        return ""
    least = _MOST if changes or one.permits or two.permits else 1
    for small, large in ((mine, other), (other, mine)):
        common, own = len(small.shared), small.count_own()
        if common >= max(_LEAST, least * (common + own)) and large.count_own() <= _ADDED:
            return "one denies what the other says"
    return ""


def _judge_rivals(mine: _Side, other: _Side) -> str:
    """Judge values or names of one kind of which a thing has one."""
    one, two = mine.statement, other.statement
    changes = one.changes or two.changes
    pairs = [(a, b) for a, b in product(mine.runs, other.runs) if _are_rivals(a, b)]
    if one.denies != two.denies or len({a.kind for a, _ in pairs}) != 1:
        return ""
    if one.limited != two.limited and not changes:
        return ""
    if one.denies and not pairs[0][0].kind.startswith(_EXCLUSIVE):
        return ""  # two things that must not be do not exclude each other, two bounds do
    for a, b in pairs:
        ours, theirs = ([run for run in side.runs if run not in (a, b)] for side in (mine, other))
        shares, common = (mine.share(a), other.share(b)), min(len(mine.shared), len(other.shared))
        fits = _fit_change(a, b, shares) if changes else _fit(a, b, shares, common)
        if fits and not _differ_in_scope(ours, theirs):
            return f"{quote(a.words[:_QUOTED])} or {quote(b.words[:_QUOTED])}"
    return ""


def _differ_in_scope(mine: Sequence[_Run], other: Sequence[_Run]) -> bool:
    """Tell whether both are limited, to different things: "for images", "for videos"."""
    ours, theirs = ({run.words[0].link for run in runs} for runs in (mine, other))
    kinds, rivals = ({run.kind for run in runs if run.words[0].value} for runs in (mine, other))
    return bool((ours & theirs) - {"", "be", *COPULAS} or kinds & rivals)


def _are_rivals(one: _Run, two: _Run) -> bool:
    """Tell whether one of two runs may stand in the place of the other."""
    for here, there in ((one, two), (two, one)):
        if any("/" in word.text for word in here.words) and not there.start and not there.link:
            return False  # who does it, and where it is
    kind = one.kind
    if not kind or kind != two.kind:
        return False
    if kind == _NAME:
        tools = [{word.kind for word in run.words if word.value} for run in (one, two)]
        if (all(tools) and len(tools[0] | tools[1]) > 1) or not (one.named or two.named):
            return False
    return {word.stem for word in one.words} != {word.stem for word in two.words}


def _fit_change(one: _Run, two: _Run, shares: tuple[float, float]) -> bool:
    """Tell whether one of two rivals has taken the place of the other, given that something has changed."""
    if one.kind != _NAME:
        return min(shares) >= _HALF
    links = {one.link, two.link} - {"", "to"}
    if not (one.named and two.named):
        return len(links) <= 1 and min(shares) >= _HALF and bool(one.link and two.link)
    direct = any(run.start and not run.link for run in (one, two))
    if ("means" in links and "to" in (one.link, two.link)) or ("place" in links and direct):
        return min(shares) == 1  # "sits in Lyon", "uses Airflow now": two things that are said of one
    return min(shares) > _HALF if len(links) > 1 else min(shares) >= _HALF


def _fit(one: _Run, two: _Run, shares: tuple[float, float], common: int) -> bool:
    """Tell whether two rivals exclude each other although nothing is said to have changed."""
    least, most = sorted(shares)
    if one.kind.startswith(_UNMISTAKABLE):
        return least >= _HALF
    if one.kind != _NAME:
        return (most == 1 and least >= _HALF) or (common >= _SEVERAL and least >= _MOST)
    links = {one.link, two.link} - {""}
    placed = len(links) == 1 if one.named and two.named else one.link == two.link
    if placed and one.words[0].link and one.words[0].link == two.words[0].link:
        return most == 1 and least > _HALF
    return placed and least == 1
