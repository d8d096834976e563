"""What of memdir stands in the files of hosts, however it came there: hooks, a server, a plugin."""

import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

from memdir.core.value import value_class
from memdir.hosts.claude_code_setup import LAUNCHER, SERVER
from memdir.hosts.installation import json_read

__all__ = ["HOOKS", "PLUGIN", "SERVES", "Entry", "entries_in"]

HOOKS, SERVES, PLUGIN = "hooks", "server", "plugin"


@value_class(frozen=True, slots=True)
class Entry:
    """One thing that a file of a host says about us."""

    host: str
    part: str
    """hooks, server or plugin."""
    path: str
    command: str
    """What the host starts: a path, or a name that it looks for."""


def entries_in(host: str, path: str, text: str, root: str) -> list[Entry]:
    """Return what a file says about us, each thing once; nothing for one that cannot be read.

    `root` is the project whose own servers count.
    """
    try:
        found = _codex(text) if host == "codex" else _claude_code(json_read(path, text), root)
        return list(dict.fromkeys(Entry(host, part, path, command) for part, command in found))
    except (ValueError, AttributeError, TypeError, RecursionError):  # Rejected is a ValueError too
        return []


def _claude_code(content: dict[str, Any], root: str) -> Iterator[tuple[str, str]]:
    for groups in content.get("hooks", {}).values():
        for hook in [one for group in groups for one in group.get("hooks", ())]:
            if LAUNCHER in str(hook.get("command", "")):
                yield HOOKS, _program(str(hook["command"]))
    for plugin, is_on in content.get("enabledPlugins", {}).items():
        if is_on and plugin.partition("@")[0] == SERVER:
            yield PLUGIN, LAUNCHER
    for holder in (content, content.get("projects", {}).get(root, {})):
        if server := holder.get("mcpServers", {}).get(SERVER):
            yield SERVES, str(server.get("command", ""))


def _codex(text: str) -> Iterator[tuple[str, str]]:
    if server := tomllib.loads(text.removeprefix("\ufeff")).get("mcp_servers", {}).get(SERVER):
        yield SERVES, str(server.get("command", ""))


def _program(command: str) -> str:
    """Return the first word of a command line."""
    try:
        return (shlex.split(command) or [command])[0]
    except ValueError:
        return command
