"""Branches, versions, globs, calls, Gradle tasks and literals are checked, and hints rest on evidence."""

import subprocess
from pathlib import Path

import pytest
from bench.verify.forms_histories import FORMS_HISTORIES
from bench.verify.forms_memories import FORMS_CASES
from bench.verify.histories import History, Step, built
from bench.verify.literal_cases import LITERAL_CASES, LITERAL_HISTORIES
from bench.verify.prose_cases import ANCHORED_CASES, PROSE_CASES, PROSE_HISTORIES
from bench.verify.report import outcomes, table
from tests.repository import git
from tests.unit.verify.verdict import GIT, claim_verdicts, memory_verdict

from memdir.verify.check import anchors
from memdir.verify.claims.parser import claims_in
from memdir.verify.claims.scripts import scripts_in
from memdir.verify.project import Project


def is_stale(text: str, where: Project, marks: str = "") -> bool:
    return memory_verdict(text, where, marks).verdict == "stale"


@pytest.mark.parametrize("anchored", [False, True])
def test_every_memory_is_judged_as_a_person_would(tmp_path: Path, *, anchored: bool) -> None:
    found = outcomes(FORMS_HISTORIES, FORMS_CASES, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))


@pytest.mark.parametrize("anchored", [False, True])
def test_what_files_hold_word_for_word_is_missed_when_it_went(tmp_path: Path, *, anchored: bool) -> None:
    found = outcomes(LITERAL_HISTORIES, LITERAL_CASES, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))


@pytest.mark.parametrize("anchored", [False, True])
def test_ports_images_branches_and_commands_in_prose_are_checked(tmp_path: Path, *, anchored: bool) -> None:
    cases = PROSE_CASES + (ANCHORED_CASES if anchored else ())
    found = outcomes(PROSE_HISTORIES, cases, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))


def test_braces_in_the_names_of_environments_are_expanded_within_bounds() -> None:
    assert set(scripts_in("[testenv:{a,b}-{x,y}]\n", "tox")) == {"a-x", "a-y", "b-x", "b-y"}
    assert scripts_in(f"[testenv:{'{a,b}' * 50_000}]\n", "tox") == {}
    assert len(scripts_in(f"[testenv:{'{a,b}' * 20}]\n", "tox")) == 300


def test_the_value_that_a_name_has_now_is_told(tmp_path: Path) -> None:
    root = built(LITERAL_HISTORIES[0], tmp_path)
    assert claim_verdicts("MAX_UPLOAD_MB is 25.", Project(root, GIT))[-1] == (
        "changed since (1 commit)",
        "100",
    )


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


def test_what_a_manifest_states_now_is_told(tmp_path: Path) -> None:
    root = built(
        History(
            "one",
            {"package.json": '{"dependencies": {"react": "^18.2.0", "left-pad": "1.3.0"}}\n'},
            (
                Step("19", edit=(("package.json", "^18.2.0", "^19.0.0"),)),
                Step("no", edit=(("package.json", ', "left-pad": "1.3.0"', ""),)),
            ),
        ),
        tmp_path,
    )
    where = Project(root, GIT)
    assert claim_verdicts("We are on React 18.", where) == [("changed since (2 commits)", "^19.0.0")]
    assert claim_verdicts("left-pad 1.3 is vendored.", where) == [("gone", "")]
    assert claim_verdicts("React 19 is planned.", where) == []


def test_manifests_that_disagree_leave_a_version_undecided(tmp_path: Path) -> None:
    files = {f"{one}/package.json": '{"engines": {"node": "18"}}\n' for one in ("api", "web")}
    step = Step("20", edit=(("web/package.json", '"18"', '"20"'),))
    where = Project(built(History("one", files, (step,)), tmp_path), GIT)
    assert claim_verdicts("Node 18 everywhere.", where) == [("cannot say: 1 of 2 manifests state it", "")]


def test_without_git_a_version_is_compared_with_what_was_stated_at_the_save(tmp_path: Path) -> None:
    manifest = tmp_path / "pyproject.toml"
    manifest.write_text('[project]\nrequires-python = ">=3.11"\n')
    text = "Python 3.11 is the minimum."
    marks = anchors(claims_in(text), text, Project(tmp_path))
    assert claim_verdicts(text, Project(tmp_path), marks) == [("unchanged", "")]
    manifest.write_text('[project]\nrequires-python = ">=3.12"\n')
    assert claim_verdicts(text, Project(tmp_path), marks) == [("changed since (not committed)", ">=3.12")]


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


def test_a_member_that_prose_names_is_gone_with_its_class(tmp_path: Path) -> None:
    code = "class LedgerWriter:\n    def post(self, entry):\n        return entry\n"
    step = Step("names", edit=(("books.py", "LedgerWriter", "Journal"), ("books.py", "post", "append")))
    where = Project(built(History("one", {"books.py": code}, (step,)), tmp_path), GIT)
    text = "Every refund passes LedgerWriter.post, or the totals drift."
    assert [verdict for verdict, _ in claim_verdicts(text, where)] == ["gone"]


ARROW = "The `arrow` library parses all dates."


@pytest.mark.parametrize(
    ("after", "stale"),
    [
        ({"requirements.txt": "pendulum==3.0.0\n"}, True),
        ({"requirements.txt": "arrow==1.3.0\n"}, False),
        ({"requirements.txt": "arrow\n"}, False),
        (
            {"requirements.txt": "\n", "pyproject.toml": '[project]\ndependencies = ["Arrow", "arrow"]\n'},
            False,
        ),
        ({"requirements.txt": "\n", "environment.yml": "dependencies:\n  - arrow\n"}, False),
    ],
)
def test_a_dependency_is_stale_when_no_file_names_it(
    after: dict[str, str], tmp_path: Path, *, stale: bool
) -> None:
    step = Step("later", write=tuple(after.items()))
    files = {"requirements.txt": "arrow==1.2.3\n"}
    assert is_stale(ARROW, Project(built(History("one", files, (step,)), tmp_path), GIT)) is stale


def test_a_word_that_a_manifest_has_for_other_reasons_is_no_dependency(tmp_path: Path) -> None:
    files = {"package.json": '{"scripts": {"arrow": "node a.js"}, "dependencies": {"zod": "^3.1.0"}}\n'}
    step = Step("gone", write=(("package.json", '{"dependencies": {"zod": "^3.1.0"}}\n'),))
    where = Project(built(History("one", files, (step,)), tmp_path), GIT)
    assert not is_stale(ARROW, where)
