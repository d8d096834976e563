"""Of memories that contradict each other the newest is shown, and says what it replaces.

A private memory comes before one of the team, whichever is newer.

A host waits for this module: it imports late.
"""

from collections.abc import Sequence
from datetime import datetime

from memdir.memories.names import is_team_file, replacements
from memdir.memories.topic import Header, Topic
from memdir.recall.fusion import EXPIRED, REPLACED, Ranked
from memdir.text.frontmatter.header import parse
from memdir.text.templates import Templates
from memdir.text.value import replace
from memdir.text.word_starts import word_starts

__all__ = ["newer_ranked", "newer_topics"]

_TEXTS = Templates(__file__)

_SHARED = 2
"""Words that two descriptions share before they are compared by the rules."""

_LEAST = 0.001
"""Probability from which an older memory is worth the comparison: one below is shown by nobody."""

_OLDER, _NEWER = 200, 20
"""Ranked memories of which an older one is looked for, and a newer one that contradicts it."""


def newer_ranked(
    ranked: list[Ranked], enough: float
) -> tuple[list[Ranked], dict[str, str], dict[str, tuple[str, ...]]]:
    """Put what a newer memory contradicts behind the others, where one of both helps with `enough`.

    Return the memories, why the older ones are left out, and what the newer ones say of them, by file. The
    newer gets the probability of both: judged as rivals, each of them made the other less probable.
    """
    current = [
        one for one in ranked[:_OLDER] if not any(note.startswith((REPLACED, EXPIRED)) for note in one.notes)
    ]
    scores = {one.header.file: one.score for one in current}
    cuts, lines = dict[str, str](), dict[str, tuple[str, ...]]()
    for old in sorted([one.header for one in current if one.score >= _LEAST or not enough], key=_precedence):
        for new in [one.header for one in current[:_NEWER]]:
            both, texts = scores[new.file] + scores[old.file], (old.description, new.description)
            if both >= enough and _contradicts(new, old, texts, _SHARED):
                scores[new.file] = min(1.0, both)
                cuts[old.file] = _because(old, new)
                lines[new.file] = (*lines.get(new.file, ()), _newer_than(old))
                break
    if cuts:
        ranked = [replace(one, score=scores.get(one.header.file, one.score)) for one in ranked]
        ranked.sort(key=lambda one: one.header.file in cuts)
    return ranked, cuts, lines


def newer_topics(topics: Sequence[Topic]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return which of the chosen are not shown beside a newer one and why, and what each says it replaces."""
    cuts: dict[str, str] = {}
    lines = {topic.header.file: _replaced_lines(topic) for topic in topics}
    by_age = sorted(topics, key=lambda topic: _precedence(topic.header))
    for at, old in enumerate(by_age):
        for new in by_age[at + 1 :]:
            texts = [f"{one.header.description}\n{one.body}" for one in (old, new)]
            if _contradicts(new.header, old.header, texts, 1):
                cuts[old.header.file] = _because(old.header, new.header)
                lines[new.header.file] += (_newer_than(old.header),)
                break
    return cuts, lines


def _contradicts(new: Header, old: Header, texts: Sequence[str], shared: int) -> bool:
    """Return whether a memory wins over an older one whose text it contradicts.

    The descriptions have to share so many words: few prompts need the rules, which take long to load.
    """
    if _precedence(new) <= _precedence(old):
        return False
    if len(word_starts(new.description) & word_starts(old.description)) < shared:
        return False
    from memdir.memories.contradiction.judge import may_contradict

    return bool(may_contradict(*texts, sure=True))


def _precedence(header: Header) -> tuple[bool, datetime]:
    """Return what decides between two that contradict each other: the user's own, then the newer one."""
    return not is_team_file(header.file), header.saved_at


def _because(old: Header, new: Header) -> str:
    which = "a newer" if is_team_file(new.file) == is_team_file(old.file) else "a private"
    return f"{which} memory says otherwise: {new.file}"


def _newer_than(old: Header) -> str:
    return _TEXTS.fill_escaped("contradicts_of", name=old.name, day=f"{old.saved_at:%Y-%m-%d}")


def _replaced_lines(topic: Topic) -> tuple[str, ...]:
    """Return a line for each memory that this one says it replaces."""
    if "supersedes" not in topic.text:
        return ()
    named = replacements(parse(topic.text).metadata.get("supersedes", ""))
    return tuple(
        [
            _TEXTS.fill_escaped("replaces_of", name=name, day=day)
            if day
            else _TEXTS.fill_escaped("replaces", name=name)
            for name, day in named
        ]
    )
