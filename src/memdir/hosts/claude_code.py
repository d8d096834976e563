"""Claude Code: the JSON of its hook events, and where it takes context and decisions.

A host waits for this module: it does without `typing` and the package for JSON.
"""

import os
from _json import encode_basestring_ascii
from collections.abc import Mapping

from memdir.hosts.host import Call, HostAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ClaudeCode"]

_TAKES_CONTEXT = frozenset(
    {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart"}
)
"""Elsewhere text is an error for the host, or makes it take another turn."""


class ClaudeCode:
    """Reads and writes as Claude Code 2 does."""

    name = "claude-code"

    def call(self, event: str, said: "Mapping[str, Any]", env: Mapping[str, str]) -> Call:
        """Return the event that the host wrote to standard input."""
        given = said.get("tool_input")
        project = env.get("CLAUDE_PROJECT_DIR", "")
        began = project if os.path.isabs(project) and os.path.isdir(project) else ""
        return Call(
            event=event,
            cwd=said["cwd"],
            session=str(said["session_id"]),
            transcript=str(said.get("transcript_path") or ""),
            prompt=_text(said.get("prompt")),
            tool=str(said.get("tool_name") or ""),
            given=given if isinstance(given, dict) else None,
            source=str(said.get("source") or said.get("reason") or said.get("trigger") or ""),
            again=said.get("stop_hook_active") is True,
            headless=env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0",
            began=began,
        )

    def render_answer(self, call: Call, answer: HostAnswer) -> str:
        """Return the JSON that the host takes for this event; empty where it takes none."""
        told: dict[str, str] = {"hookEventName": call.event}
        if answer.context and call.event in _TAKES_CONTEXT:
            told["additionalContext"] = answer.context
        if answer.decision and call.event == "PreToolUse":
            told |= {"permissionDecision": answer.decision, "permissionDecisionReason": answer.because}
        if len(told) == 1:
            return ""
        pairs = [f'"{key}": {encode_basestring_ascii(text)}' for key, text in told.items()]
        return f'{{"hookSpecificOutput": {{{", ".join(pairs)}}}}}'


def _text(prompt: object) -> str:
    """Return what the person typed: a string, or the texts among the blocks of a list."""
    if isinstance(prompt, list):
        texts = [block.get("text", "") for block in prompt if isinstance(block, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return prompt if isinstance(prompt, str) else ""
