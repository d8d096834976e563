"""Tools and turns in words: for models that take a text, and behind a host's prefix, which stays as it is."""

from collections.abc import Mapping
from typing import Any

from memdir.errors import ModelReplyError
from memdir.models.fields import texts
from memdir.models.protocol import Message, Prefix, Question, Reply, ToolCall
from memdir.models.schema import unfenced
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class

__all__ = ["Spoken", "behind_prefix", "calls_in", "spoken", "with_told_calls"]

_TEXTS = Templates(__file__)


@value_class(frozen=True, slots=True)
class Spoken:
    """A question as such a model takes it."""

    system: str
    text: str
    schema: Mapping[str, Any] | None


def spoken(question: Question) -> Spoken:
    """Return a question in words; with tools the answer is an object that names the calls."""
    head = _system(question.prefix)
    system = "\n\n".join(text for text in (head, question.system, _told(question)) if text)
    return Spoken(system, _text(question), _calls_schema(question) if question.tools else question.schema)


def behind_prefix(question: Question) -> Question:
    """Return a question whose tools are told behind the prefix: another list of tools would miss its cache.

    For the same reason no schema asks for the form of the answer; `with_told_calls` reads what comes.
    """
    if question.prefix is None or not question.tools:
        return question
    system = "\n\n".join(text for text in (question.system, _told(question)) if text)
    messages = tuple(_as_words(message) for message in question.messages)
    return replace(question, system=system, tools=(), messages=messages)


def with_told_calls(reply: Reply, question: Question, who: str) -> Reply:
    """Return a reply with the calls that its words name; one that is no object has none."""
    import json

    if question.prefix is None or not question.tools or reply.stop == "length":
        return reply
    text = unfenced(reply.text).strip()
    if not text.startswith("{"):
        return reply
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = {}
    said, calls = calls_in(content, who, len(question.messages))
    return replace(reply, text=said, calls=calls, stop="tools" if calls else reply.stop)


def calls_in(content: Mapping[str, Any], who: str, turn: int) -> tuple[str, tuple[ToolCall, ...]]:
    """Return what an answer says and the calls it asks for, which get ids of this turn."""
    wanted = content.get("calls")
    if not isinstance(wanted, list) or not all(_is_call(call) for call in wanted):
        raise ModelReplyError(f"{who} did not name its calls as it was told to. Try again, or another model.")
    calls = [ToolCall(f"call_{turn}_{at}", call["name"], call["arguments"]) for at, call in enumerate(wanted)]
    return str(content.get("text") or ""), tuple(calls)


def _told(question: Question) -> str:
    tools = [_tool(tool.name, tool.description, tool.schema) for tool in question.tools]
    return _TEXTS.unescaped("tools", tools="\n".join(map(_line, tools))) if tools else ""


def _as_words(message: Message) -> Message:
    """Return a message without calls: what the model asked for, and each result, as the text that it was."""
    if message.role == "tool":
        return Message("user", _message(message))
    return Message(message.role, _message(message)) if message.calls else message


def _text(question: Question) -> str:
    """Return one message as it is, several as lines of JSON: no text in them can pass for another turn."""
    only = question.messages[0] if len(question.messages) == 1 else None
    if only is not None and only.role == "user" and question.prefix is None:
        return only.text
    head = [_line(message) for message in question.prefix.messages] if question.prefix else []
    return _TEXTS.unescaped("exchange", messages="\n".join([*head, *map(_message, question.messages)]))


def _message(message: Message) -> str:
    shape: dict[str, Any] = {"from": message.role, "text": message.text}
    if message.calls:
        calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls]
        shape["calls"] = calls
    if message.role == "tool":
        shape |= {"call": message.call_id, "failed": message.failed}
    return _line(shape)


def _system(prefix: Prefix | None) -> str:
    """Return a host's system text, which is a string or a list of blocks."""
    if prefix is None or not prefix.system:
        return ""
    return prefix.system if isinstance(prefix.system, str) else "\n\n".join(texts(prefix.system))


def _tool(name: str, description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": description, "arguments": schema}


def _calls_schema(question: Question) -> dict[str, Any]:
    names = {"type": "string", "enum": [tool.name for tool in question.tools]}
    call = _object({"name": names, "arguments": {"type": "object"}})
    return _object({"text": {"type": "string"}, "calls": {"type": "array", "items": call}})


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
    import json

    return json.dumps(shape, ensure_ascii=False)
