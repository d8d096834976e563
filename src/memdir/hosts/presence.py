"""What of memdir stands in the files of hosts, however it came there: hooks, a server, a plugin."""

import os
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

from memdir.hosts.claude_code_setup import BY_NAME, LAUNCHER, SERVER, hook_line
from memdir.hosts.host_files import parse_json
from memdir.text.value import value_class

__all__ = ["HOOKS", "PLUGIN", "SERVES", "HostEntry", "entries_in"]

HOOKS, SERVES, PLUGIN = "hooks", "server", "plugin"


@value_class(frozen=True, slots=True)
class HostEntry:
    """One thing that a file of a host says about us."""

    host: str
    part: str
    """hooks, server or plugin."""
    path: str
    command: str
    """What the host starts: a path, or a name that it looks for."""
    words: tuple[str, ...] = ()
    """The whole command, of a hook without its event; empty when a shell makes more of it than words."""


def entries_in(host: str, path: str, text: str, root: str) -> list[HostEntry]:
    """Return what a file says about us, each thing once; nothing for one that cannot be read.

    `root` is the project whose own servers count.
    """
    try:
        found = _codex(text) if host == "codex" else _claude_code(parse_json(path, text), root)
        return list(
            dict.fromkeys(HostEntry(host, part, path, command, words) for part, command, words in found)
        )
    except (ValueError, AttributeError, TypeError, RecursionError):  # Rejected is a ValueError too
        return []


_Found = tuple[str, str, tuple[str, ...]]
"""A part, the program that is started, and all words of its command."""


def _claude_code(content: dict[str, Any], root: str) -> Iterator[_Found]:
    for groups in content.get("hooks", {}).values():
        for hook in [one for group in groups for one in group.get("hooks", ())]:
            if LAUNCHER in str(hook.get("command", "")):
                yield HOOKS, *_hook(str(hook["command"]))
    for plugin, is_on in content.get("enabledPlugins", {}).items():
        if is_on and plugin.partition("@")[0] == SERVER:
            yield PLUGIN, LAUNCHER, BY_NAME
    for holder in (content, content.get("projects", {}).get(root, {})):
        if server := holder.get("mcpServers", {}).get(SERVER):
            yield SERVES, *_server(server)


def _codex(text: str) -> Iterator[_Found]:
    if server := tomllib.loads(text.removeprefix("\ufeff")).get("mcp_servers", {}).get(SERVER):
        yield SERVES, *_server(server)


def _server(server: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    command = str(server.get("command", ""))
    return command, (command, *map(str, server.get("args", ())))


def _hook(command: str) -> tuple[str, tuple[str, ...]]:
    """Return our launcher as a command names it, and the words before its event if they are all there is."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command, ()
    if command == hook_line(LAUNCHER, words[-1]):
        return LAUNCHER, BY_NAME
    launcher = next((word for word in words if os.path.basename(word) == LAUNCHER), words[0])
    is_plain = shlex.join(words) == command and len(words) > 1
    return launcher, tuple(words[:-1]) if is_plain else ()
