"""A conversation as a host sends it to a hub."""

from typing import Any
from uuid import uuid4

__all__ = ["conversation"]


def conversation(*turns: tuple[str, str], session: str = "") -> dict[str, Any]:
    """Return a conversation of turns, each with its role and its text."""
    messages = [{"role": role, "content": text} for role, text in turns]
    return {"messages": messages, "session": session or str(uuid4())}
