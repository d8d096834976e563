"""Claude Code: the JSON of its hook events, and where it takes context and decisions."""

import json
import os
from collections.abc import Mapping

from memdir.errors import Rejected
from memdir.hosts.host import Call, HostAnswer, absolute

__all__ = ["ClaudeCode"]

_TAKES_CONTEXT = frozenset(
    {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart"}
)
"""Elsewhere text is an error for the host, or makes it take another turn."""


class ClaudeCode:
    """Reads and writes as Claude Code 2 does."""

    name = "claude-code"

    def call(self, event: str, data: bytes, env: Mapping[str, str]) -> Call:
        """Return the event that the host wrote to standard input."""
        try:
            said = json.loads(data)
            given = said.get("tool_input")
            return Call(
                event=event,
                cwd=absolute(said["cwd"]),
                session=str(said["session_id"]),
                transcript=str(said.get("transcript_path") or ""),
                prompt=_text(said.get("prompt")),
                tool=str(said.get("tool_name") or ""),
                given=given if isinstance(given, dict) else None,
                source=str(said.get("source") or said.get("reason") or said.get("trigger") or ""),
                again=said.get("stop_hook_active") is True,
                headless=env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0",
                began=_beginning(env),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Rejected(
                f"{event}: this is not the JSON of a Claude Code hook ({type(error).__name__}: {error}). "
                "It comes on standard input with at least cwd and session_id."
            ) from error

    def written(self, call: Call, answer: HostAnswer) -> str:
        """Return the JSON that the host takes for this event; empty where it takes none."""
        if not answer or call.event not in _TAKES_CONTEXT:
            return ""
        told: dict[str, str] = {"hookEventName": call.event}
        if answer.context:
            told["additionalContext"] = answer.context
        if answer.decision and call.event == "PreToolUse":
            told |= {"permissionDecision": answer.decision, "permissionDecisionReason": answer.because}
        return json.dumps({"hookSpecificOutput": told})


def _beginning(env: Mapping[str, str]) -> str:
    """Return where the conversation began; its `cwd` follows every `cd` of the model."""
    project = env.get("CLAUDE_PROJECT_DIR", "")
    return project if os.path.isabs(project) and os.path.isdir(project) else ""


def _text(prompt: object) -> str:
    """Return what the person typed: a string, or the texts among the blocks of a list."""
    if isinstance(prompt, list):
        texts = [block.get("text", "") for block in prompt if isinstance(block, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return prompt if isinstance(prompt, str) else ""
