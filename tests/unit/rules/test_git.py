"""The branch that is checked out is read from git's own files, as git itself would tell it."""

from pathlib import Path

from tests.repository import git

from memdir.rules.git import branch_in


def test_the_branch_of_a_repository_is_told_anywhere_below_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-b", "fix/a")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert branch_in(str(tmp_path)) == branch_in(str(tmp_path / "a" / "b")) == "fix/a"


def test_a_further_worktree_has_its_own(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    main.mkdir()
    git(main, "init", "-b", "main")
    git(main, "commit", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-b", "topic", str(other))
    assert (branch_in(str(main)), branch_in(str(other))) == ("main", "topic")
    git(other, "checkout", "--detach")
    assert branch_in(str(other)) == ""


def test_outside_of_git_there_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense")
    assert branch_in(str(tmp_path / "missing")) in {"", branch_in(str(tmp_path.parent))}
    assert branch_in("/") == ""
