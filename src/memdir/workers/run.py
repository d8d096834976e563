"""A worker's run as a value: questions by their hash, replies, results, how it ended and what it wishes."""

import hashlib
from collections.abc import Mapping
from typing import Any

from memdir.core.value import value_class
from memdir.llm.protocol import Message, Question, Reply, ToolCall, Usage
from memdir.workers.workbench import Wish

__all__ = ["DONE", "FAILED", "TURNS", "Exchange", "Run", "question_hash", "run_from", "run_text"]

DONE, TURNS, FAILED = "done", "turns", "failed"


@value_class(frozen=True, slots=True)
class Exchange:
    """One turn: what was asked, what the model answered, and what its calls gave."""

    question: str
    """The SHA-256 of all that the model was shown."""
    reply: Reply
    results: tuple[Message, ...] = ()


@value_class(frozen=True, slots=True)
class Run:
    """All of one run; its wishes hold the texts it started from, so it can be replayed with no model."""

    model: str
    memory: str
    """The memory directory it was about."""
    exchanges: tuple[Exchange, ...]
    ended: str
    """done (the model had no more calls), turns (they were used up), or failed."""
    because: str
    """How it ended, as a sentence."""
    touched: tuple[Wish, ...] = ()
    """Every file it wished to change, those that it left as they were included."""

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """Return what should be changed: of a failed run nothing."""
        return () if self.ended == FAILED else tuple(one for one in self.touched if one.verb != "nothing")

    @property
    def text(self) -> str:
        """Return the model's last words."""
        return self.exchanges[-1].reply.text if self.exchanges else ""

    @property
    def usage(self) -> Usage:
        """Return what the run consumed in all."""
        each = [exchange.reply.usage for exchange in self.exchanges]
        return Usage(
            sum(one.input for one in each),
            sum(one.output for one in each),
            sum(one.cache_read for one in each),
            sum(one.cache_write for one in each),
        )


def question_hash(question: Question) -> str:
    """Return the hash of what a model is shown; time limits and the way to call it off do not count."""
    import json

    shown: list[Any] = [question.system, question.schema, question.max_tokens, question.job]
    shown += [[_message(message) for message in question.messages]]
    shown += [[[tool.name, tool.description, tool.schema] for tool in question.tools]]
    if question.prefix is not None:
        shown += [question.prefix.system, list(question.prefix.tools), list(question.prefix.messages)]
    text = json.dumps(shown, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def run_text(run: Run) -> str:
    """Return a run as one line of JSON."""
    import json

    exchanges = [
        {
            "question": exchange.question,
            "reply": _reply(exchange.reply),
            "results": [_message(message) for message in exchange.results],
        }
        for exchange in run.exchanges
    ]
    touched = [{"file": wish.file, "was": wish.was, "text": wish.text} for wish in run.touched]
    fields = {"model": run.model, "memory": run.memory, "ended": run.ended, "because": run.because}
    return json.dumps({**fields, "touched": touched, "exchanges": exchanges}, default=str)


def run_from(text: str) -> Run:
    """Return the run that a line holds; raises ValueError when it holds none."""
    import json

    try:
        found = json.loads(text)
        exchanges = tuple(
            Exchange(one["question"], _reply_from(one["reply"]), tuple(map(_message_from, one["results"])))
            for one in found["exchanges"]
        )
        touched = tuple(Wish(one["file"], one["was"], one["text"]) for one in found["touched"])
        return Run(found["model"], found["memory"], exchanges, found["ended"], found["because"], touched)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"This is no recorded run: {error!r}.") from error


def _message(message: Message) -> dict[str, Any]:
    calls = [_call(call) for call in message.calls]
    return {
        "role": message.role,
        "text": message.text,
        "calls": calls,
        "call_id": message.call_id,
        "failed": message.failed,
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def _reply(reply: Reply) -> dict[str, Any]:
    used = reply.usage
    return {
        "text": reply.text,
        "calls": [_call(call) for call in reply.calls],
        "usage": [used.input, used.output, used.cache_read, used.cache_write],
        "stop": reply.stop,
        "model": reply.model,
    }


def _calls_from(found: list[Mapping[str, Any]]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(one["id"], one["name"], one["arguments"]) for one in found)


def _message_from(found: Mapping[str, Any]) -> Message:
    return Message(
        found["role"], found["text"], _calls_from(found["calls"]), found["call_id"], bool(found["failed"])
    )


def _reply_from(found: Mapping[str, Any]) -> Reply:
    return Reply(
        found["text"], _calls_from(found["calls"]), Usage(*found["usage"]), found["stop"], found["model"]
    )
