"""Models behind Anthropic's Messages API, and behind servers that speak the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from memdir.models.plain_text import texts_in, with_calls_from_text, with_tools_in_text, without_fence
from memdir.models.protocol import Message, Question, Reply, ToolCall, Usage
from memdir.models.vendors.address import Address
from memdir.models.vendors.http import Backoff, ModelServer, objects_in, tokens_in

__all__ = ["AnthropicModel", "stop_of", "usage_of"]

_STOPS = {
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}

_MARK = {"cache_control": {"type": "ephemeral"}}


class AnthropicModel:
    """One of these models."""

    def __init__(
        self, model: str, address: Address, *, name: str = "", backoff: Backoff | None = None
    ) -> None:
        """Take the model's own name and the address without `/v1/messages`."""
        key = {"x-api-key": address.key} if address.key else {}
        self._model, self._name = model, name or f"anthropic:{model}"
        headers = {"anthropic-version": "2023-06-01", **key}
        self._server = ModelServer(self._name, address, "/v1/messages", headers, backoff)

    @property
    def name(self) -> str:
        """Return how settings and the ledger call it."""
        return self._name

    def ask(self, question: Question) -> Reply:
        """Return the answer to a question."""
        reply = self._reply(self._server.answer(with_tools_in_text(question), self._body), question)
        return with_calls_from_text(reply, question, self._name)

    def _body(self, question: Question) -> dict[str, Any]:
        prefix = question.prefix
        body: dict[str, Any] = {"model": self._model, "max_tokens": question.max_tokens}
        body["messages"] = [*(prefix.messages if prefix else ()), *_messages(question)]
        if system := prefix.system if prefix else _system(question):
            body["system"] = system
        if tools := _tools(question):
            body["tools"] = tools
        if question.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": question.schema}}
        return body

    def _reply(self, content: Mapping[str, Any], question: Question) -> Reply:
        blocks = objects_in(content, "content", self._name)
        text = "".join(texts_in(blocks))
        wanted = [block for block in blocks if block.get("type") == "tool_use"]
        given = [call["input"] if isinstance(call.get("input"), dict) else {} for call in wanted]
        calls = tuple(
            ToolCall(str(call.get("id")), str(call.get("name")), arguments)
            for call, arguments in zip(wanted, given, strict=True)
        )
        return Reply(
            without_fence(text) if question.schema is not None else text,
            calls,
            usage_of(content.get("usage")),
            stop_of(content.get("stop_reason"), calls),
            str(content.get("model") or self._model),
        )


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
