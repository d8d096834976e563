"""The loop of a background worker: ask a model, answer its tool calls, ask again, within limits."""

from __future__ import annotations

from collections.abc import Callable

from memdir.errors import MemdirError
from memdir.memories.change import Change
from memdir.models.protocol import Cancel, Message, Model, Question, Reply
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class
from memdir.workers.tools import Toolbox

__all__ = ["DONE", "FAILED", "MAX_REPLY", "TURNS", "WorkerLimits", "WorkerRun", "run_worker"]

_TEXTS = Templates(__file__)

MAX_REPLY = 600_000
"""Characters of one reply, its calls included: two memories of the largest size. More is a runaway."""

DONE, TURNS, FAILED = "done", "turns", "failed"


@value_class(frozen=True, slots=True)
class WorkerLimits:
    """How long a run may go on."""

    turns: int = 5
    seconds: float = 120.0


@value_class(frozen=True, slots=True)
class WorkerRun:
    """The result of one run."""

    ended: str
    """done (the model had no more calls), turns (they were used up), or failed."""
    because: str
    """How it ended, as a sentence."""
    edits: tuple[Change, ...] = ()
    """What should be changed: of a failed run nothing."""
    text: str = ""
    """The model's last words."""


def run_worker(
    model: Model,
    head: Question,
    toolbox: Toolbox,
    *,
    clock: Callable[[], float],
    limits: WorkerLimits | None = None,
    cancel: Cancel | None = None,
) -> WorkerRun:
    """Let a model work with tools until it makes no more calls; errors end the run and are in its result.

    The head is the first question without tools; its time-out is that of one question. The clock counts
    seconds and never goes back.
    """
    limits = limits or WorkerLimits()
    question = replace(head, tools=toolbox.tools, cancel=cancel)
    end, text = clock() + limits.seconds, ""
    for _ in range(limits.turns):
        left = end - clock()
        if cancel is not None and cancel.is_set():
            return WorkerRun(FAILED, "The run was called off.")
        if left <= 0:
            return WorkerRun(FAILED, f"The run took longer than {limits.seconds:g} seconds.")
        try:
            reply = model.ask(replace(question, timeout=min(question.timeout, left)))
        except MemdirError as error:
            return WorkerRun(FAILED, f"{type(error).__name__}: {error}")
        if problem := _reply_problem(reply):
            return WorkerRun(FAILED, problem)
        if not reply.calls:
            return WorkerRun(DONE, "The model had nothing more to do.", toolbox.overlay.changes(), reply.text)
        if reply.stop == "length":
            because = _TEXTS.fill_plain("answer_cut_off")
            results = tuple(Message("tool", because, call_id=call.id, failed=True) for call in reply.calls)
        else:
            results = toolbox.answers(reply.calls, seconds=max(0.0, end - clock()), cancel=cancel)
        text, said = reply.text, Message("assistant", reply.text, reply.calls)
        question = replace(question, messages=(*question.messages, said, *results))
    return WorkerRun(TURNS, f"All {limits.turns} turns were used.", toolbox.overlay.changes(), text)


def _reply_problem(reply: Reply) -> str:
    """Return why a run cannot go on from this reply; empty when it can."""
    size = len(reply.text) + sum(len(str(call.arguments)) for call in reply.calls)
    if size > MAX_REPLY:
        return f"The model answered with {size:,} characters; {MAX_REPLY:,} is the most."
    if reply.stop == "refusal":
        return f"The model refused: {reply.text[:200]}"
    if reply.stop == "length" and not reply.calls:
        return "The model's answer was cut off before it was finished."
    return ""
