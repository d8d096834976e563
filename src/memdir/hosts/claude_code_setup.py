"""Setting Claude Code up: our hooks in its settings file, our server in its file of MCP servers."""

import os
from collections.abc import Mapping
from typing import Any

from memdir.errors import Rejected
from memdir.hosts.host_files import format_json, parse_json
from memdir.text.value import value_class

__all__ = ["BY_NAME", "EVENTS", "LAUNCHER", "SERVER", "ClaudeCodeSetup", "hook_entries", "hook_line"]

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
    name: str = "claude-code"

    def add_entries(self, path: str, text: str | None) -> str:
        """Return the file with our entries, in place of older ones of ours."""
        content = parse_json(path, text)
        new = self._with_hooks(path, content) if _is_settings(path) else self._with_server(path, content)
        return text if text is not None and new == content else format_json(new, text)

    def remove_entries(self, path: str, text: str) -> str | None:
        """Return the file without our entries, wherever they point."""
        content = parse_json(path, text)
        rest = _without_hooks(path, content) if _is_settings(path) else _without_server(path, content)
        if rest == content:
            return text
        return format_json(rest, text) if rest else None

    def _with_hooks(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        ours, present = hook_entries(self.hook), _table(path, content, "hooks")
        if all(entry in _list(path, present, event) for event, (entry,) in ours.items()):
            return content
        rest = _table(path, _without_hooks(path, content), "hooks")
        merged = {**rest, **{event: [*rest.get(event, []), *entries] for event, entries in ours.items()}}
        return {**content, "hooks": merged}

    def _with_server(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        command, *arguments = self.server
        entry = {"type": "stdio", "command": command, "args": arguments, "alwaysLoad": True}
        servers = _table(path, content, "mcpServers")
        return {**content, "mcpServers": {**servers, SERVER: entry}}


def hook_entries(command: str) -> dict[str, list[dict[str, Any]]]:
    """Return what the host's settings have to hold for every event."""
    return {
        event: [{"hooks": [{"type": "command", "command": hook_line(command, event), "timeout": seconds}]}]
        for event, seconds in EVENTS.items()
    }


def hook_line(command: str, event: str) -> str:
    """Return what a shell runs at an event; a launcher that is looked for by its name has a second way."""
    either = " ".join(BY_NAME).partition(" || ")[::2] if command == LAUNCHER else (command,)
    return " || ".join(f"{one} {event}" for one in either)


def _is_settings(path: str) -> bool:
    return os.path.basename(path).startswith("settings")


def _without_hooks(path: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return settings without our hooks; a list or table that this empties goes too."""
    hooks = _table(path, content, "hooks")
    rest = {event: _others(_list(path, hooks, event)) for event in hooks}
    kept = {event: groups for event, groups in rest.items() if groups or not hooks[event]}
    if kept == hooks:
        return content
    return {key: kept if key == "hooks" else one for key, one in content.items() if key != "hooks" or kept}


def _others(groups: list[Any]) -> list[Any]:
    """Return the groups of one event without our commands."""
    kept = []
    for group in groups:
        hooks = group.get("hooks") if isinstance(group, dict) else None
        if not isinstance(hooks, list):
            kept.append(group)
            continue
        others = [hook for hook in hooks if not _is_ours(hook)]
        if others or not hooks:
            kept.append(group if others == hooks else {**group, "hooks": others})
    return kept


def _is_ours(hook: object) -> bool:
    return isinstance(hook, dict) and LAUNCHER in str(hook.get("command", ""))


def _without_server(path: str, content: dict[str, Any]) -> dict[str, Any]:
    servers = {n: one for n, one in _table(path, content, "mcpServers").items() if n != SERVER}
    return {
        k: servers if k == "mcpServers" else v for k, v in content.items() if k != "mcpServers" or servers
    }


def _table(path: str, content: dict[str, Any], key: str) -> dict[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise Rejected(f'"{key}" in {path} must be an object. Mend it first; nothing was changed.')
    return found


def _list(path: str, table: dict[str, Any], key: str) -> list[Any]:
    found = table.get(key, [])
    if not isinstance(found, list):
        raise Rejected(f'"{key}" in {path} must be a list. Mend it first; nothing was changed.')
    return found
