"""Of memories that contradict each other the newest is shown, and says what it replaces.

A private memory comes before one of the team, whichever is newer.
"""

from collections.abc import Container, Sequence
from datetime import datetime

from memdir.memories.names import is_team_file, replacements
from memdir.memories.topic import Header, Topic
from memdir.recall.rank import REPLACED, Ranked
from memdir.text.frontmatter.header import parse
from memdir.text.templates import Templates
from memdir.text.word_starts import word_starts

__all__ = ["with_newer", "without_older", "without_replaced"]

_TEXTS = Templates(__file__)

_SHARED = 2
"""Words that two descriptions share before the rules are loaded: most prompts need none of them."""

_LOOKED_AT = 20
"""Ranked memories among which a newer one is looked for that contradicts a chosen one."""


def with_newer(
    chosen: Sequence[Ranked], ranked: Sequence[Ranked], shown: Container[str]
) -> tuple[list[Header], dict[str, str]]:
    """Return the chosen with the newer memories that contradict them, and what is left out for one shown.

    Only one of each two is shown in the end; without this look an old one that fits better would stand alone.
    """
    found, cuts = list[Header](), dict[str, str]()
    taken = {one.header.file for one in chosen}
    others = [one.header for one in ranked[:_LOOKED_AT] if not any(map(_is_over, one.notes))]
    for old in [one.header for one in chosen]:
        newer = next((new for new in others if _says_otherwise(new, old)), None)
        if newer is not None and newer.file in shown:
            cuts[old.file] = _because(newer, old)
            continue
        found.append(old)
        if newer is not None and newer.file not in taken:
            taken.add(newer.file)
            found.append(newer)
    return found, cuts


def without_older(likely: Sequence[Ranked], ranked: Sequence[Ranked]) -> tuple[list[Header], dict[str, str]]:
    """Return those of the likely that no newer memory contradicts, and why not the others."""
    found, cuts = list[Header](), dict[str, str]()
    others = [one.header for one in ranked[:_LOOKED_AT] if not any(map(_is_over, one.notes))]
    for old in [one.header for one in likely]:
        newer = next((new for new in others if _says_otherwise(new, old)), None)
        if newer is None:
            found.append(old)
        else:
            cuts[old.file] = _because(newer, old)
    return found, cuts


def _is_over(note: str) -> bool:
    return note.startswith((REPLACED, "expired"))


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
            day = f"{old.header.saved_at:%Y-%m-%d}"
            lines[new.header.file] += (_line("contradicts", old.header.name, day),)
            break
    return cuts, lines


def _contradict(one: Topic, two: Topic) -> bool:
    from memdir.memories.contradiction.judge import may_contradict  # whose rules few prompts need

    return bool(may_contradict(_said(one), _said(two), sure=True))


def _said(topic: Topic) -> str:
    return f"{topic.header.description}\n{topic.body}"


def _line(text: str, name: str, day: str) -> str:
    if not day:
        return _TEXTS.filled(text, name=name)
    return _TEXTS.filled(f"{text}_of", name=name, day=day)
