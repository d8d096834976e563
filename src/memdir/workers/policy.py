"""The policy of a background worker: it may read what the host may read, and change memories only."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any

from memdir.config.safe_path import Refused, contain
from memdir.memories.names import RESERVED_FOLDERS, key_problem
from memdir.models.protocol import ToolCall
from memdir.text.value import value_class
from memdir.workers.shell_policy import files_named, pipeline

__all__ = ["ARGUMENTS", "CHANGING", "Policy"]

ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "read": {"path": "string", "first": "integer?", "lines": "integer?"},
    "grep": {"text": "string", "path": "string?"},
    "glob": {"pattern": "string", "path": "string?"},
    "shell": {"command": "string"},
    "write": {"path": "string", "text": "string"},
    "edit": {"path": "string", "old": "string", "new": "string"},
    "forget": {"path": "string"},
}
"""The tools and the types of their arguments; a question mark means that one may be left out."""

CHANGING = frozenset({"write", "edit", "forget"})
"""The tools that change memories; the others only read."""


@value_class(frozen=True, slots=True)
class Policy:
    """What one job may do, around one memory directory."""

    memory: str
    """The memory directory, absolute; relative paths are taken from it."""
    roots: tuple[str, ...] = ()
    """Folders besides it that may be looked into: those the host may read."""
    tools: frozenset[str] = frozenset(ARGUMENTS)
    folders: frozenset[str] = frozenset()
    """Those of team, logs and sessions in which this job may write."""
    only: str = ""
    """The one file that may be changed, below the memory directory; empty for any memory."""

    def judge(self, call: ToolCall) -> Refused | None:
        """Return why this call may not be made, as a sentence that the model reads; None when it may."""
        if call.name not in ARGUMENTS or call.name not in self.tools:
            return Refused(
                f"There is no tool {str(call.name)[:80]!r}. There are: {', '.join(self.tool_names)}."
            )
        if problem := _argument_problem(call):
            return Refused(problem)
        return _JUDGES[call.name](self, call.arguments)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Return the names of the tools of this job, in their usual order."""
        return tuple(name for name in ARGUMENTS if name in self.tools)

    def file(self, path: str) -> str | Refused:
        """Return the memory that a path means, below the memory directory; or why it may not be changed."""
        if not path.endswith(".md") or ".." in path.replace("\\", "/").split("/"):
            return Refused("it does not end in .md, or steps back with '..'")
        real = contain(self.memory, path)
        if isinstance(real, Refused):
            return real
        file = os.path.relpath(real, os.path.realpath(self.memory)).replace(os.sep, "/")
        top, _, rest = file.partition("/")
        problem = key_problem(rest if rest and top in self.folders & _OPENABLE else file)
        if problem:
            return Refused(problem)
        return Refused(f"only {self.only} may be changed") if self.only and file != self.only else file

    def place(self, path: str) -> str | Refused:
        """Return the real path of what may be looked at; or why it may not be."""
        try:
            is_name = bool(path) and b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            is_name = False
        if not is_name:
            return Refused("it is empty or holds characters that no file name can hold")
        asked = os.path.join(self.memory, path)
        for root in (self.memory, *self.roots):
            real = os.path.realpath(root)
            place = real if os.path.realpath(asked) == real else contain(root, asked)
            if isinstance(place, str):
                return Refused("it is not a file or a folder") if _is_special(place) else place
        return Refused("it is outside the folders that this job may look into")


def _is_special(real: str) -> bool:
    """Tell whether reading this could wait for ever, act, or show the insides of a process."""
    if real.startswith(_SYSTEM) or real + os.sep in _SYSTEM:
        return True
    try:
        mode = os.stat(real).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _argument_problem(call: ToolCall) -> str:
    """Return what is wrong with the arguments of a call; empty when they fit."""
    wanted = ARGUMENTS[call.name]
    if not isinstance(call.arguments, Mapping):
        return f"The arguments of {call.name} are not an object."
    if unknown := [str(name)[:40] for name in call.arguments if name not in wanted]:
        return f"{call.name} takes {', '.join(wanted)}, not {', '.join(unknown[:5])}."
    for name, kind in wanted.items():
        value = call.arguments.get(name)
        if value is None and kind.endswith("?"):
            continue
        if not isinstance(value, _TYPES[kind.rstrip("?")]) or isinstance(value, bool):
            return f"{call.name} needs {name} as a {kind.rstrip('?')}."
    return ""


def _judge_path(policy: Policy, arguments: Mapping[str, Any]) -> Refused | None:
    path = arguments.get("path")
    place = policy.place(path) if path is not None else policy.memory
    if isinstance(place, Refused):
        return Refused(f"{_quote_path(path)} may not be looked at: {place.because}.")
    return None


def _judge_glob(policy: Policy, arguments: Mapping[str, Any]) -> Refused | None:
    pattern = arguments["pattern"]
    if pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
        return Refused(
            "The pattern is relative to path and does not step back with '..'. Give the folder as path."
        )
    return _judge_path(policy, arguments)


def _judge_shell(policy: Policy, arguments: Mapping[str, Any]) -> Refused | None:
    stages = pipeline(arguments["command"])
    if isinstance(stages, Refused):
        return stages
    for number, words in enumerate(stages):
        files = files_named(words)
        if isinstance(files, Refused):
            return files
        for file in files:
            if file == "-" and number:
                continue
            place = policy.place(file) if file != "-" else Refused("nothing is piped into the first program")
            if isinstance(place, Refused):
                return Refused(f"{_quote_path(file)} may not be looked at: {place.because}.")
    return None


def _judge_change(policy: Policy, arguments: Mapping[str, Any]) -> Refused | None:
    file = policy.file(arguments["path"])
    if isinstance(file, Refused):
        path = _quote_path(arguments["path"])
        return Refused(f"{path} may not be changed: {file.because}. Name a .md file in the memory directory.")
    return None


def _quote_path(path: object) -> str:
    return repr(str(path)[:120])


_OPENABLE = RESERVED_FOLDERS - {"hubs"}
_SYSTEM = ("/proc/", "/sys/", "/dev/")
_TYPES = {"string": str, "integer": int}
_LOOKS = {"read": _judge_path, "grep": _judge_path, "glob": _judge_glob, "shell": _judge_shell}
_JUDGES = {**_LOOKS, **dict.fromkeys(CHANGING, _judge_change)}
