"""A model that answers from a script: the fake that ships, for tests, examples and dry runs.

A script can be a JSON file: a list of replies, or an object with `replies`, `default` (answered after the
last one) and `jobs` (lists of replies for questions of one job). A reply is a text, or an object with `text`,
`calls`, `usage` and `stop`; `{"error": "busy"}` raises (also timeout, rejected, reply), `{"hang": true}` is
silence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from threading import Event, Lock
from typing import Any

from memdir.errors import ModelBusy, ModelError, ModelRejected, ModelReplyError, ModelTimeout, Rejected
from memdir.models.protocol import Model, Question, QuestionDeadline, Reply, ToolCall, Usage

__all__ = ["Hang", "ScriptedModel", "Step", "read_script"]

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
        self,
        steps: Iterable[Step] = (),
        *,
        name: str = _NAME,
        default: Step | None = None,
        jobs: Mapping[str, Iterable[Step]] | None = None,
    ) -> None:
        """Take the steps in order; after the last one every question gets the default, or an error.

        Questions of one of the jobs get its own steps, and no default.
        """
        self.name = name
        self._steps, self._default = list(steps), default
        self._jobs = {job: list(own) for job, own in (jobs or {}).items()}
        self._lock = Lock()
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        """Return what the script says to this question."""
        with self._lock:
            self.asked.append(question)
            own = self._jobs.get(question.job)
            steps, default = (self._steps, self._default) if own is None else (own, None)
            step = steps.pop(0) if steps else default
        deadline = QuestionDeadline(question, self.name)
        deadline.check()
        if step is None:
            raise ModelReplyError(f"The script of {self.name!r} has no step for question {len(self.asked)}.")
        while isinstance(step, Hang):
            deadline.wait(Event())
        if isinstance(step, Exception):
            raise step
        said = step(question) if callable(step) else step
        return Reply(said, model=self.name) if isinstance(said, str) else said


def read_script(path: str) -> Model:
    """Return the model that a file describes; a file that describes none is `Rejected`."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        content = content if isinstance(content, dict) else {"replies": content}
        default = content.get("default")
        return ScriptedModel(
            [_step(one) for one in content.get("replies", ())],
            default=None if default is None else _step(default),
            jobs={job: [_step(one) for one in own] for job, own in content.get("jobs", {}).items()},
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Rejected(
            f"{path} is no script of a model ({error}). Put a JSON list of replies there."
        ) from None


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
