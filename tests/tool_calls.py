"""Replies of a model that call tools, as its script gives them."""

from typing import Any

from memdir.models.protocol import Reply, ToolCall

__all__ = ["calls"]


def calls(*made: tuple[str, dict[str, Any]]) -> Reply:
    """Return a reply that calls these tools, each with what it is given."""
    numbered = tuple(ToolCall(f"c{number}", name, given) for number, (name, given) in enumerate(made))
    return Reply("", numbered, stop="tools")
