"""A model that answers from a JSON file: for examples, dry runs, and tests with processes of their own.

The file holds a list of replies, or an object with `replies`, `default` (answered after the last one) and
`jobs` (lists of replies for questions of one job). A reply is a text, or an object with `text`, `calls`,
`usage` and `stop`; `{"error": "busy"}` raises (also timeout, rejected, reply), `{"hang": true}` is silence.
"""

from collections.abc import Mapping
from typing import Any

from memdir.errors import ModelBusy, ModelError, ModelRejected, ModelReplyError, ModelTimeout, Rejected
from memdir.models.protocol import Model, Question, Reply, ToolCall, Usage
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step

__all__ = ["scripted_file"]

_ERRORS: Mapping[str, type[ModelError]] = {
    "busy": ModelBusy,
    "rejected": ModelRejected,
    "reply": ModelReplyError,
    "timeout": ModelTimeout,
}

_NAME = "scripted"


def scripted_file(path: str) -> Model:
    """Return the model that a file describes; a file that describes none is `Rejected`."""
    import json

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
