"""Models behind OpenAI's chat completions, and behind every server that speaks the same.

Ollama, vLLM, llama.cpp and LM Studio do; what only OpenAI's own server wants is sent to that alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memdir.errors import ModelReplyError
from memdir.models.plain_text import is_closed, texts_in, without_fence
from memdir.models.protocol import Message, Question, Reply, Tool, ToolCall, Usage
from memdir.models.vendors.http import HttpModel, objects_in, tokens_in

__all__ = ["OpenAIModel"]

_STOPS = {"tool_calls": "tools", "length": "length", "content_filter": "refusal"}


class OpenAIModel(HttpModel):
    """One of these models."""

    vendor, url, path = "openai", "https://api.openai.com/v1", "/chat/completions"
    key_name, base_name = "OPENAI_API_KEY", "OPENAI_BASE_URL"

    def headers(self, key: str) -> dict[str, str]:
        """Return the key as a bearer token."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self, question: Question) -> dict[str, Any]:
        """Return a question as chat completions take it."""
        prefix, ours = question.prefix, [_message(message) for message in question.messages]
        # OpenAI's newer models refuse the old name of this field, and other servers do not know the new one.
        limit = "max_completion_tokens" if self._address.url == self.url else "max_tokens"
        body: dict[str, Any] = {"model": self.model, limit: question.max_tokens}
        system = prefix.system if prefix else question.system
        head: list[Any] = [{"role": "system", "content": system}] if system else []
        tools: list[Mapping[str, Any]] = [_tool(tool) for tool in question.tools]
        if prefix:  # a host's own system text and tools begin its request, unchanged; ours opens our messages
            opening = [_message(Message("user", question.system))] if question.system else []
            head, tools = [*head, *prefix.messages, *opening], [*prefix.tools]
        body["messages"] = [*head, *ours]
        if tools:
            body["tools"] = tools
        if question.schema is not None:
            form = {"name": "reply", "schema": question.schema, "strict": is_closed(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body

    def reply(self, content: Mapping[str, Any], question: Question) -> Reply:
        """Return what the first choice says."""
        choice = next(iter(objects_in(content, "choices", self.name)), {})
        message = choice.get("message")
        if not isinstance(message, dict):
            raise ModelReplyError(f"{self.name} answered without a message. Try again, or another model.")
        text, refusal = _text(message.get("content")), _text(message.get("refusal"))
        wanted = [call for call in message.get("tool_calls") or () if isinstance(call, dict)]
        calls = tuple(self._call(call, f"call_{number}") for number, call in enumerate(wanted))
        stop = _STOPS.get(str(choice.get("finish_reason")), "tools" if calls else "end")
        return Reply(
            without_fence(text) if question.schema is not None else text or refusal,
            calls,
            _usage(content.get("usage")),
            "refusal" if refusal else stop,
            str(content.get("model") or self.model),
        )

    def _call(self, call: Mapping[str, Any], default: str) -> ToolCall:
        """Return one call; some local servers give none an id."""
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        given = function.get("arguments") or "{}"
        try:
            arguments = json.loads(given) if isinstance(given, str) else given
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            raise ModelReplyError(
                f"{self.name} called {function.get('name')!r} with arguments that are no JSON object. "
                "Try again, or choose a model that can call tools."
            )
        return ToolCall(str(call.get("id") or default), str(function.get("name")), arguments)


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    sent: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in message.calls
        ]
    return sent


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _text(content: Any) -> str:
    """Return what is said, whether as a string or as a list of parts."""
    if isinstance(content, list):
        return "".join(texts_in([part for part in content if isinstance(part, dict)]))
    return content if isinstance(content, str) else ""


def _usage(usage: Any) -> Usage:
    details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
    read, every = tokens_in(details, "cached_tokens"), tokens_in(usage, "prompt_tokens")
    return Usage(max(0, every - read), tokens_in(usage, "completion_tokens"), read)
