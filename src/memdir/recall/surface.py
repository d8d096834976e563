"""A memory as a conversation is shown it: cut to size, dated, with who said it, and nothing but text."""

from collections.abc import Sequence
from zlib import crc32

from memdir.memories.topic import Provenance, Topic, age_in_words, freshness_note
from memdir.text.clip import TextClip, clip_text
from memdir.text.fast_escape import fast_escape
from memdir.text.frontmatter.header import parse, quote
from memdir.text.templates import Prose, Templates
from memdir.text.value import value_class

__all__ = [
    "Piece",
    "content_mark",
    "joined",
    "likely_lines",
    "line_of",
    "piece_of",
    "said_by",
    "shown_text",
    "who_said",
]

_TEXTS = Templates(__file__)

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 200
_SOURCES = frozenset({"user", "assistant", "tool", "import", "team"})
_ACTORS = frozenset({"host", "extractor", "dream", "sync"})


@value_class(frozen=True, slots=True)
class Piece:
    """What is shown of a memory as long as its file stays the same; every text in it is escaped."""

    path: str
    kind: str
    name: str
    cut: str
    """What is said about the rest when not all is shown."""
    body: str

    def block(self, days: int, who: str, findings: Sequence[str] = ()) -> str:
        """Return the memory as one block of structure; its own text is all after the first blank line."""
        notes = [
            freshness_note(days),
            *[" ".join(fast_escape(finding).split()) for finding in findings],
            self.cut,
        ]
        return _TEXTS.filled(
            "memory",
            path=Prose(self.path),
            kind=Prose(self.kind),
            name=Prose(self.name),
            age=age_in_words(days),
            who=Prose(who),
            notes=Prose("\n".join(filter(None, notes))),
            body=Prose(self.body),
        )


def content_mark(data: bytes) -> str:
    """Return a short mark that changes with the content of a file."""
    return f"{len(data):x}-{crc32(data):08x}"


def joined(blocks: Sequence[str]) -> str:
    """Return the blocks as one text; each takes its own length and a line end of the budget."""
    return "".join([f"{one}\n" for one in blocks])


def said_by(actor: str, source: str, claim: str) -> str:
    """Return in words whose words a memory is: as history knows it, or as its header merely claims."""
    if source in _SOURCES:
        who = _TEXTS.filled(f"who_{source}")
        return _TEXTS.filled("who_through", who=who, actor=actor) if actor in _ACTORS else who
    if claim in _SOURCES:
        return _TEXTS.filled("who_claimed", who=_TEXTS.filled(f"who_{claim}"))
    return _TEXTS.filled("who_unknown")


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
    if known.person:
        person = Prose(fast_escape(quote(known.person[:_LONGEST_NAME])))
        return _TEXTS.filled("who_person", person=person, day=known.sent)
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
