"""One question to a language model and its reply: the values that every vendor's adapter speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Event
from time import monotonic
from typing import Any, Protocol

from memdir.errors import Cancelled, ModelTimeout
from memdir.text.value import value_class

__all__ = [
    "Cancel",
    "Message",
    "Model",
    "Prefix",
    "Question",
    "QuestionDeadline",
    "Reply",
    "Tool",
    "ToolCall",
    "Usage",
]

_TICK = 0.02
"""Seconds between two looks at the cancel flag: less than anyone notices, and it costs next to nothing."""


class Cancel(Event):
    """Set by whoever no longer wants the answer; a model stops waiting soon after and raises `Cancelled`."""


@value_class(frozen=True, slots=True)
class Tool:
    """Something the model may call, with the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@value_class(frozen=True, slots=True)
class ToolCall:
    """One call the model asks for."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@value_class(frozen=True, slots=True)
class Message:
    """One message of the exchange: words of either side, calls of the model, or the result of one call."""

    role: str
    """user, assistant, or tool for the result of a call."""
    text: str
    calls: tuple[ToolCall, ...] = ()
    """What the assistant asked for in this message."""
    call_id: str = ""
    """The call that a tool message answers."""
    failed: bool = False
    """Whether a tool message says why its call was refused or failed."""


@value_class(frozen=True, slots=True)
class Prefix:
    """The head of a host's own request in its vendor's wire form, sent unchanged to share its cache."""

    system: Any
    tools: Sequence[Mapping[str, Any]]
    messages: Sequence[Mapping[str, Any]]


@value_class(frozen=True, slots=True)
class Question:
    """All that is asked of a model in one call, with how long it may take and who may call it off."""

    messages: tuple[Message, ...]
    system: str = ""
    schema: Mapping[str, Any] | None = None
    """The JSON schema that the whole text of the reply has to follow."""
    tools: tuple[Tool, ...] = ()
    max_tokens: int = 1024
    timeout: float = 30.0
    """Seconds for everything together, retries included."""
    cancel: Cancel | None = None
    cached: bool = False
    """Whether system text and tools are marked for the vendor's cache: worth it when they come again."""
    prefix: Prefix | None = None
    job: str = ""
    """What the call is for (recall, extract, dream, notes, test): the ledger counts by it."""


class QuestionDeadline:
    """The time of one question, running since this was made."""

    def __init__(self, question: Question, who: str) -> None:
        """Start the clock; `who` is the model by the name that errors call it."""
        self._seconds, self._cancel, self._who = question.timeout, question.cancel, who
        self._end = monotonic() + question.timeout

    @property
    def left(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - monotonic())

    def check(self) -> None:
        """Raise when the answer is no longer wanted, or no longer in time."""
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled(f"The question to {self._who} was called off.")
        if not self.left:
            raise ModelTimeout(
                f"{self._who} gave no answer within {self._seconds:g} s. Try again, or choose a faster model."
            )

    def wait(self, done: Event) -> None:
        """Wait until something is done; raise when the question ends first."""
        while not done.wait(self.left if self._cancel is None else min(_TICK, self.left)):
            self.check()

    def pause(self, seconds: float) -> None:
        """Let time pass; raise when the question ends first."""
        until = monotonic() + seconds
        while (rest := until - monotonic()) > 0:
            self.check()
            (self._cancel or Event()).wait(min(rest, self.left))


@value_class(frozen=True, slots=True)
class Usage:
    """What a call consumed, in tokens."""

    input: int = 0
    """Read anew, without what came from the cache."""
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All tokens of the call, wherever they came from."""
        return self.input + self.output + self.cache_read + self.cache_write


@value_class(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    stop: str = "end"
    """end, tools (it waits for results), length (cut off), refusal."""
    model: str = ""
    """The name by which the vendor says it answered."""


class Model(Protocol):
    """Anything that answers a question; it raises `ModelError` when it cannot."""

    @property
    def name(self) -> str:
        """Return how settings and the ledger call it, such as `anthropic:claude-haiku`."""

    def ask(self, question: Question) -> Reply:
        """Return the answer within the question's time, or raise a `ModelError` that says what to do."""
