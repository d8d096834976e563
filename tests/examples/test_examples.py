"""Every example runs as it stands, against a model that answers from a script."""

import json
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.hosts.messages_api import say, served, use

from memdir.memory import Memory

EXAMPLES = Path(__file__).parents[2] / "examples"
TEA = '---\nname: "tea"\ndescription: "Drinks tea"\ntype: "user"\n---\n\nDrinks tea.\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project of its own, with a home of its own."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    for name in ("CLAUDE_CONFIG_DIR", "MEMDIR_DIRECTORY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "project"


def run(name: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", [name, *words])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_a_plain_loop_remembers_between_conversations(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("plain_loop.py", monkeypatch)
    assert capsys.readouterr().out.splitlines()[-1] == "I was told: True"


def test_anthropics_memory_tool_keeps_its_files_here(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = [
        use("memory", command="view", path="/memories"),
        use("memory", command="create", path="/memories/user_tea.md", file_text=TEA),
        use("memory", command="create", path="/memories/../x.md", file_text=TEA),
        say("Noted: tea."),
    ]

    with served(lambda _: [script.pop(0)]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
        run("anthropic_memory_tool.py", monkeypatch, "I drink tea.")
    assert capsys.readouterr().out == "Noted: tea.\n"
    assert Memory.open(project).read("tea").text == TEA
    told = [message["content"][0] for request in server.requests[1:] for message in request["messages"][-1:]]
    assert [bool(block.get("is_error")) for block in told] == [False, False, True]
    assert "cannot be changed" in json.dumps(told[2])


@pytest.mark.parametrize(
    ("name", "package"),
    [("anthropic_memory_tool.py", "anthropic"), ("claude_agent.py", "claude_agent_sdk")],
)
def test_an_example_without_its_package_says_which_one_it_needs(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # as where it is not installed
    monkeypatch.delitem(sys.modules, "memdir.adapters.anthropic_memory", raising=False)
    with pytest.raises(SystemExit, match=rf"pip install {package.replace('_', '-')}"):
        run(name, monkeypatch)
    assert list(project.iterdir()) == []


@pytest.mark.skipif(
    find_spec("claude_agent_sdk") is None, reason="the Claude Agent SDK (366 MB) is not installed here"
)
@pytest.mark.timeout(180)
def test_an_agent_of_the_agent_sdk_is_told_what_fits(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"):
        monkeypatch.setenv(name, "1")
    Memory.open(project).remember("Deploys go out on Tuesdays only.", name="deploys", kind="project")
    with served(lambda _: [say("On Tuesday.")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
        run("claude_agent.py", monkeypatch, "When can we deploy the new release?")
    assert "On Tuesday." in capsys.readouterr().out
    asked = next(text for text in server.texts() if "deploy the new release" in text)
    assert "Recalled from" in asked
    assert "Deploys go out on Tuesdays only." in asked
