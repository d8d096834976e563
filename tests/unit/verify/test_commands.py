"""A command is checked by what the project defines under its name: gone, another, or the same."""

import subprocess
from pathlib import Path

import pytest
from bench.verify.histories import History, Step, built
from tests.unit.verify.verdict import GIT, claim_verdicts, is_stale

from memdir.verify.check import anchors
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project


def test_a_gradle_task_that_does_something_else_is_stale(tmp_path: Path) -> None:
    task = 'tasks.register("seed") {\n    commandLine("psql", "-f", "seed.sql")\n}\n'
    step = Step("mysql", edit=(("build.gradle.kts", '"psql"', '"mysql"'),))
    where = Project(built(History("one", {"build.gradle.kts": task}, (step,)), tmp_path), GIT)
    ((verdict, now),) = claim_verdicts("`./gradlew seed` fills it.", where)
    assert verdict == "changed since (1 commit)"
    assert "mysql" in now


def test_a_rake_task_that_went_is_stale(tmp_path: Path) -> None:
    file, text = (
        tmp_path / "lib" / "tasks" / "search.rake",
        "`bundle exec rake search:reindex[all]` mends it.",
    )
    file.parent.mkdir(parents=True)
    (tmp_path / "Rakefile").write_text("task default: 'test'\n")
    file.write_text(
        "namespace :search do\n  desc 'All'\n  task :reindex do\n  end\nend\ntask :reindex do\nend\n"
    )
    for arguments in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    marks = anchors(claims_in(text), text, Project(tmp_path, GIT))
    assert claim_verdicts(text, Project(tmp_path, GIT), marks) == [("unchanged", "")]
    file.write_text("namespace :clean do\n  task :all do\n  end\nend\ntask :reindex do\nend\n")
    assert [verdict for verdict, _ in claim_verdicts(text, Project(tmp_path, GIT), marks)] == ["gone"]


def test_the_script_of_the_folder_that_is_named_is_meant(tmp_path: Path) -> None:
    own, text = tmp_path / "web" / "package.json", "In web, `npm run e2e` needs a running backend."
    own.parent.mkdir()
    own.write_text('{"scripts": {"e2e": "playwright test"}}')
    root = tmp_path / "package.json"
    root.write_text('{"scripts": {"e2e": "npm --prefix web run e2e"}}')
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    marks = anchors(claims_in(text), text, Project(tmp_path, GIT))
    root.write_text('{"scripts": {}}')
    assert claim_verdicts(text, Project(tmp_path, GIT), marks) == [("unchanged", "")]


@pytest.mark.parametrize("anchored", [False, True])
def test_a_target_that_runs_on_a_part_of_the_files_is_not_stale(tmp_path: Path, *, anchored: bool) -> None:
    text, files = "`make types` comes before a review.", {"Makefile": "types:\n\tmypy --strict .\n"}
    root = built(History("one", files, ()), tmp_path)
    marks = anchors(claims_in(text), text, Project(root, GIT)) if anchored else ""
    (root / "Makefile").write_text("types: stubs\n\tmypy --strict server\n\nstubs:\n\tstubgen server\n")
    assert not is_stale(text, Project(root, GIT), marks)
    (root / "Makefile").write_text("types:\n\tpyright .\n")
    assert is_stale(text, Project(root, GIT), marks)


def test_a_recipe_that_got_a_parameter_with_a_default_is_not_gone(tmp_path: Path) -> None:
    files = {"justfile": "watch:\n    cargo watch\n"}
    step = Step("dir", edit=(("justfile", "watch:", "watch dir='src':"),))
    where = Project(built(History("one", files, (step,)), tmp_path), GIT)
    assert claim_verdicts("`just watch` in a second window.", where) == [("unchanged", "")]
