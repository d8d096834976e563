"""A conversation to extract from: a host's file or JSONL on disk, or the messages that a caller holds."""

import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from memdir.core.messages import spoken_in
from memdir.core.value import value_class
from memdir.errors import NoSuchMemory
from memdir.store.transcripts import Cursor, Passage, read
from memdir.workers.extract_gate import key_of, session_of

__all__ = ["Messages", "Source", "Transcript", "source_of"]


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
        return read(self.path) if passage.restarted and self.named else passage


@value_class(frozen=True, slots=True)
class Messages:
    """A conversation as a list of messages, in the shape of either vendor's API."""

    messages: Sequence[Mapping[str, Any]]
    session: str = ""

    @property
    def key(self) -> str:
        """Return the id of the session: without one nobody knows what was read before."""
        return self.session

    def read(self, since: Cursor | None) -> Passage:
        """Return what was said since the cursor, which counts messages; a list that was rewritten is new."""
        passed = since.line if since and since.check == _check(self.messages[: since.line]) else 0
        said = tuple(
            one
            for number, message in enumerate(self.messages, 1)
            if number > passed
            for one in spoken_in(message, str(message.get("id") or number))
        )
        to = Cursor(line=len(self.messages), last=said[-1].id if said else "", check=_check(self.messages))
        return Passage(said, to)


def source_of(
    path: str | os.PathLike[str] | None,
    messages: Sequence[Mapping[str, Any]] | None,
    session: str,
    newest: Callable[[], str],
) -> Source:
    """Return the conversation that a caller means: these messages, this file, or else the newest one."""
    if messages is not None:
        return Messages(messages, session)
    return Transcript(os.path.abspath(path or newest()), named=path is not None)


def _check(messages: Sequence[Mapping[str, Any]]) -> str:
    text = json.dumps(list(messages), sort_keys=True, default=str)
    return f"{len(messages)}:{zlib.crc32(text.encode()):08x}"
