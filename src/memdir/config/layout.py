"""A layout says, as data, where a host keeps its instructions, rules, settings and memories."""

import sys

from memdir.text.value import value_class

__all__ = ["AGENTS", "CLAUDE", "LAYOUTS", "Layout"]


@value_class(frozen=True, slots=True)
class Layout:
    """The file and folder names of one family of hosts; adding a family is adding one of these."""

    name: str
    dot_folder: str
    """The folder a project keeps its settings and rules in, and the user's own below the home directory."""
    instruction_file: str
    """Read in the managed folder, the config home, each directory of the chain, and its dot folder."""
    local_file: str
    """Personal instructions for one project, beside the shared ones and not checked in."""
    fallback_file: str
    """Counts as project instructions only when no instruction file exists on the chain; may be empty."""
    managed_folder: str
    """The folder that an organisation puts its policy in."""
    rules_folder: str = "rules"
    """Below the dot folder and the config home; in the managed folder, below its dot folder."""
    settings_file: str = "settings.json"
    local_settings_file: str = "settings.local.json"
    managed_settings_file: str = "managed-settings.json"
    index: str = "MEMORY.md"


_POLICIES = {"darwin": "/Library/Application Support/{}", "win32": "C:\\Program Files\\{}"}
"""Where an organisation puts its policy, on systems that have a place for it; elsewhere it is below /etc."""

CLAUDE = Layout(
    name="claude",
    dot_folder=".claude",
    instruction_file="CLAUDE.md",
    local_file="CLAUDE.local.md",
    fallback_file="AGENTS.md",
    managed_folder=_POLICIES.get(sys.platform, "/etc/claude-code").format("ClaudeCode"),
)
"""The default; it works on the same files as Claude Code."""

AGENTS = Layout(
    name="agents",
    dot_folder=".agents",
    instruction_file="AGENTS.md",
    local_file="AGENTS.local.md",
    fallback_file="",
    managed_folder=_POLICIES.get(sys.platform, "/etc/agents").format("Agents"),
)
"""For hosts that read AGENTS.md and keep their own files in .agents."""

LAYOUTS = {layout.name: layout for layout in (CLAUDE, AGENTS)}
