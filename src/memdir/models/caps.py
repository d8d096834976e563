"""The caps: tokens that one call, one conversation and one day may use, and the refusal beyond them."""

import json
from typing import Any

from memdir.errors import CapReached
from memdir.models.protocol import Question
from memdir.text.clip import tokens
from memdir.text.value import value_class

__all__ = ["PER_CALL", "Caps", "TokensUsed", "input_estimate", "most_tokens", "refusal"]

PER_CALL = 250_000
"""Tokens of one call: more than any job of ours sends on purpose; it bounds what one mistake can cost."""

_JSON = 2
"""How much an estimate may be too low: tool results and schemas are dense with signs."""


@value_class(frozen=True, slots=True)
class Caps:
    """The limits, in tokens; 0 means that no call is made at all."""

    per_conversation: int
    per_day: int
    per_call: int = PER_CALL


@value_class(frozen=True, slots=True)
class TokensUsed:
    """Tokens used so far, including what open calls may still use."""

    conversation: int
    day: int


def input_estimate(question: Question) -> int:
    """Return about how many tokens a question sends."""
    prefix = question.prefix
    sent: list[str] = [question.system, *(message.text for message in question.messages)]
    calls = [dict(call.arguments) for message in question.messages for call in message.calls]
    shapes: list[Any] = [
        calls,
        question.schema,
        [(tool.name, tool.description, tool.schema) for tool in question.tools],
    ]
    shapes += [prefix.system, prefix.tools, prefix.messages] if prefix else []
    sent += [json.dumps(shape, ensure_ascii=False, default=str) for shape in shapes if shape]
    return sum(tokens(text) for text in sent)


def most_tokens(question: Question) -> int:
    """Return what a call can hardly exceed: what it sends, generously counted, and what it may answer."""
    return _JSON * input_estimate(question) + question.max_tokens


def refusal(question: Question, used: TokensUsed, caps: Caps, *, day: str) -> CapReached | None:
    """Return why a question may not be asked, or None when it may; `day` is the one being counted."""
    what, most = f"The {question.job} job" if question.job else "The call", most_tokens(question)
    if used.day >= caps.per_day:
        return CapReached(
            f"{_gone(used.day, caps.per_day)} on {day}. {what} pauses until the next day begins (UTC); "
            "raise cost.perDay in your settings to go on."
        )
    if used.conversation >= caps.per_conversation:
        return CapReached(
            f"{_gone(used.conversation, caps.per_conversation)} in this conversation. {what} pauses for the "
            "rest of it; raise cost.perConversation in your settings to go on."
        )
    if most > caps.per_call:
        return CapReached(
            f"{what} would take up to {most:,} tokens in one call, where {caps.per_call:,} are allowed. "
            "Nothing was asked; shorten what it is about."
        )
    return None


def _gone(used: int, cap: int) -> str:
    return f"{used:,} of {cap:,} tokens are used up or under way"
