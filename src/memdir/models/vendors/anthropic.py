"""Models behind Anthropic's Messages API, and behind servers that speak the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memdir.models.plain_text import texts_in, without_fence
from memdir.models.protocol import Message, Question, Reply, ToolCall, Usage
from memdir.models.vendors.http import HttpModel, objects_in, tokens_in

__all__ = ["AnthropicModel", "stop_of", "usage_of"]

_STOPS = {
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}

_MARK = {"cache_control": {"type": "ephemeral"}}


class AnthropicModel(HttpModel):
    """One of these models."""

    vendor, url, path = "anthropic", "https://api.anthropic.com", "/v1/messages"
    key_name, base_name = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"

    def headers(self, key: str) -> dict[str, str]:
        """Return the version of the interface, and the key."""
        return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}

    def body(self, question: Question) -> dict[str, Any]:
        """Return a question as messages."""
        prefix = question.prefix
        body: dict[str, Any] = {"model": self.model, "max_tokens": question.max_tokens}
        body["messages"] = [*(prefix.messages if prefix else ()), *_messages(question)]
        if system := prefix.system if prefix else _system(question):
            body["system"] = system
        if tools := _tools(question):
            body["tools"] = tools
        if question.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": question.schema}}
        return body

    def reply(self, content: Mapping[str, Any], question: Question) -> Reply:
        """Return what the blocks of a message say."""
        blocks = objects_in(content, "content", self.name)
        text = "".join(texts_in(blocks))
        calls = tuple(_call(block) for block in blocks if block.get("type") == "tool_use")
        return Reply(
            without_fence(text) if question.schema is not None else text,
            calls,
            usage_of(content.get("usage")),
            stop_of(content.get("stop_reason"), calls),
            str(content.get("model") or self.model),
        )


def _call(block: Mapping[str, Any]) -> ToolCall:
    given = block.get("input")
    return ToolCall(str(block.get("id")), str(block.get("name")), given if isinstance(given, dict) else {})


def stop_of(reason: object, calls: Sequence[ToolCall]) -> str:
    """Return why a model stopped, in our words."""
    return _STOPS.get(str(reason), "tools" if calls else "end")


def usage_of(usage: Any) -> Usage:
    """Return what a call consumed."""
    kinds = ("input", "output", "cache_read_input", "cache_creation_input")
    return Usage(*(tokens_in(usage, f"{kind}_tokens") for kind in kinds))


def _system(question: Question) -> Any:
    """Return the system text, marked for the cache: the mark covers the tools too, which come before it."""
    if not question.cached:
        return question.system
    return [{"type": "text", "text": question.system, **_MARK}] if question.system else ""


def _tools(question: Question) -> list[Mapping[str, Any]]:
    """Return the host's tools unchanged where they begin its request, else ours."""
    if question.prefix:
        return [*question.prefix.tools]
    ours: list[Mapping[str, Any]] = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        for tool in question.tools
    ]
    if ours and question.cached and not question.system:
        ours[-1] = {**ours[-1], **_MARK}
    return ours


def _messages(question: Question) -> list[dict[str, Any]]:
    """Return our messages; behind a host's head, our system text opens them."""
    opening = [Message("user", question.system)] if question.prefix and question.system else []
    sent: list[dict[str, Any]] = []
    for message in (*opening, *question.messages):
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if sent and sent[-1]["role"] == role:  # results of one turn belong into one message
            sent[-1]["content"] += blocks
        elif blocks:
            sent.append({"role": role, "content": blocks})
    return sent


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.call_id, "content": message.text}
        return [{**result, "is_error": True} if message.failed else result]
    said = [{"type": "text", "text": message.text}] if message.text.strip() else []
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.calls
    ]
    return [*said, *calls]
