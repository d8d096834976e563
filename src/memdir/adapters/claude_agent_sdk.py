"""Memory for an agent of the Claude Agent SDK: told at its start, recalled at prompts, learned from turns."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar

from memdir.config.package import package_command
from memdir.errors import MemdirError, MissingExtra, Rejected
from memdir.memory import Memory
from memdir.prompt.guide import Reader

__all__ = ["options_with_memory"]

_Options = TypeVar("_Options")
"""`ClaudeAgentOptions`, without importing the SDK before it is needed."""


def options_with_memory(options: _Options, memory: Memory) -> _Options:
    """Return the options with memory in system prompt and hooks; what the caller set there stays.

    Give each conversation a `Memory` of its own. What its turns taught is saved by `memory.jobs.work()` or
    `memory.jobs.drain()`, which the caller runs when there is time for it.
    """
    try:
        sdk = import_module("claude_agent_sdk")
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "This adapter needs the Claude Agent SDK, which is not installed. Install it with: "
            f"{package_command('claude-agent-sdk')}"
        ) from error
    given: Any = options
    hooks = dict(given.hooks or {})
    for event, answer in (("UserPromptSubmit", _recall(memory)), ("Stop", _turn_ended(memory))):
        hooks[event] = [*hooks.get(event, ()), sdk.HookMatcher(hooks=[answer])]
    system = given.system_prompt  # that of Claude Code explains memory itself
    explained = isinstance(system, dict) and system.get("type") == "preset"
    told = memory.context.prompt(with_index=True, reader=Reader(explained=explained))
    changed: _Options = replace(given, hooks=hooks, system_prompt=_with_text(system, told))
    return changed


def _with_text(system: Any, told: str) -> Any:
    """Return the system prompt with our text behind it, in whichever of the SDK's forms it is given."""
    if not told or system is None or isinstance(system, str):
        return "\n\n".join([text for text in (system, told) if text]) if told else system
    key = {"preset": "append", "custom": "prompt"}.get(system["type"])
    if key is None:
        raise Rejected("Memory cannot be added to a system prompt in a file. Give its text as system_prompt.")
    return {**system, key: "\n\n".join([text for text in (system.get(key), told) if text])}


def _recall(memory: Memory) -> Any:
    async def recall(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        del tool_use_id, context
        found = await memory.aio.recall(str(given.get("prompt") or ""))
        told = {"hookEventName": "UserPromptSubmit", "additionalContext": found.text}
        return {"hookSpecificOutput": told} if found.text else {}

    return recall


def _turn_ended(memory: Memory) -> Any:
    async def turn_ended(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        del tool_use_id, context
        try:
            await asyncio.to_thread(memory.jobs.turn_ended, given["transcript_path"])
        except (MemdirError, OSError) as error:  # the agent goes on without
            return {"systemMessage": f"memdir: {error}"}
        return {}

    return turn_ended
