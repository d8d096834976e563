"""A branch that the words take for granted is there, renamed or gone, as far as git can tell."""

from pathlib import Path

from bench.verify.histories import History, built
from tests.repository import git
from tests.unit.verify.verdict import GIT, claim_verdicts

from memdir.verify.check import anchors
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project


def test_a_renamed_branch_is_told_by_its_new_name(tmp_path: Path) -> None:
    root = built(History("one", {"a.py": "A = 1\n"}, (), branches=("develop",)), tmp_path)
    git(root, "branch", "-m", "develop", "integration")
    git(root, "branch", "-m", "integration", "trunk")
    assert claim_verdicts("Work on the `develop` branch.", Project(root, GIT)) == [("gone", "trunk")]


def test_a_branch_that_was_not_there_at_the_save_is_never_called_gone(tmp_path: Path) -> None:
    root = built(History("one", {"a.py": "A = 1\n"}, ()), tmp_path)
    text = "Other teams use the `develop` branch."
    marks = anchors(claims_in(text), text, Project(root, GIT))
    assert claim_verdicts(text, Project(root, GIT), marks) == []


def test_a_clone_of_one_branch_says_nothing_about_others(tmp_path: Path) -> None:
    root = built(History("one", {"a.py": "A = 1\n"}, (), branches=("develop",)), tmp_path)
    git(tmp_path, "clone", "--quiet", "--single-branch", f"file://{root}", "clone")
    where = Project(tmp_path / "clone", GIT)
    assert claim_verdicts("Work on the `develop` branch.", where) == [
        ("cannot say: this clone does not have all branches", "")
    ]
    git(tmp_path, "clone", "--quiet", f"file://{root}", "whole")
    assert claim_verdicts("Work on the `develop` branch.", Project(tmp_path / "whole", GIT)) == [
        ("unchanged", "")
    ]


def test_without_git_nothing_is_said_about_branches(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("A = 1\n")
    assert claim_verdicts("Work on the `develop` branch.", Project(tmp_path)) == []
