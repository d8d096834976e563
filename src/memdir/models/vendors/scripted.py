"""A model that answers from a script: the fake that ships, for tests, examples and dry runs.

A script can be a JSON file: a list of replies, or an object with `replies`, `default` (answered after the
last one) and `jobs` (lists of replies for questions of one job). A reply is a text, or an object with `text`,
`calls`, `usage` and `stop`; `{"error": "busy"}` raises (also timeout, rejected, reply), `{"hang": true}` is
silence.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from time import monotonic, sleep
from typing import Any

from memdir.errors import (
    Cancelled,
    ModelBusy,
    ModelError,
    ModelRejected,
    ModelReplyError,
    ModelTimeout,
    Rejected,
)
from memdir.models.protocol import Model, Question, Reply, ToolCall, Usage

__all__ = ["Hang", "ScriptedModel", "Step", "read_script"]

_TICK = 0.005
"""Seconds between two looks at the cancel flag."""

_ERRORS: Mapping[str, type[ModelError]] = {
    "busy": ModelBusy,
    "rejected": ModelRejected,
    "reply": ModelReplyError,
    "timeout": ModelTimeout,
}

_NAME = "scripted"


class Hang:
    """A step of a script that never answers: the question's time runs out, or it is called off."""


Step = Reply | str | Exception | Hang | Callable[[Question], "Reply | str"]
"""One answer: a reply, its text alone, an error to raise, silence, or a function of the question."""


class ScriptedModel:
    """Answers each question with the next step of a script and keeps every question it was asked."""

    def __init__(
        self, steps: Iterable[Step] = (), *, name: str = "scripted", default: Step | None = None
    ) -> None:
        """Take the steps in order; after the last one every question gets the default, or an error."""
        self._steps, self._name, self._default = list(steps), name, default
        self._lock = Lock()
        self.asked: list[Question] = []

    @property
    def name(self) -> str:
        """Return the name given to it."""
        return self._name

    def ask(self, question: Question) -> Reply:
        """Return what the script says to this question."""
        with self._lock:
            self.asked.append(question)
            step = self._steps.pop(0) if self._steps else self._default
        if question.cancel is not None and question.cancel.is_set():
            raise Cancelled("The question was called off.")
        if step is None:
            raise ModelReplyError(f"The script of {self._name!r} has no step for question {len(self.asked)}.")
        if isinstance(step, Hang):
            raise _silence(question)
        if isinstance(step, Exception):
            raise step
        said = step(question) if callable(step) else step
        return Reply(said, model=self._name) if isinstance(said, str) else said


def read_script(path: str) -> Model:
    """Return the model that a file describes; a file that describes none is `Rejected`."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        content = content if isinstance(content, dict) else {"replies": content}
        return _ByJob(
            {str(job): _model({"replies": steps}) for job, steps in content.get("jobs", {}).items()},
            _model(content),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Rejected(
            f"{path} is no script of a model ({error}). Put a JSON list of replies there."
        ) from None


class _ByJob:
    """Sends each question to the script of its job, or to the one for all others."""

    name = _NAME

    def __init__(self, jobs: Mapping[str, ScriptedModel], others: ScriptedModel) -> None:
        self._jobs, self._others = jobs, others

    def ask(self, question: Question) -> Reply:
        """Return what the script says."""
        return self._jobs.get(question.job, self._others).ask(question)


def _model(content: Mapping[str, Any]) -> ScriptedModel:
    default = content.get("default")
    steps = [_step(one) for one in content.get("replies", ())]
    return ScriptedModel(steps, name=_NAME, default=None if default is None else _step(default))


def _step(one: Any) -> Step:
    if isinstance(one, str):
        return one
    if one.get("hang"):
        return Hang()
    if "error" in one:
        return _ERRORS[one["error"]](one.get("message", "The script says so."))
    calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in one.get("calls", ()))
    stop = one.get("stop", "tools" if calls else "end")
    return Reply(one.get("text", ""), calls, Usage(**one.get("usage", {})), stop, _NAME)


def _silence(question: Question) -> ModelError:
    """Wait as a silent server makes a caller wait, and return how that ends."""
    end = monotonic() + question.timeout
    while monotonic() < end:
        if question.cancel is not None and question.cancel.wait(_TICK):
            return Cancelled("The question was called off.")
        if question.cancel is None:
            sleep(min(_TICK, max(0.0, end - monotonic())))
    return ModelTimeout(f"No answer within {question.timeout:g} s.")
