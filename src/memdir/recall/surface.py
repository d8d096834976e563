"""A memory as a conversation is shown it: cut to size, dated, with who said it, and nothing but text."""

from collections.abc import Sequence

from memdir.memories.topic import Provenance, Topic
from memdir.recall.block import Piece, said_by
from memdir.text.clip import TextClip, clip_text
from memdir.text.fast_escape import fast_escape
from memdir.text.frontmatter.header import parse, quote
from memdir.text.templates import Prose, Templates

__all__ = ["likely_lines", "line_of", "piece_of", "shown_text", "who_said"]

_TEXTS = Templates(__file__)

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 200


def piece_of(topic: Topic, path: str, *, max_lines: int, max_bytes: int) -> Piece:
    """Return what is shown of a memory, cut to size."""
    excerpt = _excerpt(shown_text(topic), max_lines, max_bytes)
    place = Prose(fast_escape(quote(path)))
    cut = _TEXTS.filled("cut", path=place) if excerpt.cut else ""
    return Piece(
        place, fast_escape(topic.header.kind or "none"), _shown_name(topic.header.name), cut, excerpt.text
    )


def line_of(topic: Topic, path: str) -> Prose:
    """Return one line about a memory: its name, what it is about, and where it lies."""
    about = " ".join((topic.header.description or shown_text(topic)).split())[:_LONGEST_DESCRIPTION]
    name, place = Prose(_shown_name(topic.header.name)), Prose(fast_escape(quote(path)))
    return _TEXTS.filled("likely_line", name=name, description=about, path=place)


def likely_lines(lines: Sequence[str]) -> Prose:
    """Return such lines under their sentence."""
    return _TEXTS.filled("likely", lines=Prose("\n".join(lines)))


def shown_text(topic: Topic) -> str:
    """Return what a memory has to say: its body, or where it has none its description."""
    return topic.body.strip("\n") if topic.body.strip() else topic.header.description


def who_said(topic: Topic, known: Provenance | None) -> str:
    """Return in words whose words a memory is."""
    if known is None:
        return said_by("", "", _claimed_source(topic))
    return said_by(known.actor, known.source, _claimed_source(topic))


def _claimed_source(topic: Topic) -> str:
    """Return whom the header names as the source: a claim, which anybody may write."""
    return parse(topic.text).metadata.get("source", "")


def _excerpt(body: str, max_lines: int, max_bytes: int) -> TextClip:
    """Return the escaped beginning that fits; the cut comes first, so that a large text costs no more."""
    room = max_bytes
    while True:
        part = clip_text(body, max_lines=max_lines, max_bytes=room)
        shown = fast_escape(part.text).rstrip()
        size = len(shown.encode())
        if size <= max_bytes:
            return TextClip(shown, part.cut)
        room = min(room - 1, room * max_bytes // size)  # escaping made it longer


def _shown_name(name: str) -> str:
    """Return the name in quotes that it cannot close: what follows in the line is not the memory's to say."""
    return fast_escape(quote(name[:_LONGEST_NAME]))
