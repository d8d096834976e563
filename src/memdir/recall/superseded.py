"""Of memories that contradict each other the newest is shown, and says what it replaces.

A private memory comes before one of the team, whichever is newer.

A host waits for this module: it imports late.
"""

from collections.abc import Sequence
from datetime import datetime

from memdir.memories.names import is_team_file, replacements
from memdir.memories.topic import Header, Topic
from memdir.recall.rank import REPLACED, Ranked
from memdir.text.frontmatter.header import parse
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class
from memdir.text.word_starts import word_starts

__all__ = ["NewerWins", "newer_wins", "without_replaced"]

_TEXTS = Templates(__file__)

_SHARED = 2
"""Words that two descriptions share before the rules are loaded: most prompts need none of them."""

_LEAST = 0.001
"""Probability from which an older memory is worth the comparison: one below is shown by nobody."""

_OLDER, _NEWER = 200, 20
"""Ranked memories of which an older one is looked for, and a newer one that contradicts it."""


@value_class(frozen=True, slots=True)
class NewerWins:
    """Ranked memories without those that a newer one contradicts."""

    ranked: list[Ranked]
    all: list[Ranked]
    """With the older ones behind the others."""
    cuts: dict[str, str]
    """Why the older ones are left out, by file."""
    lines: dict[str, tuple[str, ...]]
    """What the newer ones say of them, by file."""


def newer_wins(ranked: Sequence[Ranked], enough: float) -> NewerWins:
    """Leave out what a newer memory contradicts, where one of the two helps with at least that probability.

    The newer gets the probability of both: judged as rivals, each of them made the other less probable.
    """
    current = [
        one
        for one in ranked[:_OLDER]
        if not any(note.startswith((REPLACED, "expired")) for note in one.notes)
    ]
    scores = {one.header.file: one.score for one in current}
    cuts, lines = dict[str, str](), dict[str, tuple[str, ...]]()
    for old in sorted([one.header for one in current if one.score >= _LEAST or not enough], key=_rank):
        newer = [
            one.header for one in current[:_NEWER] if scores[one.header.file] + scores[old.file] >= enough
        ]
        new = next((one for one in newer if _says_otherwise(one, old)), None)
        if new is not None:
            scores[new.file] = min(1.0, scores[new.file] + scores[old.file])
            cuts[old.file] = _because(new, old)
            lines[new.file] = (*lines.get(new.file, ()), _newer_than(old))
    if not cuts:
        return NewerWins([*ranked], [*ranked], cuts, lines)
    found = [replace(one, score=scores.get(one.header.file, one.score)) for one in ranked]
    found.sort(key=lambda one: one.header.file in cuts)
    return NewerWins([one for one in found if one.header.file not in cuts], found, cuts, lines)


def _rank(header: Header) -> tuple[bool, datetime]:
    """Return what decides between two that contradict each other: the user's own, then the newer one."""
    return not is_team_file(header.file), header.saved_at


def _because(new: Header, old: Header) -> str:
    which = "a newer" if is_team_file(new.file) == is_team_file(old.file) else "a private"
    return f"{which} memory says otherwise: {new.file}"


def _says_otherwise(new: Header, old: Header) -> bool:
    if _rank(new) <= _rank(old):
        return False
    if len(word_starts(new.description) & word_starts(old.description)) < _SHARED:
        return False
    from memdir.memories.contradiction.judge import may_contradict  # whose rules few prompts need

    return bool(may_contradict(old.description, new.description, sure=True))


def replaced_lines(topic: Topic) -> tuple[str, ...]:
    """Return a line for each memory that this one says it replaces."""
    if "supersedes" not in topic.text:
        return ()
    named = replacements(parse(topic.text).metadata.get("supersedes", ""))
    return tuple([_line("replaces", name, day) for name, day in named])


def without_replaced(topics: Sequence[Topic]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return which of the chosen are not shown beside a newer one and why, and what that one says of it."""
    cuts: dict[str, str] = {}
    lines: dict[str, tuple[str, ...]] = {topic.header.file: replaced_lines(topic) for topic in topics}
    starts = {topic.header.file: word_starts(topic.header.description) for topic in topics}
    by_age = sorted(topics, key=lambda topic: _rank(topic.header))
    for at, old in enumerate(by_age):
        for new in by_age[at + 1 :]:
            alike = starts[old.header.file] & starts[new.header.file]
            if _rank(new.header) == _rank(old.header) or not alike or not _contradict(old, new):
                continue
            cuts[old.header.file] = _because(new.header, old.header)
            lines[new.header.file] += (_newer_than(old.header),)
            break
    return cuts, lines


def _contradict(one: Topic, two: Topic) -> bool:
    from memdir.memories.contradiction.judge import may_contradict  # whose rules few prompts need

    return bool(may_contradict(_topic_text(one), _topic_text(two), sure=True))


def _topic_text(topic: Topic) -> str:
    return f"{topic.header.description}\n{topic.body}"


def _newer_than(old: Header) -> str:
    return _line("contradicts", old.name, f"{old.saved_at:%Y-%m-%d}")


def _line(text: str, name: str, day: str) -> str:
    if not day:
        return _TEXTS.fill_escaped(text, name=name)
    return _TEXTS.fill_escaped(f"{text}_of", name=name, day=day)
