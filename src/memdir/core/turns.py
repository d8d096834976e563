"""A conversation as values: what was said, by whom, when, and with which tools."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memdir.core.value import value_class

__all__ = ["Spoken", "ToolUse"]


@value_class(frozen=True, slots=True)
class ToolUse:
    """One call of a tool by the host's model."""

    id: str
    name: str
    input: Mapping[str, Any]


@value_class(frozen=True, slots=True)
class Spoken:
    """One message of a conversation: a person's words, the model's, or what a tool gave back."""

    id: str
    """The transcript's own id of it, or its line number."""
    role: str
    """user (typed by a person), assistant, or tool."""
    text: str
    at: datetime | None = None
    uses: tuple[ToolUse, ...] = ()
    """What the assistant called in this message."""
    answers: str = ""
    """For a tool's result: the id of the call."""
    recalled: bool = False
    """Whether the text was put there from memory; it is never extracted again."""
