"""A layout says, as data, where a host keeps its instructions, rules, settings and memories."""

import os

from memdir.text.value import value_class

__all__ = ["AGENTS", "CLAUDE", "LAYOUTS", "Layout", "layout_named"]


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
    managed: tuple[tuple[str, str], ...]
    """Pairs of a platform, as Python names it, and the folder an organisation puts its policy in."""
    rules_folder: str = "rules"
    """Below the dot folder and the config home; in the managed folder, below its dot folder."""
    settings_file: str = "settings.json"
    local_settings_file: str = "settings.local.json"
    managed_settings_file: str = "managed-settings.json"
    index: str = "MEMORY.md"

    def home_below(self, home: str) -> str:
        """Return the config home when nothing moves it."""
        return os.path.join(home, self.dot_folder)

    def managed_folder(self, platform: str) -> str:
        """Return the organisation's folder on this platform; unknown platforms are taken for a Unix."""
        folders = dict(self.managed)
        return folders.get(platform, folders["linux"])


CLAUDE = Layout(
    name="claude",
    dot_folder=".claude",
    instruction_file="CLAUDE.md",
    local_file="CLAUDE.local.md",
    fallback_file="AGENTS.md",
    managed=(
        ("linux", "/etc/claude-code"),
        ("darwin", "/Library/Application Support/ClaudeCode"),
        ("win32", "C:\\Program Files\\ClaudeCode"),
    ),
)
"""The default; it works on the same files as Claude Code."""

AGENTS = Layout(
    name="agents",
    dot_folder=".agents",
    instruction_file="AGENTS.md",
    local_file="AGENTS.local.md",
    fallback_file="",
    managed=(
        ("linux", "/etc/agents"),
        ("darwin", "/Library/Application Support/Agents"),
        ("win32", "C:\\Program Files\\Agents"),
    ),
)
"""For hosts that read AGENTS.md and keep their own files in .agents."""

LAYOUTS = (CLAUDE, AGENTS)


def layout_named(name: str) -> Layout | None:
    """Return the built-in layout with exactly this name, or None."""
    return next((layout for layout in LAYOUTS if layout.name == name), None)
