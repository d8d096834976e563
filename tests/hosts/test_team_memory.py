"""Two people in the real Claude Code: what one saves is recalled for the other, with who said it."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.hosts.claude_code import ClaudeCode, binary
from tests.hosts.messages_api import FakeModelServer, served, use
from tests.hosts.test_claude_code import Script, results, until

PROGRAM = binary()
TOOL = "mcp__memdir__remember"
DEPLOYS = "Deploys go through the blue pipeline, because the red one has no rollback."

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROGRAM is None, reason="not run: the Claude Code binary cannot be had here"),
]


@dataclass
class Workplace:
    """One person with a clone, a home, and a model server that records what the host sends."""

    host: ClaudeCode
    server: FakeModelServer
    script: Script

    def said(self) -> str:
        return "\n".join(self.server.texts())


@pytest.fixture
def workplaces(tmp_path: Path) -> Iterator[tuple[Workplace, Workplace]]:
    assert PROGRAM is not None
    git("init", "--quiet", "--bare", str(tmp_path / "server.git"))
    east, west = Script(), Script()
    with served(east) as one, served(west) as other:
        yield (
            Workplace(person(tmp_path, "east", one), one, east),
            Workplace(person(tmp_path, "west", other), other, west),
        )


def person(root: Path, name: str, server: FakeModelServer) -> ClaudeCode:
    assert PROGRAM is not None
    home, clone = root / f"home-{name}", root / name
    home.mkdir()
    (home / ".gitconfig").write_text(f"[user]\nname = {name.title()} Side\nemail = {name}@example.org\n")
    git("clone", "--quiet", f"file://{root}/server.git", str(clone))
    host = ClaudeCode(PROGRAM, home, clone, server)
    assert host.memdir("init", "claude-code", "--yes").code == 0
    assert host.memdir("team", "init", "--yes").code == 0
    return host


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True, timeout=60)


def test_a_convention_of_one_is_recalled_for_the_other_with_who_said_it(
    workplaces: tuple[Workplace, Workplace],
) -> None:
    east, west = workplaces
    saved = use(TOOL, text=DEPLOYS, kind="project", name="deploys", audience="team")
    east.script.on("for the team", saved)
    said = east.host.ask("remember the pipeline, for the team", "--allowedTools", TOOL)
    assert said.code == 0, said.errors
    assert "team/project_deploys.md" in results(east.server)
    # The end of her conversation sends it, the start of his takes it, and no prompt waits for either.
    assert until(lambda: not east.host.memdir_json("team", "status")["waiting"]), "it was not sent"
    west.host.ask("hello there, what is new today?")
    assert until(lambda: bool(west.host.memdir_json("list")["memories"])), "it was not received"
    west.server.requests.clear()
    west.host.ask("which pipeline do deploys go through?")
    recalled = [text for text in west.server.texts() if "Recalled from" in text and "blue pipeline" in text]
    assert recalled
    assert any('said by "East Side" of the team on 20' in text.replace('\\"', '"') for text in recalled)


def test_the_host_is_told_of_both_directories_and_shown_the_index_of_the_team(
    workplaces: tuple[Workplace, Workplace],
) -> None:
    east, west = workplaces
    words = ("remember", "--team", DEPLOYS, "--kind", "project", "--name", "deploys")
    assert east.host.memdir(*words).code == 0
    assert east.host.memdir("sync").code == 0
    assert west.host.memdir("sync").code == 0
    west.host.ask("hello")
    said = west.said()
    assert "# Team memory" in said
    assert "<shared-memory>" in said
    assert "project_deploys.md" in said


def test_a_rule_of_a_team_mate_does_not_bind_before_it_is_approved(
    workplaces: tuple[Workplace, Workplace],
) -> None:
    east, west = workplaces
    rule = ("--kind", "feedback", "--name", "marker", "--enforce", "Bash: touch * marker")
    assert east.host.memdir("remember", "--team", "Never touch the marker.", *rule).code == 0
    assert east.host.memdir("sync").code == 0
    assert west.host.memdir("sync").code == 0
    (row,) = west.host.memdir_json("rules")["rules"]
    assert (row["memory"], row["binds"]) == ("team/marker", False)
    assert west.host.memdir("rules", "approve", "team/marker").code == 0
    west.script.on("touch it", use("Bash", command="touch marker", description="touch"))
    assert west.host.ask("touch it", "--allowedTools", "Bash").code == 0
    assert "Never touch the marker" in results(west.server)
    assert not (west.host.project / "marker").exists()
