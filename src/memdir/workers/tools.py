"""The tools of a worker, bound to one memory directory: judged, run, and answered in words a model reads."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from memdir.errors import MemdirError
from memdir.models.protocol import Cancel, Message, Tool, ToolCall
from memdir.text.templates import Templates
from memdir.workers.answer import Answer, failure
from memdir.workers.policy import ARGUMENTS, CHANGING, Policy
from memdir.workers.read_tools import Looks
from memdir.workers.shell import SHELL_SECONDS, ran
from memdir.workers.shell_words import pipeline
from memdir.workers.verdict import Verdict
from memdir.workers.workbench import Workbench
from memdir.workers.write_tools import Changes

__all__ = ["MOST_CALLS", "Toolbox", "tool_named"]

_TEXTS = Templates(__file__)

MOST_CALLS = 32
"""Calls of one turn that are answered: a worker that asks for more is running away."""

_SIDE_BY_SIDE = 8


class Toolbox:
    """What a run may call; every call is judged first, and changes gather on the workbench."""

    def __init__(self, policy: Policy, bench: Workbench) -> None:
        """Bind the tools of a policy to a workbench."""
        self.policy, self.bench = policy, bench
        self._looks, self._changes = Looks(policy, bench), Changes(policy, bench)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools as a model is told of them."""
        return tuple(tool_named(name) for name in self.policy.named)

    def answers(
        self, calls: Sequence[ToolCall], *, seconds: float = SHELL_SECONDS, cancel: Cancel | None = None
    ) -> tuple[Message, ...]:
        """Answer the calls of one turn in their order.

        Looks run side by side and see what was there before the turn; changes follow one after the other, so
        that the same calls always have the same effect.
        """
        from concurrent.futures import ThreadPoolExecutor

        def look(call: ToolCall) -> Answer | None:
            return None if call.name in CHANGING else self._answer(call, seconds, cancel)

        taken = calls[:MOST_CALLS]
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as threads:
            looked = list(threads.map(look, taken))
        made = [
            answer or self._answer(call, seconds, cancel) for call, answer in zip(taken, looked, strict=True)
        ]
        made += [failure(f"Only {MOST_CALLS} calls a turn are answered.")] * len(calls[MOST_CALLS:])
        return tuple(
            Message("tool", answer.text, call_id=call.id, failed=answer.failed)
            for call, answer in zip(calls, made, strict=True)
        )

    def _answer(self, call: ToolCall, seconds: float, cancel: Cancel | None) -> Answer:
        verdict = self.policy.judged(call)
        if not verdict.allowed:
            return failure(verdict.because)
        try:
            if call.name == "shell":
                return self._shell(call.arguments["command"], seconds, cancel)
            return self._verb(call.name)(**call.arguments)
        except (MemdirError, OSError) as error:
            return failure(f"{call.name} failed: {error}")

    def _shell(self, command: str, seconds: float, cancel: Cancel | None) -> Answer:
        stages = pipeline(command)
        if isinstance(stages, Verdict):
            return failure(stages.because)
        return ran(stages, self.policy.memory, seconds=min(seconds, SHELL_SECONDS), cancel=cancel)

    def _verb(self, name: str) -> Callable[..., Answer]:
        verbs: dict[str, Callable[..., Answer]] = {
            "read": self._looks.read,
            "grep": self._looks.grep,
            "glob": self._looks.glob,
            "write": self._changes.write,
            "edit": self._changes.edit,
            "forget": self._changes.forget,
        }
        return verbs[name]


@cache
def tool_named(name: str) -> Tool:
    """Return a tool as a model is told of it: what it does and what it takes."""
    about, _, each = _TEXTS.unescaped(f"tool_{name}").rpartition("\n\n")
    told = dict(line.split(": ", 1) for line in each.split("\n"))
    wanted = ARGUMENTS[name]
    properties: Mapping[str, Any] = {
        argument: {"type": kind.rstrip("?"), "description": told[argument]}
        for argument, kind in wanted.items()
    }
    required = [argument for argument, kind in wanted.items() if not kind.endswith("?")]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(name, about, schema)
