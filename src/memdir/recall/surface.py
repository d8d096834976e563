"""A memory as a conversation is shown it: cut to size, dated, with who said it, and nothing but text."""

from collections.abc import Sequence
from zlib import crc32

from memdir.core.age import age_in_words, freshness_note
from memdir.core.clip import Excerpt, clip_text
from memdir.core.frontmatter import parse
from memdir.core.quoting import quoted
from memdir.core.topic import Provenance, Topic
from memdir.core.value import value_class
from memdir.recall.inert import inert
from memdir.recall.wording import Prose, filled

__all__ = ["About", "block", "content_mark", "joined", "shown_text", "who_said"]

_SOURCES = frozenset({"user", "assistant", "tool", "import", "team"})
_ACTORS = frozenset({"host", "extractor", "dream", "sync"})
_LONGEST_NAME = 100


@value_class(frozen=True, slots=True)
class About:
    """What is said about a memory beside its text."""

    path: str
    days: int
    who: str
    findings: tuple[str, ...] = ()
    """What checking its claims against the project found, one line each."""


def block(topic: Topic, about: About, *, max_lines: int, max_bytes: int) -> str:
    """Return the memory as one block of structure; its own text is everything after the first blank line."""
    excerpt = _excerpt(shown_text(topic), max_lines, max_bytes)
    path = Prose(inert(quoted(about.path)))
    notes = [
        freshness_note(about.days),
        *[" ".join(inert(finding).split()) for finding in about.findings],
        filled("cut", path=path) if excerpt.cut else "",
    ]
    return filled(
        "memory",
        path=path,
        kind=topic.header.kind or "none",
        name=_shown_name(topic.header.name),
        age=age_in_words(about.days),
        who=Prose(about.who),
        notes=Prose("\n".join(filter(None, notes))),
        body=Prose(excerpt.text),
    )


def shown_text(topic: Topic) -> str:
    """Return what a memory has to say: its body, or where it has none its description."""
    return topic.body.strip("\n") if topic.body.strip() else topic.header.description


def joined(blocks: Sequence[str]) -> str:
    """Return the blocks as one text; each takes its own length and a line end of the budget."""
    return "".join([f"{one}\n" for one in blocks])


def who_said(topic: Topic, known: Provenance | None) -> str:
    """Return in words whose words a memory is: as history knows it, or as its header merely claims."""
    if known is not None and known.source in _SOURCES:
        who = filled(f"who_{known.source}")
        return filled("who_through", who=who, actor=known.actor) if known.actor in _ACTORS else who
    claim = parse(topic.text).metadata.get("source", "")
    if claim in _SOURCES:
        return filled("who_claimed", who=filled(f"who_{claim}"))
    return filled("who_unknown")


def content_mark(data: bytes) -> str:
    """Return a short mark that changes with the content."""
    return f"{len(data):x}-{crc32(data):08x}"


def _excerpt(body: str, max_lines: int, max_bytes: int) -> Excerpt:
    """Return the escaped beginning that fits; the cut comes first, so that a large text costs no more."""
    room = max_bytes
    while True:
        part = clip_text(body, max_lines=max_lines, max_bytes=room)
        shown = inert(part.text).rstrip()
        size = len(shown.encode())
        if size <= max_bytes:
            return Excerpt(shown, part.cut)
        room = min(room - 1, room * max_bytes // size)  # escaping made it longer


def _shown_name(name: str) -> Prose:
    """Return the name in quotes that it cannot close: what follows in the line is not the memory's to say."""
    return Prose(inert(quoted(name[:_LONGEST_NAME])))
