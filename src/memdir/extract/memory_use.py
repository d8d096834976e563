"""What a conversation did with a memory directory: what it wrote there, and what it read there."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from memdir.config.safe_path import Refused, contain
from memdir.conversation.messages import Spoken, ToolUse
from memdir.rules.shell.files import changed_files
from memdir.text.program_names import PATH_KEYS, SHELL_TOOLS, WRITING_TOOLS
from memdir.text.value import replace

__all__ = ["command_text", "memory_writes", "shell_writes", "with_memory_marked"]


def memory_writes(messages: Sequence[Spoken], directory: str, home: str = "") -> tuple[str, ...]:
    """Return what the host's model itself changed in the memory directory: paths, or the call that did it."""
    failed = {message.answers for message in messages if message.failed}
    uses = [use for message in messages for use in message.uses if use.id not in failed]
    return tuple(dict.fromkeys(changed for use in uses if (changed := _changed_file(use, directory, home))))


def shell_writes(command: str, directory: str, home: str, cwd: str = "") -> list[str]:
    """Return the paths in the memory directory that a shell command changes, as far as its words tell."""
    real = os.path.realpath(directory)
    names = {os.path.basename(path.rstrip(os.sep)) for path in (directory, real)}
    if not any(name in command for name in names) and not _is_inside(cwd, real):
        return []  # no word of it leads there
    return [path for path in changed_files(command, cwd, home) if _is_inside(path, real)]


def with_memory_marked(messages: Iterable[Spoken], directory: str) -> tuple[Spoken, ...]:
    """Return the messages with every result of a tool that read the memory directory marked as recalled."""
    known = list(messages)
    looked = {use.id for message in known for use in message.uses if use.id and _reads_memory(use, directory)}
    return tuple(
        replace(one, recalled=True) if one.answers and one.answers in looked else one for one in known
    )


def command_text(given: Mapping[str, Any], join: Callable[[list[str]], str] = shlex.join) -> str:
    """Return the command that a tool is given; one in words is put together as a shell would be given it."""
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        return join([word for word in command if isinstance(word, str)])
    return command if isinstance(command, str) else ""


_WRITERS = WRITING_TOOLS | {"write_file", "edit_file", "create_file", "replace"}
_SHELLS = SHELL_TOOLS | {"execute", "terminal"}
_OUR_TOOL = re.compile(r"(?:^|_)memdir(?:_|$)", re.IGNORECASE)
_OUR_CHANGE = re.compile(r"(?:remember|forget|edit|save|update|rename|write)(?:_\w+)?$")
_MEMORY_CHANGES = frozenset({"create", "str_replace", "insert", "delete", "rename"})
_OUR_COMMAND = re.compile(
    r"(?:^|[;&|(/\s])memdir\s+(?:--(?:directory|cwd|session)(?:=|\s+)(?:'[^']*'|\"[^\"]*\"|\S+)\s+|-\S+\s+)*+"
    r"(inbox\s+apply|\w+)"
)
_CHANGES = frozenset({"remember", "forget", "edit", "rename", "undo", "restore", "inbox apply"})


def _changed_file(use: ToolUse, directory: str, home: str) -> str:
    """Return what a call changed in the directory; empty when it changed nothing there."""
    name = use.name.lower()
    if name in _WRITERS:
        return _inside(use, directory)
    if _OUR_TOOL.search(name):
        changes_file = name.endswith("_memory") and command_text(use.input, " ".join) in _MEMORY_CHANGES
        return use.name if changes_file or _OUR_CHANGE.search(name) else ""
    if name not in _SHELLS:
        return ""
    verbs = [" ".join(verb.split()) for verb in _OUR_COMMAND.findall(command_text(use.input, " ".join))]
    ours = next((f"memdir {verb}" for verb in verbs if verb in _CHANGES), "")
    return ours or next(iter(shell_writes(command_text(use.input), directory, home)), "")


def _reads_memory(use: ToolUse, directory: str) -> bool:
    name = use.name.lower()
    if _OUR_TOOL.search(name) or _inside(use, directory):
        return True
    if name not in _SHELLS:
        return False
    command = command_text(use.input, " ".join)
    return bool(_OUR_COMMAND.search(command)) or directory.rstrip(os.sep) in command


def _inside(use: ToolUse, directory: str) -> str:
    """Return the path a call names when it is the memory directory or lies in it, links resolved."""
    paths = [use.input.get(key) for key in (*PATH_KEYS, "target_file", "filename")]
    path = next((path for path in paths if isinstance(path, str) and os.path.isabs(path)), "")
    if not path:
        return ""  # a relative path is taken from the project, which is not the memory directory
    return path if _is_inside(path, directory) else ""


def _is_inside(path: str, directory: str) -> bool:
    """Tell whether a path is the memory directory or lies in it, links resolved."""
    if not os.path.isabs(path):
        return False
    found = contain(directory, path)
    return not isinstance(found, Refused) or os.path.realpath(path) == os.path.realpath(directory)
