"""The tools of known hosts, and the files that a prompt or a shell command names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from memdir.text.program_names import SHELL_TOOLS

__all__ = ["CLAUDE_CODE_TOOLS", "named_files", "unknown_tool_hint"]

CLAUDE_CODE_TOOLS = (
    *("Agent", "AskUserQuestion", "Bash", "BashOutput", "CronCreate", "CronDelete", "CronList", "Edit"),
    *("EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash"),
    *("KillShell", "LS", "LSP", "ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit"),
    *("NotebookRead", "PowerShell", "Read", "ReadMcpResourceTool", "SendMessage", "Skill", "SlashCommand"),
    *("Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate", "TodoRead"),
    *("TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write"),
)
"""The tools that Claude Code has or had; those of MCP servers begin with `mcp__`."""

_KNOWN = {tool.lower(): tool for tool in CLAUDE_CODE_TOOLS} | dict.fromkeys(SHELL_TOOLS, "Bash")


def unknown_tool_hint(names: Iterable[str]) -> str:
    """Return a sentence about the first tool that Claude Code does not have; another host may have it."""
    for name in names:
        known = name.lower() in _KNOWN or "*" in name or name.lower().startswith("mcp__")
        if not known:
            near = get_close_matches(name.lower(), _KNOWN, 1)
            meant = f" Did you mean {_KNOWN[near[0]]}?" if near else ""
            return f"No tool of Claude Code is called {name}, so the rule does nothing there.{meant}"
    return ""


_MOST_WORDS = 1_000
"""Words that are looked up on disk: a prompt waits for it, and nobody names more files."""

_WORD = re.compile(r""""([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`|((?:\\[ ]|[^\s"'`<>|;&(){}$,])+)""")
_BEHIND = re.compile(r"(?:#|:\d).*\Z|[.:!?]+\Z", re.DOTALL)
"""What may stand behind a path: a fragment, a line number, the end of a sentence."""


def named_files(text: str, cwd: str) -> list[str]:
    """Return the files that exist among the words of a text, `@` or not; relative ones count from `cwd`."""
    words = dict.fromkeys(word for match in _WORD.finditer(text) for word in _readings(match))
    found = [os.path.join(cwd, word) for word, _ in zip(words, range(_MOST_WORDS), strict=False)]
    return [path for path in dict.fromkeys(found) if "\0" not in path and os.path.isfile(path)]


def _readings(match: re.Match[str]) -> Iterator[str]:
    """Yield a word as it is, and without a fragment, line number or full stop behind the path."""
    word = next(filter(None, match.groups())).replace("\\ ", " ").removeprefix("@")
    yield word
    yield _BEHIND.sub("", word)
