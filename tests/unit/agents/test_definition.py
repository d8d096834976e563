"""Agent types are read from files and JSON; their names and links never lead out of where they belong."""

from pathlib import Path

import pytest

from memdir.agents.definition import (
    AgentPlaces,
    AgentScope,
    agent_scope,
    definitions,
    definitions_in_json,
    folder_name,
    with_memory_tools,
)
from memdir.config.layout import CLAUDE
from memdir.errors import Rejected


@pytest.fixture
def places(tmp_path: Path) -> AgentPlaces:
    project = tmp_path / "project"
    project.mkdir()
    return AgentPlaces(CLAUDE, str(tmp_path / "home" / ".claude"), str(project))


def define(folder: Path, name: str, header: str) -> None:
    (folder / "agents").mkdir(parents=True, exist_ok=True)
    (folder / "agents" / name).write_text(f"---\n{header}\n---\nYou review.\n")


def test_each_scope_has_its_directory(places: AgentPlaces, tmp_path: Path) -> None:
    found = {scope: places.memory("reviewer", scope) for scope in AgentScope}
    assert found == {
        "user": f"{tmp_path}/home/.claude/agent-memory/reviewer",
        "project": f"{tmp_path}/project/.claude/agent-memory/reviewer",
        "local": f"{tmp_path}/project/.claude/agent-memory-local/reviewer",
    }
    assert places.snapshot("reviewer") == f"{tmp_path}/project/.claude/agent-memory-snapshots/reviewer"


def test_colons_become_dashes() -> None:
    assert folder_name("plugin:reviewer") == "plugin-reviewer"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", "../x", "a b", "a\0", "é", ".x", "x.", "a" * 101]
)
def test_names_that_could_be_paths_are_refused(name: str) -> None:
    with pytest.raises(Rejected):
        folder_name(name)


@pytest.mark.parametrize("scope", ["project", "local"])
def test_a_link_of_the_project_does_not_lead_out_of_it(
    places: AgentPlaces, tmp_path: Path, scope: str
) -> None:
    (tmp_path / "secret").mkdir()
    link = Path(places.project, ".claude", "agent-memory" if scope == "project" else "agent-memory-local")
    link.parent.mkdir()
    link.symlink_to(tmp_path / "secret")
    with pytest.raises(Rejected, match="outside"):
        places.memory("reviewer", AgentScope(scope))
    (link.parent / "agent-memory-snapshots").symlink_to(tmp_path / "secret")
    with pytest.raises(Rejected, match="outside"):
        places.snapshot("reviewer")


def test_definitions_come_from_the_user_and_the_project_which_wins(places: AgentPlaces) -> None:
    define(Path(places.config_home), "a.md", "name: reviewer\ndescription: Mine\nmemory: user")
    define(Path(places.config_home), "b.md", "name: tester\ndescription: Tests")
    define(
        Path(places.project, ".claude"),
        "r.md",
        "name: reviewer\ndescription: Ours\nmemory: project\ntools: Read, Grep",
    )
    define(Path(places.project, ".claude"), "odd.md", "description: without a name")
    reviewer, tester = definitions(places)
    assert (reviewer.name, reviewer.description, reviewer.memory) == ("reviewer", "Ours", "project")
    assert reviewer.tools == ("Read", "Grep")
    assert (tester.name, tester.memory, tester.tools) == ("tester", None, None)


@pytest.mark.parametrize(
    "tools", ["tools: Read, Bash(git log:*, git diff:*)", "tools: [Read, 'Bash(git log:*, git diff:*)']"]
)
def test_tools_are_read_in_every_form(places: AgentPlaces, tools: str) -> None:
    define(Path(places.project, ".claude"), "r.md", f"name: reviewer\n{tools}")
    assert definitions(places)[0].tools == ("Read", "Bash(git log:*, git diff:*)")


def test_a_block_list_of_tools_is_read(places: AgentPlaces) -> None:
    define(Path(places.project, ".claude"), "r.md", "name: reviewer\ntools:\n  - Read\n  - Grep")
    assert definitions(places)[0].tools == ("Read", "Grep")


def test_definitions_in_json() -> None:
    (one,) = definitions_in_json(
        '{"reviewer": {"description": "d", "tools": ["Grep"], "memory": "local"}, "x": 1}'
    )
    assert (one.name, one.memory, one.tools) == ("reviewer", "local", ("Grep",))
    with pytest.raises(Rejected, match="no JSON"):
        definitions_in_json("{")


def test_an_unknown_scope_is_no_memory_in_a_file_and_an_error_in_a_call() -> None:
    (one,) = definitions_in_json('{"reviewer": {"memory": "everywhere"}}')
    assert one.memory is None
    with pytest.raises(Rejected, match="user, project, local"):
        agent_scope("everywhere")


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (None, None),
        ((), ("Read", "Edit", "Write")),
        (("Grep", "Write"), ("Grep", "Write", "Read", "Edit")),
        (("Read(/src/**)",), ("Read(/src/**)", "Edit", "Write")),
        (("*",), ("*",)),
    ],
)
def test_the_tools_of_memory_are_added_to_an_explicit_list(
    tools: tuple[str, ...] | None, expected: tuple[str, ...] | None
) -> None:
    assert with_memory_tools(tools) == expected
