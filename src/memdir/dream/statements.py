"""The statements of a memory, one by one, so that a rewrite cannot lose any unnoticed.

Two statements are the same when they have the same words in the same order under the same heading or lead-in;
layout, emphasis, ordinary punctuation and a capital at the start do not count. All else does: an article, a
negation, a number or a sign more or less makes another statement.
"""

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

from memdir.memories.topic import topic_from
from memdir.text.likeness import share_held, words
from memdir.text.value import value_class

__all__ = ["MemoryStatement", "statements"]


@value_class(frozen=True, slots=True)
class MemoryStatement:
    """One thing that a memory says."""

    id: str
    """The file and a number within it, as a model names it."""
    file: str
    text: str
    key: str
    """What equal statements share."""

    @property
    def above(self) -> str:
        """Return the heading and the lead-in that it stands under, as far as they count."""
        return self.key.rpartition("\n")[0]


def statements(file: str, text: str) -> list[MemoryStatement]:
    """Return what a memory states: its description if the body does not say it, then the body in order."""
    topic = topic_from(file, text, _EPOCH)
    found = [(said, key) for said, key in _body(topic.body) if key]
    about, key = topic.header.description, _key(topic.header.description)
    told = {one for _, one in found}
    if key and key not in told and share_held(words(about), words(topic.body)) < _IN_THE_BODY:
        found.insert(0, (about, key))
    return [MemoryStatement(f"{file}#{number}", file, *one) for number, one in enumerate(found, 1)]


_EPOCH = datetime.fromtimestamp(0, UTC)
_IN_THE_BODY = 0.8
"""Share of a description's words in the body from which it only repeats it."""
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)")
_END = re.compile(r"(?<=[.!?\u2026])[\"')\]*_]*\s+|(?<=[\u3002\uff01\uff1f])\s*")


def _body(body: str) -> Iterator[tuple[str, str]]:
    """Yield each statement as it is written and its key, which holds what it stands under."""
    heading, lead = "", ""
    for kind, text in _pieces(body):
        if kind == "heading":
            heading, lead = _key(text), ""
            yield text, _under(heading)
            continue
        if kind == "text":
            lead = _key(text) if text.rstrip(" *_").endswith((":", "\uff1a")) else ""
        parts = [text] if kind == "code" else _END.split(text)
        for part in parts:
            key = _key(part)
            yield part.strip(), _under(heading, lead if kind == "item" else "", key) if key else ""


def _pieces(body: str) -> Iterator[tuple[str, str]]:
    """Yield headings, points of lists, whole blocks of code, and paragraphs put together from their lines."""
    waiting: list[str] = []
    kind = "text"
    for line in [*body.split("\n"), ""]:
        fence = _FENCE.match(line) is not None
        if kind == "code":
            waiting.append(line)
            if fence:
                yield kind, "\n".join(waiting)
                waiting, kind = [], "text"
            continue
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if waiting and (fence or heading or item or not line.strip()):
            yield kind, " ".join(waiting)
            waiting, kind = [], "text"
        if heading:
            yield "heading", heading[1]
        elif fence or item or line.strip():
            kind = "code" if fence else "item" if item else kind
            waiting.append(item[1] if item else line.strip())
    if waiting:
        yield kind, "\n".join(waiting)


_OPENING, _CLOSING = (
    "\"'([{*_`\u201c\u2018\u00ab",
    (".,;:!\"')]}*_`\u201d\u2019\u00bb\u2026\u3002\uff0c\uff1b\uff1a\uff01\u3001"),
)


def _key(text: str) -> str:
    found = (word.lstrip(_OPENING).rstrip(_CLOSING) for word in unicodedata.normalize("NFC", text).split())
    plain = [word.lower() if word[:1].isupper() and word[1:] == word[1:].lower() else word for word in found]
    return " ".join(word for word in plain if word)


def _under(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
