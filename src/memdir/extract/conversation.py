"""A conversation to extract from: a host's file or JSONL on disk, or the messages that a caller holds."""

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Protocol

from memdir.conversation.entries import entry_in
from memdir.conversation.messages import Spoken, spoken_in
from memdir.conversation.transcripts import (
    LONGEST_LINE,
    Cursor,
    Line,
    Passage,
    open_transcript,
    read,
    whole_lines,
)
from memdir.errors import NoSuchMemory, Rejected
from memdir.extract.gate import key_of, session_of
from memdir.text.value import value_class

__all__ = ["Messages", "Source", "Transcript"]

_MOST_UNREAD = 100
"""Lines that nobody can read of which a result tells: a file with more of them is no transcript."""


class Source(Protocol):
    """Where messages come from."""

    @property
    def key(self) -> str:
        """Return under what its cursor is kept; empty when it has none."""

    @property
    def session(self) -> str:
        """Return the id of the conversation, for those who ask where a memory comes from."""

    def read(self, since: Cursor | None) -> Passage:
        """Return what was said since the cursor."""


@value_class(frozen=True, slots=True)
class Transcript:
    """A conversation in a file."""

    path: str
    named: bool = False
    """Whether a person named this very file: then another text under its name is read from its start."""

    @property
    def key(self) -> str:
        """Return under what its cursor is kept."""
        return key_of(self.path)

    @property
    def session(self) -> str:
        """Return the id of the conversation."""
        return session_of(self.path)

    def read(self, since: Cursor | None) -> Passage:
        """Return what was said since the cursor."""
        if not os.path.lexists(self.path):
            raise NoSuchMemory(
                f"There is no transcript {self.path}. Name a JSONL file with one message a line."
            )
        passage = read(self.path, since)
        if not self.named:
            return passage
        passage = read(self.path) if passage.restarted else passage
        if not passage.cursor.last and _is_something_else(self.path):
            raise Rejected(f"{self.path} is no transcript. Name a JSONL file with one message a line.")
        return passage

    def unread(self, since: Cursor | None, passage: Passage) -> tuple[tuple[str, str], ...]:
        """Return the lines that are too long or no JSON; only when there are any, it reads them again."""
        if not passage.skipped:
            return ()
        goes_on = since is not None and not passage.restarted and since.offset <= passage.cursor.offset
        start, passed = (since.offset, since.line) if since and goes_on else (0, 0)
        with open_transcript(self.path) as file:
            lines = islice(whole_lines(file, start), passage.cursor.line - passed)
            found = (
                (str(number), _unreadable(line, number)) for number, line in enumerate(lines, passed + 1)
            )
            return tuple(islice(((number, why) for number, why in found if why), _MOST_UNREAD))


@value_class(frozen=True, slots=True)
class Messages:
    """A conversation as a list of messages, in the shape of either vendor's API or of a host's lines."""

    messages: Sequence[Mapping[str, Any]]
    session: str = ""

    @property
    def key(self) -> str:
        """Return the id of the session, or, without one, a print of the first message."""
        return self.session or (f"began {_check(self.messages[:1])}" if self.messages else "")

    def read(self, since: Cursor | None) -> Passage:
        """Return what was said since the cursor, which counts messages; a list that was rewritten is new."""
        passed = since.line if since and since.check == _check(self.messages[: since.line]) else 0
        said = list[Spoken]()
        for number, message in enumerate(self.messages[passed:], passed + 1):
            if "role" in message:
                said += spoken_in(message, str(message.get("id") or number))
            elif entry := entry_in(json.dumps(message, default=str).encode(), number):
                said += entry.said
        to = Cursor(line=len(self.messages), last=said[-1].id if said else "", check=_check(self.messages))
        return Passage(tuple(said), to)


_TRANSCRIPT_KEYS = ("type", "role", "message")


def _is_something_else(path: str) -> bool:
    """Tell whether a file in which nobody says anything is not even the beginning of a conversation."""
    holds_something = False
    with open_transcript(path) as file:
        for line in whole_lines(file):
            with suppress(ValueError, RecursionError):
                found = json.loads(line.data or b"")
                if isinstance(found, dict) and any(key in found for key in _TRANSCRIPT_KEYS):
                    return False
            holds_something |= line.data is None or bool(line.data.strip())
    return holds_something


def _unreadable(line: Line, number: int) -> str:
    if line.data is None:
        return f"the line is longer than {LONGEST_LINE >> 20} MB and was not read"
    if line.data.strip() and entry_in(line.data, number, closed=line.closed) is None:
        return "the line is no JSON and was not read"
    return ""


def _check(messages: Sequence[Mapping[str, Any]]) -> str:
    text = json.dumps(list(messages), sort_keys=True, default=str)
    return f"{len(messages)}:{zlib.crc32(text.encode()):08x}"
