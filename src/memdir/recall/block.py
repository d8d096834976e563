"""The block that a conversation is shown of a memory: what stays the same of it, and what is said beside."""

from zlib import crc32

from memdir.memories.topic import age_in_words, freshness_note
from memdir.text.fast_escape import fast_escape
from memdir.text.templates import Prose, Templates
from memdir.text.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Piece", "content_mark", "joined", "said_by"]

_TEXTS = Templates(__file__)

_SOURCES = frozenset({"user", "assistant", "tool", "import", "team"})
_ACTORS = frozenset({"host", "extractor", "dream", "sync"})


@value_class(frozen=True, slots=True)
class Piece:
    """What is shown of a memory as long as its file stays the same; every text in it is made escaped."""

    path: str
    kind: str
    name: str
    cut: str
    """What is said about the rest when not all is shown."""
    body: str

    def block(self, days: int, who: str, findings: "Sequence[str]" = ()) -> str:
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


def joined(blocks: "Sequence[str]") -> str:
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
