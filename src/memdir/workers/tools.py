"""The toolbox of a worker: each call is judged by the policy, run, and answered in words for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from memdir.config.safe_path import Refused
from memdir.errors import MemdirError
from memdir.models.protocol import Cancel, Message, Tool, ToolCall
from memdir.text.templates import Templates
from memdir.text.value import replace
from memdir.workers.file_tools import FileTools, failure
from memdir.workers.overlay import Overlay
from memdir.workers.policy import ARGUMENTS, CHANGING, Policy
from memdir.workers.shell import SHELL_SECONDS, run_pipeline
from memdir.workers.shell_policy import pipeline

__all__ = ["MAX_CALLS", "Toolbox", "worker_tool"]

_TEXTS = Templates(__file__)

MAX_CALLS = 32
"""Calls of one turn that are answered: a worker that asks for more is out of control."""

_THREADS = 8


class Toolbox:
    """The tools of one run; changes are collected on the overlay."""

    def __init__(self, policy: Policy, overlay: Overlay) -> None:
        """Bind the tools of a policy to an overlay."""
        self.policy, self.overlay = policy, overlay
        self._files = FileTools(policy, overlay)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools as a model is told of them."""
        return tuple(worker_tool(name) for name in self.policy.tool_names)

    def answers(
        self, calls: Sequence[ToolCall], *, seconds: float = SHELL_SECONDS, cancel: Cancel | None = None
    ) -> tuple[Message, ...]:
        """Return the results of the calls of one turn, in their order.

        Calls that only read run in parallel and see what was there before the turn; changes follow one after
        the other, so that the same calls always have the same effect.
        """

        def read(call: ToolCall) -> Message | None:
            return None if call.name in CHANGING else self._result(call, seconds, cancel)

        accepted = calls[:MAX_CALLS]
        with ThreadPoolExecutor(_THREADS) as threads:
            looked = list(threads.map(read, accepted))
        results = [
            result or self._result(call, seconds, cancel)
            for call, result in zip(accepted, looked, strict=True)
        ]
        results += [failure(f"Only {MAX_CALLS} calls a turn are answered.")] * len(calls[MAX_CALLS:])
        return tuple(replace(result, call_id=call.id) for call, result in zip(calls, results, strict=True))

    def _result(self, call: ToolCall, seconds: float, cancel: Cancel | None) -> Message:
        if refused := self.policy.judge(call):
            return failure(refused.because)
        try:
            if call.name == "shell":
                return self._shell(call.arguments["command"], seconds, cancel)
            result: Message = getattr(self._files, call.name)(**call.arguments)
        except (MemdirError, OSError) as error:
            return failure(f"{call.name} failed: {error}")
        return result

    def _shell(self, command: str, seconds: float, cancel: Cancel | None) -> Message:
        stages = pipeline(command)
        if isinstance(stages, Refused):
            return failure(stages.because)
        return run_pipeline(stages, self.policy.memory, seconds=min(seconds, SHELL_SECONDS), cancel=cancel)


@cache
def worker_tool(name: str) -> Tool:
    """Return a tool as a model is told of it: what it does and what it takes."""
    about, _, each = _TEXTS.fill_plain(f"tool_{name}").rpartition("\n\n")
    told = dict(line.split(": ", 1) for line in each.split("\n"))
    wanted = ARGUMENTS[name]
    properties: Mapping[str, Any] = {
        argument: {"type": kind.rstrip("?"), "description": told[argument]}
        for argument, kind in wanted.items()
    }
    required = [argument for argument, kind in wanted.items() if not kind.endswith("?")]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(name, about, schema)
