"""A repository and a memory that mean harm: nothing of theirs runs, nothing outside is read."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from bench.verify.histories import NOW, SAVED, History, Step, built

from memdir.memories.topic import topic_from
from memdir.verify.check import anchors, verify
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project
from memdir.verify.repository import GitCommand, NoGitAnswer
from memdir.verify.verdicts import MemoryVerdict, finding_lines

GIT = shutil.which("git") or "git"
FILES = {"src/a.py": "def f_one():\n    return 1\n", "Makefile": "test:\n\techo\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return built(History("one", FILES, (Step("no", remove=("Makefile",)),)), tmp_path)


def said(text: str, where: Project, budget: float = 30.0) -> MemoryVerdict:
    return verify(topic_from("one.md", text, SAVED), where, NOW, budget)


def test_nothing_that_the_repository_configures_is_run(root: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    bait = tmp_path / "bait.sh"
    bait.write_text(f'#!/bin/sh\necho "$0 $*" >> {proof}\nexit 0\n')
    bait.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "pager.grep",
        "core.sshCommand",
        "core.editor",
        "diff.external",
        "diff.bait.command",
        "diff.bait.textconv",
        "filter.bait.clean",
        "filter.bait.smudge",
        "filter.bait.process",
        "gpg.program",
        "credential.helper",
        "alias.log",
        "core.alternateRefsCommand",
    ):
        subprocess.run([GIT, "config", key, str(bait)], cwd=root, check=True)
    for key, value in (
        ("log.showSignature", "true"),
        ("core.hooksPath", str(tmp_path)),
        ("core.untrackedCache", "true"),
    ):
        subprocess.run([GIT, "config", key, value], cwd=root, check=True)
    (root / ".gitattributes").write_text("* filter=bait diff=bait\n")
    (root / "src" / "a.py").write_text("def f_two():\n    return 2\n")
    os.utime(root / "src" / "a.py", (1, 1))
    where = Project(root, GIT)
    assert (
        said("`src/a.py`, src/a.py:1, `f_one()`, `make test`, `Makefile`, `f_two()`", where).verdict
        == "stale"
    )
    assert anchors(claims_in("`src/a.py` and `f_two()`"), "`src/a.py` and `f_two()`", where)
    assert not proof.exists(), proof.read_text()
    subprocess.run([GIT, "status"], cwd=root, check=False, capture_output=True)
    assert proof.exists(), "the bait is none"


def test_a_missing_object_is_not_fetched(root: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    for key, value in (
        ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"),
        ("remote.origin.url", f"ext::sh -c touch% {proof}"),
        ("remote.origin.promisor", "true"),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
    ):
        subprocess.run([GIT, "config", key, value], cwd=root, check=True)
    for folder in (root / ".git" / "objects").glob("??"):
        for name in folder.iterdir():
            if name.stat().st_size < 60:  # blobs are the smallest
                name.chmod(stat.S_IRWXU)
                name.unlink()
    said("`src/a.py`, src/a.py:1, `f_one()`, `make test`", Project(root, GIT))
    assert not proof.exists()
    subprocess.run([GIT, "--no-pager", "log", "-p"], cwd=root, check=False, capture_output=True)
    assert proof.exists(), "the bait is none"


@pytest.mark.parametrize(
    "path",
    [
        "../secret.py",
        "/etc/passwd.txt",
        "~/secret.py",
        "src/../../secret.py",
        "out/secret.py",
        ".git/config.txt",
    ],
)
def test_what_leads_out_of_the_project_is_not_looked_at(path: str, root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x\n" * 9)
    (root / "out").symlink_to(tmp_path)
    found = said(f"`{path}` and {path}:3", Project(root, GIT))
    assert found.verdict == "no claim"
    assert {one.verdict for one in found.claims} <= {"cannot say: it lies outside the project"}


def test_a_work_tree_set_elsewhere_is_not_searched(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b.py").write_text("def stolen(): pass\n")
    subprocess.run([GIT, "config", "core.worktree", str(elsewhere)], cwd=root, check=True)
    found = {one.claim.text: one.verdict for one in said("`stolen()`, `src/a.py`", Project(root, GIT)).claims}
    assert found == {"stolen()": "cannot say: the project does not define it", "src/a.py": "unchanged"}


def test_pipes_and_devices_are_never_opened(root: Path) -> None:
    os.unlink(root / "src" / "a.py")
    os.mkfifo(root / "src" / "a.py")
    os.mkfifo(root / "wait.py")
    text = "`src/a.py`, src/a.py:1, `wait.py`, wait.py:2, `f_one()`, `make test`"
    for where in (Project(root, GIT), Project(root)):
        verdicts = {one.claim.text: one.verdict for one in said(text, where).claims}
        assert "unchanged" not in [verdict for claim, verdict in verdicts.items() if "wait.py" in claim]
        assert "wait.py" not in anchors(claims_in(text), text, where)


@pytest.mark.parametrize(
    "text",
    [
        "`--output=x.py` `-rf/x.py` `--exec=touch/x.py`",
        "`:(top)x.py` `:!src/a.py` `:(exclude)src/a.py`",
        "`--help()` `-e()` `--open-files-in-pager()`",
        "`make --eval=x` `npm run --x` `make -f /etc/passwd x`",
        "`src/a.py\x00` `src/\x1b[31m.py` src/\ud800.py",
        "`src/" + "a" * 5_000 + ".py`",
        "`src/a.py:99999999999999999999`",
        "`" + "x/" * 140 + "a.py`",
    ],
)
def test_a_memory_cannot_steer_git(text: str, root: Path) -> None:
    before = sorted(str(path) for path in root.rglob("*") if ".git/" not in str(path))
    checked = said(text, Project(root, GIT))
    assert sorted(str(path) for path in root.rglob("*") if ".git/" not in str(path)) == before
    assert all("\n" not in line for line in finding_lines(checked))


def test_what_takes_too_long_is_left_undecided(root: Path) -> None:
    found = said("`src/a.py` by 2026-05-01", Project(root, GIT), budget=0.0)
    assert [one.verdict for one in found.claims] == ["cannot say: not checked in time", "passed 198 days ago"]
    assert finding_lines(found)[-1] == "src/a.py: cannot say: not checked in time"


def test_a_git_that_never_ends_is_ended(root: Path, tmp_path: Path) -> None:
    slow = tmp_path / "git"
    slow.write_text(f"#!/bin/sh\nexec {shutil.which('sleep')} 60\n")
    slow.chmod(0o755)
    found = said("`src/a.py`", Project(root, str(slow)), budget=0.05)
    assert [one.verdict for one in found.claims] == ["cannot say: not checked in time"]


def test_a_git_that_never_stops_talking_is_ended(root: Path, tmp_path: Path) -> None:
    loud = tmp_path / "git"
    loud.write_text(f"#!/bin/sh\nexec {shutil.which('yes')}\n")
    loud.chmod(0o755)
    with pytest.raises(NoGitAnswer):
        GitCommand(str(loud), str(root)).run("log", deadline=Project(root).deadline_in(50))


def test_a_repository_that_git_refuses_is_a_working_tree(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text("def f_one(): pass\n")
    assert said("`a.py` has `f_one()`", Project(tmp_path, GIT)).verdict == "fresh"


def test_a_repository_without_a_commit_is_one(tmp_path: Path) -> None:
    subprocess.run([GIT, "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "a.py").write_text("def f_one(): pass\n")
    text = "`a.py` has `f_one()`, see a.py:1, `gone/b.py`, `make x`"
    assert said(text, Project(tmp_path, GIT)).verdict == "fresh"
    assert anchors(claims_in(text), text, Project(tmp_path, GIT)).startswith("- ")
