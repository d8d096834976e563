"""Whether two statements in other words say two things of one: a rival value, an announced change, an end.

They are about one thing when they share what they begin with and no shared word is
told apart in both ("the login page", "the export page").
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product

from memdir.memories.contradiction.statement import ARTICLES, COPULAS, Statement, Word, parts
from memdir.text.value import value_class

__all__ = ["judge_paraphrase"]

_NAME, _TOOL = "name", "tool: "
_UNSPACED = "\u3000"
"""From here on letters stand without spaces between words, and without capitals."""
_ANYWHERE = frozenset(["user", "this"])
"""Words that do not tell what a statement is about."""
_LINKS = {
    link: group
    for group, links in {
        "place": "in on at from im bei dans sur chez en",
        "to": "to auf zu à",
        "means": "by with via through mit von over avec con por pela da",
        "is": "is are be as ist est es è é : = named called",
    }.items()
    for link in links.split()
}
_SHOWN, _HALF, _LEAST, _MOST, _ADDED, _MANY = 4, 0.5, 2, 0.6, 2, 3
_RARE = ("amount money", "amount share", "address", "language")
_PRECISE = ("amount", "date", "day", "time", "address")


def judge_paraphrase(one: Statement, two: Statement) -> str:
    """Return how two statements in other words may contradict each other; empty when nothing says so."""
    if one.adds or two.adds or one.keys.isdisjoint(two.keys):
        return ""
    mine, other = _Side(one, two), _Side(two, one)
    if not _about_one_thing(mine, other):
        return ""
    if {one.reach, two.reach} == {"only", "both"} and max(mine.share(), other.share()) > _HALF:
        return "one says only, the other both"
    return _judge_permission(mine, other) or _judge_rivals(mine, other)


@value_class(frozen=True, slots=True)
class _Run:
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

    @property
    def shown(self) -> str:
        return f'"{" ".join(word.text for word in self.words[:_SHOWN])}"'


class _Side:
    """A statement as the other sees it: which of its words the other has too."""

    def __init__(self, one: Statement, other: Statement) -> None:
        self.statement, self.words, stems = one, one.words, one.stems
        shared = {at for at, stem in enumerate(stems) if not other.keys.isdisjoint([stem, *parts(stem)])}
        for at, pair in enumerate(pairwise(stems)):
            if "".join(pair) in other.stems:
                shared |= {at, at + 1}
        self.shared = frozenset(at for at in shared if stems[at] not in _ANYWHERE)
        self.runs = list(self._find_runs())

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

    @cached_property
    def begins_alike(self) -> bool:
        """Whether the other has the first word that is no value."""
        plain = (at for at, one in enumerate(self.words) if one.value is None and one.stem not in _ANYWHERE)
        return next(plain, None) in self.shared

    def _find_runs(self) -> Iterator[_Run]:
        """Yield the words that the other has not, those together that no small word parts."""
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

    def share(self, rival: _Run | None = None) -> float:
        """Return how much of the statement the other has too, values and the rival aside."""
        own = [word for run in self.runs if run != rival for word in run.words if word.value is None]
        own = [word for word in own if word.stem not in _ANYWHERE]
        return len(self.shared) / (len(self.shared) + len(own))

    def own(self) -> int:
        """Return how many words of its own it has."""
        return len([word for run in self.runs for word in run.words if word.stem not in _ANYWHERE])


def _about_one_thing(one: _Side, two: _Side) -> bool:
    """Tell whether they share what they are about, and no word is told apart in both."""
    if not one.shared or not two.shared or not (one.begins_alike or two.begins_alike):
        return False
    theirs = two.apart()
    return not any(theirs.get(stem, own) != own for stem, own in one.apart().items())


def _judge_permission(mine: _Side, other: _Side) -> str:
    """Judge what is forbidden or not needed against what is allowed or wanted."""
    one, two = mine.statement, other.statement
    if one.denies == two.denies or one.taken_back or two.taken_back:
        return ""
    changes = one.changes or two.changes
    if (one.limited != two.limited and not changes) or _scoped(mine.runs, other.runs):
        return ""
    least = _MOST if changes or one.permits or two.permits else 1
    holds = any(
        len(small.shared) >= max(_LEAST, least * (len(small.shared) + small.own())) and large.own() <= _ADDED
        for small, large in ((mine, other), (other, mine))
    )
    return "one denies what the other says" if holds else ""


def _judge_rivals(mine: _Side, other: _Side) -> str:
    """Judge values or names of one kind of which a thing has one."""
    one, two = mine.statement, other.statement
    changes = one.changes or two.changes
    pairs = [(a, b) for a, b in product(mine.runs, other.runs) if _are_rivals(a, b)]
    if one.denies != two.denies or len({a.kind for a, _ in pairs}) != 1:
        return ""
    if not changes and one.limited != two.limited:
        return ""
    for a, b in pairs:
        if one.denies and not a.kind.startswith(_PRECISE):
            continue  # two things that must not be do not exclude each other, two bounds do
        ours, theirs = ([run for run in side.runs if run not in (a, b)] for side in (mine, other))
        rest, shared = (mine.share(a), other.share(b)), min(len(mine.shared), len(other.shared))
        fits = _fit_change(a, b, rest) if changes else _fit(a, b, rest, shared)
        if fits and not _scoped(ours, theirs):
            return f"{a.shown} or {b.shown}"
    return ""


def _scoped(mine: Sequence[_Run], other: Sequence[_Run]) -> bool:
    """Tell whether both are limited, to different things: "for images", "for videos"."""
    ours, theirs = ({run.words[0].link for run in runs} for runs in (mine, other))
    kinds, rivals = ({run.kind for run in runs if run.words[0].value} for runs in (mine, other))
    return bool((ours & theirs) - {"", "be", *COPULAS} or kinds & rivals)


def _are_rivals(one: _Run, two: _Run) -> bool:
    for here, there in ((one, two), (two, one)):
        if any("/" in word.text for word in here.words) and not there.start and not there.link:
            return False  # who does it, and where it is
    tools = [{word.value.kind for word in run.words if word.value} for run in (one, two)]
    if one.kind == _NAME and all(tools) and len(tools[0] | tools[1]) > 1:
        return False
    named = one.kind != _NAME or one.named or two.named
    differ = {word.stem for word in one.words} != {word.stem for word in two.words}
    return bool(one.kind) and one.kind == two.kind and named and differ


def _fit_change(one: _Run, two: _Run, rest: tuple[float, float]) -> bool:
    if one.kind != _NAME:
        return min(rest) >= _HALF
    links = {one.link, two.link} - {"", "to"}
    if not (one.named and two.named):
        return len(links) <= 1 and min(rest) >= _HALF and bool(one.link and two.link)
    direct = any(run.start and not run.link for run in (one, two))
    if ("means" in links and "to" in (one.link, two.link)) or ("place" in links and direct):
        return min(rest) == 1  # "sits in Lyon", "uses Airflow now": two things that are said of one
    return min(rest) > _HALF if len(links) > 1 else min(rest) >= _HALF


def _fit(one: _Run, two: _Run, rest: tuple[float, float], shared: int) -> bool:
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
