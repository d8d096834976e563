"""The tutorial in docs/start.md happens as it is told in the real Claude Code, prompt by prompt."""

import re
from pathlib import Path

import pytest
from tests.hosts.claude_code import ClaudeCode
from tests.hosts.messages_api import FakeModelServer, use
from tests.hosts.test_claude_code import PROGRAM, Script, claude, headless, results, script, server, until

__all__ = ["claude", "script", "server"]  # fixtures

PAGE = (Path(__file__).parents[2] / "docs" / "start.md").read_text(encoding="utf-8")
PROMPTS = "".join(re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)).splitlines()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROGRAM is None, reason="not run: the Claude Code binary cannot be had here"),
]


def test_a_stranger_gets_what_the_page_shows(
    claude: ClaudeCode, server: FakeModelServer, script: Script
) -> None:
    assert claude.memdir("init", "claude-code", "--yes").code == 0
    headless(claude)  # `claude -p` has no person in front of it, and the reader of the page is one
    *lasting, task = PROMPTS
    for number, prompt in enumerate(lasting, 1):
        assert claude.ask(prompt).code == 0
        assert saved(claude, number)
    named = names(claude)
    assert named == ["demo-customer", "run-tests-test-never-plain-pytest"]
    assert all(name in PAGE for name in named)
    server.requests.clear()
    claude.ask(task)
    assert any("Recalled from" in text and "just test" in text for text in server.texts())
    assert claude.memdir_json("why")["files"] == ["feedback_run-tests-test-never-plain-pytest.md"]
    (rule,) = re.findall(r'--enforce "([^"]+)"', PAGE)[:1]
    assert claude.memdir("remember", "Nobody pushes to main", "--enforce", rule).code == 0
    script.on("push it to main", use("Bash", command="git push origin HEAD:main", description="push"))
    claude.ask("push it to main", "--allowedTools", "Bash")
    assert f"forbidden by the rule '{rule}'" in results(server)
    assert claude.memdir("undo").code == 0
    assert claude.memdir_json("rules")["rules"] == []


def names(claude: ClaudeCode) -> list[str]:
    return [memory["name"] for memory in claude.memdir_json("list")["memories"]]


def saved(claude: ClaudeCode, number: int) -> bool:
    """Wait until a worker has saved so many memories."""
    return until(lambda: len(names(claude)) == number)
