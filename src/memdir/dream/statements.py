"""The statements of a memory, one by one, so that a rewrite cannot lose any unnoticed.

Two statements are the same when they have the same words in the same order under the same heading or lead-in;
layout, emphasis, ordinary punctuation and a capital at the start do not count. All else does: an article, a
negation, a number or a sign more or less makes another statement.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from memdir.dream.marks import SentenceMarks, marks_of
from memdir.memories.topic import topic_from
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.frontmatter.header import parse
from memdir.text.similarity import share_held, words
from memdir.text.value import value_class

__all__ = ["MemoryStatement", "statements", "with_day", "wordings"]


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
    def marks(self) -> SentenceMarks:
        """Return it as it is compared, with the heading and the lead-in that it stands under."""
        return marks_of(self.text, self.key.rpartition("\n")[0])


@lru_cache(maxsize=8_192)
def statements(file: str, text: str) -> tuple[MemoryStatement, ...]:
    """Return what a memory states: its description if the body does not say it, then the body in order."""
    topic = topic_from(file, text)
    said = [(part, key) for part, key in _body_statements(topic.body) if key]
    about = topic.header.description
    own_key = _key(about)
    in_body = share_held(words(about), words(topic.body)) >= _IN_THE_BODY
    if own_key and not in_body and all(key != own_key for _, key in said):
        said.insert(0, (about, own_key))
    return tuple(
        MemoryStatement(f"{file}#{number}", file, part, key) for number, (part, key) in enumerate(said, 1)
    )


_IN_THE_BODY = 0.8
"""Share of a description's words in the body from which it only repeats it."""
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)")
_END = re.compile(r"(?<=[.!?\u2026])[\"')\]*_]*\s+|(?<=[\u3002\uff01\uff1f])\s*")


def _body_statements(body: str) -> Iterator[tuple[str, str]]:
    """Yield each statement as it is written and its key, which holds what it stands under."""
    heading, lead = "", ""
    for kind, text in _pieces(body):
        if kind == "heading":
            heading, lead = _key(text), ""
            yield text, heading
            continue
        if kind == "text":
            lead = _key(text) if text.rstrip(" *_").endswith((":", "\uff1a")) else ""
        for part in [text] if kind == "code" else _END.split(text):
            if key := _key(part):
                above = [heading, lead if kind == "item" else ""]
                yield part.strip(), "\n".join([*filter(None, above), key])


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


_OPENING = "\"'([{*_`\u201c\u2018\u00ab"
_CLOSING = ".,;:!\"')]}*_`\u201d\u2019\u00bb\u2026\u3002\uff0c\uff1b\uff1a\uff01\u3001"


def _key(text: str) -> str:
    """Return the words without the signs around them, and in small letters where only the first is large."""
    bare = [word.lstrip(_OPENING).rstrip(_CLOSING) for word in unicodedata.normalize("NFC", text).split()]
    plain = [word.lower() if word[1:] == word[1:].lower() else word for word in bare]
    return " ".join(filter(None, plain))


def wordings(statement: MemoryStatement, text: str) -> list[SentenceMarks]:
    """Return a statement of a memory with this text as it is, and with its relative dates as dates."""
    metadata = parse(text).metadata
    try:
        day = date.fromisoformat((metadata.get("modified") or metadata.get("created", ""))[:10])
    except ValueError:  # nobody knows from which day they count
        return [statement.marks]
    return [statement.marks, *map(marks_of, with_day(statement.text, day)[1:])]


def with_day(line: str, day: date) -> list[str]:
    """Return a line that was written on a day, and once more with its relative dates as dates."""
    dated = with_absolute_dates(line, day)
    return [line] if dated == line else [line, dated]
