"""A rule about a tool that no known host has is noticed, and a rule about any other is not."""

import pytest

from memdir.hosts.tools import unknown_tool_hint


@pytest.mark.parametrize("name", ["Bash", "bash", "shell", "Edit", "mcp__db__query", "mcp__*", "Web*", "*"])
def test_what_hosts_have_passes(name: str) -> None:
    assert unknown_tool_hint([name]) == ""


def test_a_slip_is_named_with_what_was_meant() -> None:
    assert unknown_tool_hint(["Write", "Bsh"]) == (
        "No tool of Claude Code is called Bsh, so the rule does nothing there. Did you mean Bash?"
    )


def test_a_tool_of_another_host_is_only_named() -> None:
    assert unknown_tool_hint(["deploy_everything"]).endswith(
        "called deploy_everything, so the rule does nothing there."
    )
