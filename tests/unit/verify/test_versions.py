"""A version is compared with what the manifests of the project state of that name, then and now."""

from pathlib import Path

from bench.verify.histories import History, Step, built
from tests.unit.verify.verdict import GIT, claim_verdicts

from memdir.verify.check import anchors
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project


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
