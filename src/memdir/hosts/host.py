"""What a host tells at an event, and what it is told back.

A host waits for this module: it does without `typing`.
"""

from collections.abc import Mapping

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Call", "HostAnswer"]


@value_class(frozen=True, slots=True)
class Call:
    """One event of a host, in our words; what the event does not have is empty."""

    event: str
    cwd: str
    """Where the conversation is now: a command may have led it elsewhere."""
    session: str
    transcript: str = ""
    prompt: str = ""
    tool: str = ""
    given: "Mapping[str, Any] | None" = None
    """What the tool is called with."""
    source: str = ""
    """Why a session starts, or ends."""
    again: bool = False
    """Whether the host only goes on because a hook made it."""
    headless: bool = False
    """Whether nobody sits in front of it: a script asked."""
    uninstructed: bool = False
    """Whether the host reads no instruction files, so that we have to."""
    tools: tuple[str, ...] = ()
    """The names of the host's tools, if it tells them."""
    began: str = ""
    """Where the conversation began, if the host tells."""

    @property
    def project(self) -> str:
        """The directory whose memory, settings and rules count: the one in which it all began."""
        return self.began or self.cwd


@value_class(frozen=True, slots=True)
class HostAnswer:
    """What we have to say: something for the model to read, or a decision about a tool call."""

    context: str = ""
    decision: str = ""
    """allow, deny or ask; empty leaves it to the host."""
    because: str = ""
    jobs: tuple[str, ...] = ()
    """What a process of its own has to do once the host has its answer."""

    def __bool__(self) -> bool:
        return bool(self.context or self.decision)
