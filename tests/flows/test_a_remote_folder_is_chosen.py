"""Which folder of a remote belongs to a project is suggested with evidence; a person says whether it does."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.repository import git

from memdir import Memory
from memdir.cli.app import run
from memdir.errors import Rejected

Opened = Callable[[Path, str], Memory]


def made(path: Path, message: str) -> Path:
    path.mkdir(parents=True)
    git(path, "init", "-q")
    git(path, "remote", "add", "origin", f"https://ada:hunter2@example.com/{message}.git")
    git(path, "commit", "-q", "--allow-empty", "-m", message)
    return path


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    def at(project: Path, who: str) -> Memory:
        return Memory.open(project, {"HOME": str(tmp_path / who), "PATH": os.environ["PATH"], "USER": who})

    return at


@pytest.fixture(params=["git", "folder"])
def remote(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "remote"
    path.mkdir()
    if request.param == "git":
        git(path, "init", "-q", "--bare", "--initial-branch=main")
    return path


@pytest.fixture
def first(remote: Path, tmp_path: Path, opened: Opened) -> Path:
    """Make a project whose memory is in the remote already, and return it."""
    project = made(tmp_path / "laptop" / "app", "shop")
    memory = opened(project, "laptop-home")
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    assert memory.sync.init(str(remote)).folder == "app"
    memory.sync.run()
    return project


def test_a_second_machine_finds_its_folder_under_any_name(
    first: Path, remote: Path, tmp_path: Path, opened: Opened
) -> None:
    git(tmp_path, "clone", "-q", str(first), str(tmp_path / "desk" / "other-name"))
    memory = opened(tmp_path / "desk" / "other-name", "desk-home")
    (one,), free = memory.sync.folders(str(remote))
    assert (one.folder, one.strong) == ("app", True)
    assert one.evidence == (f"the same first commit {git(first, 'rev-parse', 'HEAD')[:10]}",)
    assert free == "other-name"
    assert memory.list() == []
    memory.sync.init(str(remote), folder=one.folder)
    memory.sync.run()
    assert [header.name for header in memory.list()] == ["deploys"]


def test_another_project_of_the_same_name_gets_a_folder_of_its_own(
    first: Path, remote: Path, tmp_path: Path, opened: Opened
) -> None:
    assert first.name == "app"
    memory = opened(made(tmp_path / "else" / "app", "unrelated"), "laptop-home")
    (one,), free = memory.sync.folders(str(remote))
    assert (one.folder, one.strong, free) == ("app", False, "app-2")
    with pytest.raises(Rejected, match="perhaps of another project"):
        memory.sync.init(str(remote))
    assert memory.sync.settings is None


def test_a_forged_identity_gets_nothing_without_a_yes(
    first: Path, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    forged = tmp_path / "forged" / "app"
    git(tmp_path, "clone", "-q", str(first), str(forged))
    git(forged, "remote", "set-url", "origin", git(first, "remote", "get-url", "origin"))
    monkeypatch.setenv("HOME", str(tmp_path / "laptop-home"))
    monkeypatch.delenv("CLAUDECODE", raising=False)
    assert run(["--cwd", str(forged), "sync", "init", str(remote), "--yes"]) != 0
    memory = opened(forged, "laptop-home")
    assert (memory.sync.settings, memory.list()) == (None, [])


def test_the_mark_holds_no_path_and_no_password(first: Path, remote: Path, tmp_path: Path) -> None:
    assert first.exists()
    if (remote / "HEAD").exists():
        text = git(remote, "show", "main:app/.memdir-project.json")
    else:
        text = (remote / "app" / ".memdir-project.json").read_text()
    assert "example.com/shop" in text
    assert "hunter2" not in text
    assert str(tmp_path) not in text


def test_an_agent_cannot_choose_where_private_memories_go(remote: Path, tmp_path: Path) -> None:
    project = made(tmp_path / "app", "shop")
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "CLAUDECODE": "1"}
    with pytest.raises(Rejected, match="Only a person"):
        Memory.open(project, env).sync.init(str(remote), folder="app")
