"""Setting Claude Code up: our hooks in its settings file, our server in its file of MCP servers."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from memdir.errors import Rejected
from memdir.hosts.config_files import format_json, parse_json
from memdir.text.value import value_class

__all__ = ["BY_NAME", "EVENTS", "LAUNCHER", "SERVER", "ClaudeCodeSetup", "claude_code_entries", "hook_line"]

EVENTS: Mapping[str, int] = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,
    "PreToolUse": 5,
    "PostToolUse": 10,
    "PreCompact": 10,
    "PostCompact": 5,
    "Stop": 5,
    "SessionEnd": 10,
}
"""The events that we answer, each with the seconds after which the host goes on without us."""

LAUNCHER, SERVER = "memdir-hook", "memdir"

BY_NAME = (LAUNCHER, "||", SERVER, "hook")
"""The words by which a hook is started wherever memdir is installed: the launcher is a plain script, which no
system starts from a folder with a blank in its path; there the slower command answers."""


@value_class(frozen=True, slots=True)
class ClaudeCodeSetup:
    """Our entries for one machine (absolute commands) or for a project that others check out (by name)."""

    hook: str
    """The command of our hook launcher, quoted for a shell."""
    server: tuple[str, ...]
    """The command of our MCP server."""

    def add_entries(self, path: str, text: str | None) -> str:
        """Return the file with our entries, in place of older ones of ours."""
        content = parse_json(path, text)
        if _is_settings(path):
            new = self._with_hooks(path, content)
        else:
            command, *arguments = self.server
            entry = {"type": "stdio", "command": command, "args": arguments, "alwaysLoad": True}
            servers = _part(path, content, "mcpServers", dict)
            new = {**content, "mcpServers": {**servers, SERVER: entry}}
        return text if text is not None and new == content else format_json(new, text)

    def remove_entries(self, path: str, text: str) -> str | None:
        """Return the file without our entries, wherever they point; None when nothing else is in it."""
        content = parse_json(path, text)
        rest = _without_hooks(path, content) if _is_settings(path) else _without_server(path, content)
        if rest == content:
            return text
        return format_json(rest, text) if rest else None

    def _with_hooks(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        present = _part(path, content, "hooks", dict)
        ours = {
            event: {
                "hooks": [{"type": "command", "command": hook_line(self.hook, event), "timeout": seconds}]
            }
            for event, seconds in EVENTS.items()
        }
        if all(entry in _part(path, present, event, list) for event, entry in ours.items()):
            return content
        rest = _without_hooks(path, content).get("hooks", {})
        merged = {**rest, **{event: [*rest.get(event, []), entry] for event, entry in ours.items()}}
        return {**content, "hooks": merged}


def claude_code_entries(path: str, text: str, root: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield what a file says about us: hooks, plugin or server, the program that is started, all its words.

    `root` is the project whose own servers count.
    """
    content = parse_json(path, text)
    for groups in content.get("hooks", {}).values():
        for hook in [one for group in groups for one in group.get("hooks", ())]:
            if _is_ours(hook):
                yield "hooks", *_hook_words(str(hook["command"]))
    for plugin, is_on in content.get("enabledPlugins", {}).items():
        if is_on and plugin.partition("@")[0] == SERVER:
            yield "plugin", LAUNCHER, BY_NAME
    for holder in (content, content.get("projects", {}).get(root, {})):
        if server := holder.get("mcpServers", {}).get(SERVER):
            command = str(server.get("command", ""))
            yield "server", command, (command, *map(str, server.get("args", ())))


def hook_line(command: str, event: str) -> str:
    """Return the shell command of an event; where the launcher is found by name, a fallback follows `||`."""
    starts = (LAUNCHER, f"{SERVER} hook") if command == LAUNCHER else (command,)
    return " || ".join(f"{start} {event}" for start in starts)


def _hook_words(command: str) -> tuple[str, tuple[str, ...]]:
    """Return our launcher as a command names it, and its words before the event, if it has only words."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command, ()
    if command == hook_line(LAUNCHER, words[-1]):
        return LAUNCHER, BY_NAME
    launcher = next((word for word in words if os.path.basename(word) == LAUNCHER), words[0])
    is_plain = shlex.join(words) == command and len(words) > 1
    return launcher, tuple(words[:-1]) if is_plain else ()


def _is_settings(path: str) -> bool:
    return os.path.basename(path).startswith("settings")


def _without_hooks(path: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return settings without our hooks; a list or table that this empties goes too."""
    hooks = _part(path, content, "hooks", dict)
    rest = {event: _other_groups(_part(path, hooks, event, list)) for event in hooks}
    kept = {event: groups for event, groups in rest.items() if groups or not hooks[event]}
    return content if kept == hooks else _with_table(content, "hooks", kept)


def _other_groups(groups: list[Any]) -> list[Any]:
    """Return the groups of one event without our commands."""
    kept = []
    for group in groups:
        hooks = group.get("hooks") if isinstance(group, dict) else None
        others = [hook for hook in hooks if not _is_ours(hook)] if isinstance(hooks, list) else hooks
        if others or not hooks:
            kept.append(group if others == hooks else {**group, "hooks": others})
    return kept


def _is_ours(hook: object) -> bool:
    return isinstance(hook, dict) and LAUNCHER in str(hook.get("command", ""))


def _without_server(path: str, content: dict[str, Any]) -> dict[str, Any]:
    servers = _part(path, content, "mcpServers", dict)
    return _with_table(content, "mcpServers", {n: one for n, one in servers.items() if n != SERVER})


def _with_table(content: dict[str, Any], name: str, table: dict[str, Any]) -> dict[str, Any]:
    """Return an object with another table in the same place; without it where the table is empty."""
    return {key: table if key == name else one for key, one in content.items() if key != name or table}


def _part(path: str, content: dict[str, Any], key: str, kind: type[Any]) -> Any:
    """Return the object or list under a key, an empty one where there is none; raise for anything else."""
    found = content.get(key, kind())
    if not isinstance(found, kind):
        what = "an object" if kind is dict else "a list"
        raise Rejected(f'"{key}" in {path} must be {what}. Mend it first; nothing was changed.')
    return found
