"""The loop of a background worker: ask, judge, answer, ask again, a few times; the end is a value."""

from collections.abc import Callable

from memdir.errors import MemdirError
from memdir.models.protocol import Cancel, Message, Model, Question, Reply
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class
from memdir.workers.run import DONE, FAILED, TURNS, Run
from memdir.workers.tools import Toolbox

__all__ = ["LARGEST_REPLY", "Limits", "run"]

_TEXTS = Templates(__file__)

LARGEST_REPLY = 600_000
"""Characters of one reply, its calls included: two memories of the largest size. More is a runaway."""


@value_class(frozen=True, slots=True)
class Limits:
    """How long a run may go on."""

    turns: int = 5
    seconds: float = 120.0


def run(
    model: Model,
    head: Question,
    toolbox: Toolbox,
    *,
    clock: Callable[[], float],
    limits: Limits | None = None,
    cancel: Cancel | None = None,
) -> Run:
    """Let a model work with tools until it has no more calls; whatever goes wrong ends up in the run.

    The head is the first question without tools; its time-out is that of one question. The clock counts
    seconds and never goes back.
    """
    limits = limits or Limits()
    loop = _Loop(model, replace(head, tools=toolbox.tools, cancel=cancel), toolbox)
    ended, because = loop.go(limits, clock, clock() + limits.seconds)
    memory, wishes = toolbox.policy.memory, toolbox.bench.wishes()
    return Run(memory, tuple(loop.replies), ended, because, wishes)


class _Loop:
    """One run on its way; the replies so far are its only state."""

    def __init__(self, model: Model, head: Question, toolbox: Toolbox) -> None:
        self._model, self._toolbox = model, toolbox
        self._question = head
        self.replies: list[Reply] = []

    def go(self, limits: Limits, clock: Callable[[], float], end: float) -> tuple[str, str]:
        """Take turns until one of the ends is reached; return which, and why."""
        cancel = self._question.cancel
        for _ in range(limits.turns):
            left = end - clock()
            if cancel is not None and cancel.is_set():
                return FAILED, "The run was called off."
            if left <= 0:
                return FAILED, f"The run took longer than {limits.seconds:g} seconds."
            try:
                reply = self._asked(left)
            except MemdirError as error:
                return FAILED, f"{type(error).__name__}: {error}"
            if problem := _unusable(reply):
                return FAILED, problem
            if not reply.calls:
                return DONE, "The model had nothing more to do."
            self._answer(reply, max(0.0, end - clock()))
        return TURNS, f"All {limits.turns} turns were used."

    def _asked(self, left: float) -> Reply:
        question = replace(self._question, timeout=min(self._question.timeout, left))
        reply = self._model.ask(question)
        self.replies.append(reply)
        return reply

    def _answer(self, reply: Reply, left: float) -> None:
        """Answer the calls of a reply and add both to the next question."""
        if reply.stop == "length":
            because = _TEXTS.unescaped("answer_cut_off")
            results = tuple(Message("tool", because, call_id=call.id, failed=True) for call in reply.calls)
        else:
            results = self._toolbox.answers(reply.calls, seconds=left, cancel=self._question.cancel)
        said = Message("assistant", reply.text, reply.calls)
        self._question = replace(self._question, messages=(*self._question.messages, said, *results))


def _unusable(reply: Reply) -> str:
    """Return why a run cannot go on from this reply; empty when it can."""
    size = len(reply.text) + sum(len(str(call.arguments)) for call in reply.calls)
    if size > LARGEST_REPLY:
        return f"The model answered with {size:,} characters; {LARGEST_REPLY:,} is the most."
    if reply.stop == "refusal":
        return f"The model refused: {reply.text[:200]}"
    if reply.stop == "length" and not reply.calls:
        return "The model's answer was cut off before it was finished."
    return ""
