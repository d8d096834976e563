"""A directory that is named outright is one of memories: a project, a home or a root is not touched."""

import os
from pathlib import Path

import pytest

from memdir.cli.app import run

GUIDE = "# Guide\n\nHow to build.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    project = tmp_path / "home" / "project"
    (project / ".git").mkdir(parents=True)
    (project / "docs").mkdir()
    (project / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("directory", [".", "/", "~", "..", "~nobody/x", "//server/share"])
def test_it_is_refused_with_a_word_on_projects(
    directory: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(project.rglob("*"))
    assert run(["--directory", directory, "doctor", "--fix"]) == 2
    assert "--cwd" in capsys.readouterr().err
    assert sorted(project.rglob("*")) == before


def test_files_where_nothing_was_ever_saved_are_not_mended(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mode = (project / "docs").stat().st_mode
    assert run(["--directory", "docs", "doctor", "--fix"]) == 6
    assert "memdir never saved there" in capsys.readouterr().err
    assert run(["--directory", "docs", "doctor"]) == 1
    assert "Mend what can be mended" not in capsys.readouterr().out
    assert (project / "docs" / "guide.md").read_text(encoding="utf-8") == GUIDE
    assert (project / "docs").stat().st_mode == mode
    assert sorted(os.listdir(project / "docs")) == ["guide.md"]


@pytest.mark.usefixtures("project")
def test_a_tilde_is_the_home_and_memories_in_git_are_memories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "home" / "kept"
    assert run(["--directory", "~/kept", "remember", "Prefers tabs.", "--name", "tabs"]) == 0
    assert (kept / "MEMORY.md").exists()
    (kept / ".git").mkdir()
    capsys.readouterr()
    assert run(["--directory", "~/kept", "list"]) == 0
    assert "tabs" in capsys.readouterr().out
    assert run(["--directory", "~/kept", "doctor", "--fix"]) == 0
