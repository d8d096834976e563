"""What the tools of known hosts are called, so that a rule about none of them can be noticed."""

from collections.abc import Iterable

from memdir.text.program_names import SHELL_TOOLS

__all__ = ["CLAUDE_CODE_TOOLS", "strange_tool"]

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


def strange_tool(names: Iterable[str]) -> str:
    """Return a sentence about the first tool that Claude Code does not have; another host may have it."""
    for name in names:
        known = name.lower() in _KNOWN or "*" in name or name.lower().startswith("mcp__")
        if not known:
            from difflib import get_close_matches

            near = get_close_matches(name.lower(), _KNOWN, 1)
            meant = f" Did you mean {_KNOWN[near[0]]}?" if near else ""
            return f"No tool of Claude Code is called {name}, so the rule does nothing there.{meant}"
    return ""
