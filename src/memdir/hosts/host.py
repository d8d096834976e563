"""What a host tells at an event, what it is told back, and how each host writes both."""

from collections.abc import Mapping
from typing import Any, Protocol

from memdir.core.value import value_class

__all__ = ["Answer", "Call", "Host"]


@value_class(frozen=True, slots=True)
class Call:
    """One event of a host, in our words; what the event does not have is empty."""

    event: str
    cwd: str
    session: str
    transcript: str = ""
    prompt: str = ""
    tool: str = ""
    given: Mapping[str, Any] | None = None
    """What the tool is called with."""
    source: str = ""
    """Why a session starts, or ends."""
    again: bool = False
    """Whether the host only goes on because a hook made it."""
    headless: bool = False
    """Whether nobody sits in front of it: a script asked."""


@value_class(frozen=True, slots=True)
class Answer:
    """What we have to say: something for the model to read, or a decision about a tool call."""

    context: str = ""
    decision: str = ""
    """allow, deny or ask; empty leaves it to the host."""
    because: str = ""

    def __bool__(self) -> bool:
        return bool(self.context or self.decision)


class Host(Protocol):
    """How one host writes events and reads answers."""

    @property
    def name(self) -> str:
        """Return what the user calls it."""

    def call(self, event: str, data: bytes, env: Mapping[str, str]) -> Call:
        """Return the event, or raise `Rejected` when this is not what the host sends."""

    def written(self, call: Call, answer: Answer) -> str:
        """Return what goes to standard output; empty where the host must be told nothing."""
