"""A host's own write into the memory directory is judged by what it would write, whatever form that has."""

from itertools import product
from typing import Any

from memdir.hosts.memory_writes import review_write
from memdir.hosts.protocol import HostAnswer

SECRET = "ghp_" + "n0tR3al" * 5 + "x"
"""Made up, in the shape of a token of a code host."""


def answer(tool: str, file: str = "user_x.md", *, holds_rule: bool = False, **given: Any) -> HostAnswer:
    return review_write(f"/m/{file}", file, tool, given, holds_rule=holds_rule)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("Write", {"content": f"the token is {SECRET}"}),
    ("Edit", {"old_string": "x", "new_string": SECRET}),
    ("MultiEdit", {"edits": [{"new_string": "x"}, {"new_string": SECRET}]}),
    ("MultiEdit", {"edits": [5, {"new_string": SECRET}], "content": 5}),
    ("NotebookEdit", {"new_source": f"token = '{SECRET}'"}),
]


def test_a_credential_is_denied_in_every_file_by_the_name_of_its_rule() -> None:
    files = ["user_x.md", "x.sh", "x.ipynb", "MEMORY.md"]
    wrong = []
    for (tool, given), holds_rule, file in product(CALLS, (False, True), files):
        said = answer(tool, file, holds_rule=holds_rule, **given)
        told = "n0tR3al" in said.because + said.context
        if said.decision != "deny" or "github-token" not in said.because or told:
            wrong.append(f"{tool} {given} {file} {holds_rule=}: {said}")
    assert not wrong, "\n".join(wrong)


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


def test_a_form_that_nobody_uses_is_left_to_the_host() -> None:
    wrong = []
    for tool, given in product(["Write", "Edit", "MultiEdit", "NotebookEdit"], ODD):
        plain, script, rule = (
            answer(tool, **given),
            answer(tool, "x.sh", **given),
            answer(tool, holds_rule=True, **given),
        )
        if (plain, script.decision, rule.decision) != (HostAnswer(), "ask", "ask"):
            wrong.append(f"{tool} {given}: {plain}, {script}, {rule}")
    assert not wrong, "\n".join(wrong)


def test_markdown_is_allowed_and_told_what_its_header_lacks() -> None:
    said = answer("Write", content="hello")
    assert said.decision == "allow"
    assert "name, description, type" in said.context
    assert answer("Edit", new_string="hello").context == ""
    assert answer("MultiEdit", edits=[{"new_string": "a"}, {"new_string": "b"}]).decision == "allow"
