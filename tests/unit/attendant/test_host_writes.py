"""A host's own write into the memory directory is judged by what it would write, whatever form that has."""

from typing import Any

import pytest

from memdir.attendant.host_writes import reviewed
from memdir.hosts.host import Answer

SECRET = "ghp_" + "n0tR3al" * 5 + "x"
"""Made up, in the shape of a token of a code host."""


def answer(tool: str, file: str = "user_x.md", *, holds_rule: bool = False, **given: Any) -> Answer:
    return reviewed(f"/m/{file}", file, tool, given, holds_rule=holds_rule)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("Write", {"content": f"the token is {SECRET}"}),
    ("Edit", {"old_string": "x", "new_string": SECRET}),
    ("MultiEdit", {"edits": [{"new_string": "x"}, {"new_string": SECRET}]}),
    ("MultiEdit", {"edits": [5, {"new_string": SECRET}], "content": 5}),
    ("NotebookEdit", {"new_source": f"token = '{SECRET}'"}),
]


@pytest.mark.parametrize("file", ["user_x.md", "x.sh", "x.ipynb", "MEMORY.md"])
@pytest.mark.parametrize("holds_rule", [False, True])
@pytest.mark.parametrize(("tool", "given"), CALLS)
def test_a_credential_is_denied_in_every_file_by_the_name_of_its_rule(
    tool: str, given: dict[str, Any], file: str, holds_rule: bool
) -> None:
    said = answer(tool, file, holds_rule=holds_rule, **given)
    assert said.decision == "deny"
    assert "github-token" in said.because
    assert "n0tR3al" not in said.because + said.context


ODD: list[dict[str, Any]] = [
    {"edits": 5},
    {"edits": {"new_string": "x"}},
    {"edits": [5]},
    {"edits": [{"new_string": ["x"]}]},
    {"edits": None},
    {"content": ["x"]},
    {"content": None},
    {"new_string": {}},
    {},
]


@pytest.mark.parametrize("given", ODD, ids=str)
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_a_form_that_nobody_uses_is_left_to_the_host(tool: str, given: dict[str, Any]) -> None:
    assert answer(tool, **given) == Answer()
    assert answer(tool, "x.sh", **given).decision == "ask"
    assert answer(tool, holds_rule=True, **given).decision == "ask"


def test_markdown_is_allowed_and_told_what_its_header_lacks() -> None:
    said = answer("Write", content="hello")
    assert said.decision == "allow"
    assert "name, description, type" in said.context
    assert answer("Edit", new_string="hello").context == ""
    assert answer("MultiEdit", edits=[{"new_string": "a"}, {"new_string": "b"}]).decision == "allow"
