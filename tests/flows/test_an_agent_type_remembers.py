"""An agent type has a memory of its own: a directory by scope, a prompt, tools, and snapshots."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir import Memory
from memdir.errors import MemoryOff, NoSuchMemory, Rejected


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".claude" / "agents").mkdir(parents=True)
    (made / ".claude" / "agents" / "reviewer.md").write_text(
        "---\nname: reviewer\ndescription: Reviews\ntools: Grep\nmemory: project\n---\nYou review code.\n"
    )
    return made


@pytest.fixture
def opened(project: Path, tmp_path: Path) -> Callable[..., Memory]:
    def another(who: str = "ada", **more: str) -> Memory:
        env = {"HOME": str(tmp_path / who), "PATH": os.environ["PATH"], **more}
        return Memory.open(project, env)

    return another


def test_memories_of_scopes_and_types_are_apart(opened: Callable[..., Memory], project: Path) -> None:
    memory = opened()
    for scope in ("user", "project", "local"):
        own = memory.agent("reviewer", scope=scope)
        own.remember(f"Guard clauses come first, {scope}.", kind="feedback", name=scope)
        assert [header.name for header in own.list()] == [scope]
    assert memory.agent("tester", scope="project").list() == []
    assert memory.list() == []
    assert not memory.recall("Which clauses come first?", budget=30.0).files
    assert (project / ".claude" / "agent-memory" / "reviewer" / "feedback_project.md").exists()
    assert (project / ".claude" / "agent-memory-local" / "reviewer" / "MEMORY.md").exists()


def test_an_agent_recalls_from_its_own_memory_only(opened: Callable[..., Memory]) -> None:
    memory = opened()
    memory.remember("The staging database is called oak.", kind="project", name="staging-database")
    own = memory.agent("reviewer")
    own.remember("The review database is called elm.", kind="project", name="review-database")
    found = own.recall("What is the review database called?", budget=30.0)
    assert [one.rpartition("/")[2] for one in (*found.files, *found.likely)] == ["project_review-database.md"]


def test_the_prompt_has_mechanics_scope_index_and_tools(opened: Callable[..., Memory], project: Path) -> None:
    memory = opened()
    memory.agent("reviewer").remember("Guard clauses come first.", kind="feedback", name="guards")
    told = memory.agent.prompt("reviewer")
    assert told.directory == f"{project}/.claude/agent-memory/reviewer/"
    assert told.directory in told.text
    assert "shared with everyone who works on it through version control" in told.text
    assert "feedback_guards.md" in told.text.rpartition("\n#")[2]  # the index comes last
    assert told.tools == ("Grep", "Read", "Edit", "Write")
    user = memory.agent.prompt("reviewer", "user")
    assert "in every project of this user" in user.text
    given = memory.agent.prompt("helper", agents='{"helper": {"memory": "local"}}')
    assert (given.scope, given.tools) == ("local", None)
    assert "on this machine" in given.text


def test_a_hostile_name_or_definition_gets_nothing(opened: Callable[..., Memory]) -> None:
    memory = opened()
    for name in ("../../x", "a/b", ""):
        with pytest.raises(Rejected):
            memory.agent(name, scope="user")
    with pytest.raises(NoSuchMemory):
        memory.agent("nobody")
    with pytest.raises(Rejected, match="keeps no memory"):
        memory.agent.prompt("plain", agents='{"plain": {}}')


def test_nothing_of_it_works_while_memory_is_off(opened: Callable[..., Memory], project: Path) -> None:
    memory = opened(MEMDIR_DISABLE="1")
    with pytest.raises(MemoryOff):
        memory.agent.prompt("reviewer")
    with pytest.raises(MemoryOff):
        memory.agent("reviewer").remember("x is y.", kind="user")
    with pytest.raises(MemoryOff):
        memory.agent.apply_snapshot("reviewer")
    assert not (project / ".claude" / "agent-memory").exists()


def test_a_project_that_switches_memory_off_switches_it_off_for_its_agents(
    opened: Callable[..., Memory], project: Path
) -> None:
    (project / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    with pytest.raises(MemoryOff):
        opened().agent("reviewer").remember("x is y.", kind="user")


def given(memory: Memory, **texts: str) -> None:
    for name, text in texts.items():
        memory.agent("reviewer", scope="user").remember(text, kind="feedback", name=name)


def names(memory: Memory) -> dict[str, str]:
    own = memory.agent("reviewer", scope="user")
    return {header.name: own.read(header.name).body for header in own.list()}


def test_a_snapshot_begins_the_memory_of_somebody_else(opened: Callable[..., Memory]) -> None:
    ada, west = opened("ada"), opened("west")
    given(ada, guards="Guard clauses come first.")
    saved_at = ada.agent("reviewer", scope="user").list()[0].saved_at
    ada.agent.create_snapshot("reviewer")
    assert ada.agent.snapshot("reviewer").state == "current"
    assert west.agent.snapshot("reviewer").state == "initialise"
    taken = west.agent.apply_snapshot("reviewer")
    assert names(west) == {"guards": "Guard clauses come first."}
    own = west.agent("reviewer", scope="user")
    assert own.list()[0].saved_at == saved_at
    by = own.history.provenance("guards")
    assert by is not None
    assert by.source == "import"
    assert west.agent.snapshot("reviewer").state == "current"
    own.undo(taken.imported.operation)
    assert names(west) == {}


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("keep", {"guards": "West's own.", "own": "Only West's."}),
        ("replace", {"guards": "Guard clauses come first.", "names": "Short names."}),
        (
            "merge",
            {
                "guards": "West's own.",
                "guards-2": "Guard clauses come first.",
                "names": "Short names.",
                "own": "Only West's.",
            },
        ),
    ],
)
def test_a_newer_snapshot_is_offered_and_taken_as_the_person_says(
    opened: Callable[..., Memory], use: str, expected: dict[str, str]
) -> None:
    ada, west = opened("ada"), opened("west")
    given(ada, guards="Guard clauses come first.", names="Short names.")
    given(west, guards="West's own.", own="Only West's.")
    ada.agent.create_snapshot("reviewer")
    assert west.agent.snapshot("reviewer").state == "offer"
    west.agent.apply_snapshot("reviewer", use)
    assert names(west) == expected
    assert west.agent.snapshot("reviewer").state == "current"


def test_a_snapshot_holds_no_credentials_and_follows_no_links(
    opened: Callable[..., Memory], project: Path, tmp_path: Path
) -> None:
    ada, west = opened("ada"), opened("west")
    given(ada, guards="Guard clauses come first.")
    secret = "The key is ghp_0123456789abcdefghijklmnopqrstuvwxyz12."
    ada.agent("reviewer", scope="user").remember(secret, kind="reference", name="key", allow_secret=True)
    made = ada.agent.create_snapshot("reviewer")
    assert made.left_out == ("reference_key.md",)
    folder = project / ".claude" / "agent-memory-snapshots" / "reviewer"
    assert not [path for path in folder.iterdir() if b"ghp_" in path.read_bytes()]
    (tmp_path / "private.md").write_text("Private words.\n")
    (folder / "link.md").symlink_to(tmp_path / "private.md")
    (folder / "planted.md").write_text(f"---\nname: planted\n---\n{secret}\n")
    taken = west.agent.apply_snapshot("reviewer")
    refused = {one.file for one in taken.files if one.verb == "refuse"}
    assert refused == {"link.md", "planted.md"}
    assert names(west) == {"guards": "Guard clauses come first."}
