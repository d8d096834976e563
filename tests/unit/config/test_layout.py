"""A layout is data: two are built in, and everything that names a host's file is in it."""

import dataclasses
import subprocess
import sys

import pytest

from memdir.config.layout import AGENTS, CLAUDE, LAYOUTS, Layout


def test_the_default_layout_uses_the_names_of_claude_code() -> None:
    assert (CLAUDE.instruction_file, CLAUDE.local_file) == ("CLAUDE.md", "CLAUDE.local.md")
    assert (CLAUDE.dot_folder, CLAUDE.rules_folder, CLAUDE.index) == (".claude", "rules", "MEMORY.md")


def test_agents_md_is_a_fallback_of_the_default_and_the_rule_of_the_second() -> None:
    assert CLAUDE.fallback_file == "AGENTS.md"
    assert (AGENTS.instruction_file, AGENTS.fallback_file) == ("AGENTS.md", "")
    assert AGENTS.dot_folder == ".agents"


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/etc/claude-code"),
        ("darwin", "/Library/Application Support/ClaudeCode"),
        ("win32", "C:\\Program Files\\ClaudeCode"),
        ("freebsd14", "/etc/claude-code"),
    ],
)
def test_the_managed_folder_depends_on_the_platform(platform: str, folder: str) -> None:
    code = f"import sys; sys.platform = {platform!r}; from memdir.config.layout import CLAUDE"
    command = [sys.executable, "-c", f"{code}; print(CLAUDE.managed_folder)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == folder


def test_layouts_are_found_by_their_exact_name_only() -> None:
    assert LAYOUTS == {"claude": CLAUDE, "agents": AGENTS}


def test_a_layout_cannot_be_changed_but_a_changed_copy_can_be_made() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CLAUDE.name = "mine"  # type: ignore[misc]
    mine: Layout = dataclasses.replace(CLAUDE, name="mine", index="INDEX.md")
    assert (mine.index, mine.dot_folder) == ("INDEX.md", ".claude")
