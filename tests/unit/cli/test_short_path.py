"""A path is shown in its shortest form: from where one stands, from home, or whole."""

from pathlib import Path

import pytest

from memdir.cli.short_path import short_path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path.resolve() / "home"
    (folder / "work" / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_below_the_working_directory_it_is_relative(home: Path) -> None:
    project = home / "work" / "project"
    assert short_path(str(project / "docs" / "a.md"), str(project)) == "docs/a.md"


def test_near_the_working_directory_it_is_relative_too(home: Path) -> None:
    assert short_path(str(home / "work" / "a.md"), str(home / "work" / "project")) == "../a.md"


def test_elsewhere_at_home_it_begins_with_a_tilde(home: Path) -> None:
    assert short_path(str(home / ".claude" / "a.md"), str(home / "work" / "project")) == "~/.claude/a.md"


def test_far_away_it_is_whole(home: Path) -> None:
    assert short_path("/etc/a.md", str(home / "work" / "project")) == "/etc/a.md"


def test_a_folder_that_is_a_link_counts_as_what_it_leads_to(home: Path) -> None:
    (home / "link").symlink_to(home / "work" / "project")
    assert short_path(str(home / "work" / "project" / "a.md"), str(home / "link")) == "a.md"


def test_a_name_cannot_steer_the_terminal(home: Path) -> None:
    assert short_path(str(home / "a\x1b[31m\nb.md"), str(home)) == "a\\x1b[31m b.md"
