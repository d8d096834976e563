"""Whether two memories may contradict each other: one says of a thing what the other says otherwise.

Two statements about the same thing that differ in one value (a day, a number, a name, a tool), or of which
one denies what the other says, takes it back in so many words ("no longer on Tuesdays"), or announces a
change in words of its own ("moved to Leipzig"). Two things that merely look alike ("the API timeout",
"the database timeout") differ in more than the value.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product

from memdir.memories.contradiction.statement import (
    ARTICLES,
    COPULAS,
    PLACING,
    TABLE,
    Statement,
    Word,
    parts,
    statements,
)
from memdir.resources import rows_of
from memdir.text.value import value_class

__all__ = ["contradicts_itself", "may_contradict"]

_NAME, _TOOL = "name", "tool: "
_UNSPACED = "\u3000"
"""From here on letters stand without spaces between words, and without capitals."""
_ANYWHERE = frozenset(["user", "this"])
"""Words that do not tell what a statement is about."""
_LINKS = {link: group for group, links in rows_of(TABLE["links"]).items() for link in links.split()}
"""Small words that lead to a value, by their group."""
_SHOWN, _HALF, _LEAST, _MOST, _SEVERAL = 4, 0.5, 2, 0.6, 3
_RARE = ("amount money", "amount share", "address", "language")
_ONE_ONLY = ("amount", "date", "day", "time", "address")


def judge_paraphrase(one: Statement, two: Statement) -> str:
    """Return how two statements in other words may contradict each other; empty when nothing says so."""
    if one.adds or two.adds or one.keys.isdisjoint(two.keys):
        return ""
    mine, other = _Side(one, two), _Side(two, one)
    if not mine.shared or not other.shared or not (mine.begins_alike or other.begins_alike):
        return ""
    theirs = other.distinguishing_words()
    if any(theirs.get(stem, own) != own for stem, own in mine.distinguishing_words().items()):
        return ""  # a word is told apart in both
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
        return _quote(self.words[:_SHOWN])


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

    def distinguishing_words(self) -> dict[str, str]:
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

    def count_own(self) -> int:
        """Return how many words of its own it has."""
        return len([word for run in self.runs for word in run.words if word.stem not in _ANYWHERE])


def _judge_permission(mine: _Side, other: _Side) -> str:
    """Judge what is forbidden or not needed against what is allowed or wanted."""
    one, two = mine.statement, other.statement
    if one.denies == two.denies or one.taken_back or two.taken_back:
        return ""
    changes = one.changes or two.changes
    if (one.limited != two.limited and not changes) or _differ_in_scope(mine.runs, other.runs):
        return ""
    least = _MOST if changes or one.permits or two.permits else 1
    holds = any(
        len(small.shared) >= max(_LEAST, least * (len(small.shared) + small.count_own()))
        and large.count_own() <= _ADDED
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
        if one.denies and not a.kind.startswith(_ONE_ONLY):
            continue  # two things that must not be do not exclude each other, two bounds do
        ours, theirs = ([run for run in side.runs if run not in (a, b)] for side in (mine, other))
        rest, shared = (mine.share(a), other.share(b)), min(len(mine.shared), len(other.shared))
        fits = _fit_change(a, b, rest) if changes else _fit(a, b, rest, shared)
        if fits and not _differ_in_scope(ours, theirs):
            return f"{a.shown} or {b.shown}"
    return ""


def _differ_in_scope(mine: Sequence[_Run], other: Sequence[_Run]) -> bool:
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
        return (max(rest) == 1 and min(rest) >= _HALF) or (shared >= _SEVERAL and min(rest) >= _MOST)
    links = {one.link, two.link} - {""}
    placed = len(links) == 1 if one.named and two.named else one.link == two.link
    if placed and one.words[0].link == two.words[0].link != "":
        return max(rest) == 1 and min(rest) > _HALF
    return min(rest) == 1 and placed


_FIRST = 2
"""Statements of a memory that say what it is about."""
_ADDED = 2
"""Words that a memory may say besides what is gone or taken back."""
_RUN = 4
"""Words of the run in which two statements may differ."""
_MANY = ("amount", "date", "address")
"""Kinds of values of which a memory may hold many, each for another thing."""
_PRECISE = ("amount", "date", "day", "time")
"""Kinds of values of which a thing has one, however few words say which thing it is."""
_OWNING, _NUMBERED = (frozenset(TABLE[name][0].split()) for name in ("owning", "numbered"))


def may_contradict(one: str, two: str, *, sure: bool = False) -> str:
    """Return how two texts may contradict each other, in words; empty when nothing says so.

    With `sure` both have to say it in nearly the same words: nine in ten such findings are right, and every
    second one of the others. That is enough for a hint, and too little for leaving a memory out.
    """
    first, second = statements(one), statements(two)
    here, there = _environments(first[:1]), _environments(second[:1])
    if here and there and here.isdisjoint(there):
        return ""  # what holds in staging need not hold in production
    plain = (because for pair in product(first, second) if (because := _judge(*pair)))
    if because := next(plain, "") or _judge_end(first, second) or _judge_end(second, first):
        return because
    if sure:
        return ""
    pairs = product((*first[:_FIRST], *_clauses(one)), (*second[:_FIRST], *_clauses(two)))
    return next((because for pair in pairs if (because := judge_paraphrase(*pair))), "")


def contradicts_itself(text: str) -> str:
    """Return how two statements of one text may contradict each other; empty when nothing says so."""
    found = statements(text)
    pairs = ((mine, other) for at, mine in enumerate(found) for other in found[at + 1 :])
    return next((because for pair in pairs if (because := _judge(*pair) or judge_paraphrase(*pair))), "")


def _clauses(text: str) -> tuple[Statement, ...]:
    """Return the first parts of a text that commas part, where it has any."""
    line = text.partition("\n")[0]
    if ", " not in line or any(one.adds for one in statements(text)[:_FIRST]):
        return ()
    return statements(line.replace(", ", "; "))[:_FIRST]


def _environments(found: Sequence[Statement]) -> set[str]:
    words = (word for one in found for word in one.words)
    return {word.stem for word in words if word.value and word.value.kind == "environment"}


def _judge(one: Statement, two: Statement) -> str:
    if because := _judge_withdrawal(one, two) or _judge_withdrawal(two, one):
        return because
    if one.denies or two.denies or one.adds or two.adds:
        return ""  # two things that must not be, or are so besides, do not exclude each other
    ordered = any(word.link == "over" for word in (*one.words, *two.words))
    if ordered and one.stems != two.stems and sorted(one.stems) == sorted(two.stems):
        return "the other way round"  # "tabs over spaces", "spaces over tabs"
    return _judge_values(one, two)


def _judge_withdrawal(new: Statement, old: Statement) -> str:
    """Judge "no longer on Tuesdays", "instead of webpack" against a statement that says just that."""
    if old.denies:
        return ""
    said, kinds = set(old.stems), {word.value.kind for word in new.words if word.value}
    for gone in new.taken_back:
        rest, about = said - set(gone), set(new.stems) - set(gone)
        rival = any(word.stem in gone and word.value and word.value.kind in kinds for word in old.words)
        rival = rival or (bool(gone) and old.words[-1].stem == gone[-1] and old.words[-1].name)
        if gone and set(gone) <= said and (not rest or rest & about or not about or rival):
            return f"{_quote([word for word in old.words if word.stem in gone])} is taken back"
    return ""


def _judge_end(new: Sequence[Statement], old: Sequence[Statement]) -> str:
    """Judge "EMR is switched off" against the first words of a memory that builds on it."""
    known = {stem for one in new for stem in one.stems}
    for gone, other in product((name for one in new for name in one.ended), old[:_FIRST]):
        about = set(other.stems) - {gone}
        plain = not (other.denies or other.ended) and gone in other.stems
        if plain and (about & known or len(about) <= _ADDED or gone == other.stems[0]):
            return f"{_quote([word for word in other.words if word.stem == gone][:1])} is gone"
    ended = [frozenset(phrase) for one in new[:_FIRST] for phrase in one.over if phrase]
    for other, phrase in product(old[:_FIRST], ended):
        begins = other.stems[0] in phrase or len(phrase) > 1
        if begins and phrase <= set(other.stems) and not other.over:
            return f"{_quote([word for word in other.words if word.stem in phrase])} is gone"
    return ""


def _judge_values(one: Statement, two: Statement) -> str:
    """Judge two statements that are the same but for one run of words."""
    first, second = one.stems, two.stems
    start = _common(first, second)
    end = min(_common(first[::-1], second[::-1]), len(first) - start, len(second) - start)
    mine, other = one.words[start : len(first) - end], two.words[start : len(second) - end]
    because = f"{_quote(mine)} or {_quote(other)}"
    if len(first) == len(second) == 1 and not start:  # "I prefer tabs"
        kinds = [word.value.kind if word.value else "" for word in (*mine, *other)]
        return because if kinds[0] == kinds[1] != "" and not kinds[0].startswith(_MANY) else ""
    if not mine or not other or len(mine) > _RUN or len(other) > _RUN or not (start or end):
        return ""
    # The small words around the run may differ, so both have to leave room for one only.
    here = _exclude(mine, other, one.words[:start], one.words[len(first) - end :])
    there = _exclude(other, mine, two.words[:start], two.words[len(second) - end :])
    return because if here and there else ""


def _exclude(
    mine: Sequence[Word], other: Sequence[Word], before: Sequence[Word], after: Sequence[Word]
) -> bool:
    """Tell whether only one of two runs can hold where they stand."""
    values = [one.value for one in (*mine, *other)]
    if all(values):  # of one kind they exclude each other, unless one set holds the other
        first, second = ({one.value for one in words if one.value} for words in (mine, other))
        same = {one.kind for one in first} == {one.kind for one in second}
        return same and not (first <= second or second <= first) and not _is_numbered(before)
    if any(one is not None and one.kind.startswith(_PRECISE) for one in values):
        return False  # "3 in the client", "10 in the worker": not the value alone is another
    if not before:
        owns = bool(after) and (after[0].stem in _OWNING or after[0].link in ARTICLES)
        return owns and mine[0].name and other[0].name and len(mine) == len(other) == 1
    if any(one.link for one in (*mine[1:], *other[1:])):
        return False  # more than a name differs
    return _fills_one_place(mine[0], other[0], before, few=len(after) <= 1)


def _fills_one_place(one: Word, two: Word, before: Sequence[Word], *, few: bool) -> bool:
    """Tell whether two words stand where there is one only: "the provider is …", "… are kept in …"."""
    links, named = {word.link or before[-1].link for word in (one, two)}, one.name and two.name
    if links <= COPULAS | ARTICLES:
        return named and (len(before) > 1 or before[0].link in ARTICLES)
    return len(links) == 1 and links <= PLACING and (len(before) > 1 or named) and few


def _is_numbered(words: Sequence[Word]) -> bool:
    """Tell whether a number numbers things of which there are many: version 2, sprint 12."""
    pairs = zip(words, [*words[1:], None], strict=False)
    return any(one.stem in _NUMBERED and (two is None or two.value) for one, two in pairs)


def _quote(words: Sequence[Word]) -> str:
    return f'"{" ".join(word.text for word in words)}"'


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many words two lists begin with alike."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))
