"""Tools, schemas and turns as text, for models that take nothing else; and their replies, parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from memdir.errors import ModelReplyError
from memdir.models.protocol import Message, Question, Reply, ToolCall
from memdir.text.templates import Templates
from memdir.text.value import replace

__all__ = [
    "calls_in",
    "is_closed",
    "json_in",
    "plain_question",
    "texts_in",
    "with_calls_from_text",
    "with_schema_in_text",
    "with_tools_in_text",
    "without_fence",
]

_TEXTS = Templates(__file__)


def plain_question(question: Question) -> Question:
    """Return a question as one message in words; with tools the answer is an object that names the calls."""
    head = question.prefix.system if question.prefix else ""  # a host's is a string or a list of blocks
    head = head if isinstance(head, str) else "\n\n".join(texts_in(head or ()))
    system = "\n\n".join(text for text in (head, question.system, _tools_text(question)) if text)
    names = {"type": "string", "enum": [tool.name for tool in question.tools]}
    call = _object({"name": names, "arguments": {"type": "object"}})
    calls = _object({"text": {"type": "string"}, "calls": {"type": "array", "items": call}})
    schema = calls if question.tools else question.schema
    messages = (Message("user", _text(question)),)
    return replace(question, system=system, messages=messages, schema=schema, tools=(), prefix=None)


def with_tools_in_text(question: Question) -> Question:
    """Return a question whose tools are told behind the prefix: another list of tools would miss its cache.

    For the same reason no schema asks for the form of the answer; `with_calls_from_text` reads what comes.
    """
    if question.prefix is None or not question.tools:
        return question
    system = "\n\n".join(text for text in (question.system, _tools_text(question)) if text)
    messages = tuple(  # without calls: what the model asked for, and each result, as the text that it was
        Message("user" if message.role == "tool" else message.role, _message(message))
        if message.calls or message.role == "tool"
        else message
        for message in question.messages
    )
    return replace(question, system=system, tools=(), messages=messages)


def with_calls_from_text(reply: Reply, question: Question, who: str) -> Reply:
    """Return a reply with the calls that its words name; one that is no object has none."""
    if question.prefix is None or not question.tools or reply.stop == "length":
        return reply
    text = without_fence(reply.text).strip()
    if not text.startswith("{"):
        return reply
    said, calls = calls_in(json_in(text) or {}, who, len(question.messages))
    return replace(reply, text=said, calls=calls, stop="tools" if calls else reply.stop)


def calls_in(content: Mapping[str, Any], who: str, turn: int) -> tuple[str, tuple[ToolCall, ...]]:
    """Return what an answer says and the calls it asks for, which get ids of this turn."""
    wanted = content.get("calls")
    if not isinstance(wanted, list) or not all(_is_call(call) for call in wanted):
        raise ModelReplyError(f"{who} did not name its calls as it was told to. Try again, or another model.")
    calls = [ToolCall(f"call_{turn}_{at}", call["name"], call["arguments"]) for at, call in enumerate(wanted)]
    return str(content.get("text") or ""), tuple(calls)


def with_schema_in_text(question: Question) -> Question:
    """Return the question with its schema at the end of its words instead of in the request."""
    words = _TEXTS.fill_plain("schema", schema=json.dumps(question.schema, ensure_ascii=False))
    *before, last = question.messages or (Message("user", ""),)
    if last.role == "user":
        ending = [replace(last, text=f"{last.text}\n\n{words}".lstrip())]
    else:
        ending = [last, Message("user", words)]
    return replace(question, schema=None, messages=(*before, *ending))


def json_in(text: str | bytes) -> Any:
    """Return what a text says as JSON; None when that is nothing."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def without_fence(text: str) -> str:
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


def texts_in(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is said in blocks; thoughts and calls are not."""
    for block in blocks:
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)


def _tools_text(question: Question) -> str:
    tools = [
        {"name": tool.name, "description": tool.description, "arguments": tool.schema}
        for tool in question.tools
    ]
    return _TEXTS.fill_plain("tools", tools="\n".join(map(_line, tools))) if tools else ""


def _text(question: Question) -> str:
    """Return one message as it is, several as lines of JSON: no text in them can pass for another turn."""
    only = question.messages[0] if len(question.messages) == 1 else None
    if only is not None and only.role == "user" and question.prefix is None:
        return only.text
    head = [_line(message) for message in question.prefix.messages] if question.prefix else []
    return _TEXTS.fill_plain("exchange", messages="\n".join([*head, *map(_message, question.messages)]))


def _message(message: Message) -> str:
    shape: dict[str, Any] = {"from": message.role, "text": message.text}
    if message.calls:
        calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls]
        shape["calls"] = calls
    if message.role == "tool":
        shape |= {"call": message.call_id, "failed": message.failed}
    return _line(shape)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("name"), str)
        and isinstance(call.get("arguments"), dict)
    )


def _line(shape: Mapping[str, Any]) -> str:
    return json.dumps(shape, ensure_ascii=False)
