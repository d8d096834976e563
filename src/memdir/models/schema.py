"""A schema for models that take none in their request: told in words, and read leniently."""

import re
from collections.abc import Mapping
from typing import Any

from memdir.models.protocol import Message, Question
from memdir.text.templates import Templates
from memdir.text.value import replace

__all__ = ["is_closed", "told", "unfenced"]

_TEXTS = Templates(__file__)


def told(question: Question) -> Question:
    """Return the question with its schema at the end of its words instead of in the request."""
    import json

    words = _TEXTS.unescaped("schema", schema=json.dumps(question.schema, ensure_ascii=False))
    *before, last = question.messages or (Message("user", ""),)
    if last.role == "user":
        ending = [replace(last, text=f"{last.text}\n\n{words}".lstrip())]
    else:
        ending = [last, Message("user", words)]
    return replace(question, schema=None, messages=(*before, *ending))


def unfenced(text: str) -> str:
    """Return what stands inside a code fence when nothing else stands around it."""
    fenced = _FENCE.fullmatch(text.strip())
    return fenced[1] if fenced else text


def is_closed(schema: Any) -> bool:
    """Tell whether every object names all it may hold: only such schemas can be followed to the letter."""
    if isinstance(schema, list | tuple):
        return all(is_closed(one) for one in schema)
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        named = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(named):
            return False
    return all(is_closed(one) for one in schema.values())


_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
