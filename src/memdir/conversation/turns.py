"""A conversation as values: what was said, by whom, when, and with which tools."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memdir.text.value import value_class

__all__ = ["RECENT_TOOLS", "RECENT_TURNS", "Spoken", "ToolUse", "recent_tools"]

RECENT_TURNS = 3
"""Turns whose tools count as in use: what was called before that may be long forgotten."""

RECENT_TOOLS = 12
"""Tools named to a selector; more would be a list of what the host can do, not of what it does."""


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
    failed: bool = False
    """For a tool's result: whether the call was refused or went wrong."""
    left_out: int = 0
    """Characters of a long text that are not kept."""


def recent_tools(
    messages: Sequence[Spoken], *, turns: int = RECENT_TURNS, limit: int = RECENT_TOOLS
) -> tuple[str, ...]:
    """Return the names of the tools that the last turns used, newest first, each once."""
    names: dict[str, None] = {}
    for message in reversed(messages):
        names.update(dict.fromkeys(use.name for use in reversed(message.uses)))
        turns -= message.role == "user" and not message.recalled
        if turns <= 0 or len(names) >= limit:
            break
    return tuple(names)[:limit]
