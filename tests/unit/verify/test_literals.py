"""What files hold word for word is checked by those files: a value by its name, a dependency by manifests."""

from pathlib import Path

import pytest
from bench.verify.histories import History, Step, built
from bench.verify.literal_cases import LITERAL_HISTORIES
from tests.unit.verify.verdict import GIT, claim_verdicts, is_stale

from memdir.verify.project import Project


def test_the_value_that_a_name_has_now_is_told(tmp_path: Path) -> None:
    root = built(LITERAL_HISTORIES[0], tmp_path)
    assert claim_verdicts("MAX_UPLOAD_MB is 25.", Project(root, GIT))[-1] == (
        "changed since (1 commit)",
        "100",
    )


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
