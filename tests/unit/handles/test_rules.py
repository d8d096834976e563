"""A rule that somebody else wrote asks until exactly its words are approved, and again without that."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.contents import compiled_rules, parts_of

from memdir.errors import NoSuchMemory, Rejected
from memdir.memory import Memory
from memdir.rules.store import RuleStore

TODAY = "2030-06-01"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    return Memory.at(tmp_path / "memory", tmp_path / "state", env=env, cwd=tmp_path)


def bound(memory: Memory) -> dict[str, bool]:
    return {rule.memory: rule.bound for rule in memory.rules.list()}


def test_a_rule_whose_approval_is_taken_back_asks_again(memory: Memory) -> None:
    memory.remember("x", name="deploys", enforce="Bash: make deploy; Bash: make ship", source="tool")
    assert [rule.bound for rule in memory.rules.approve("deploys")] == [True, True]
    assert len(memory.rules.list_approved()) == 2
    assert [rule.bound for rule in memory.rules.withdraw("deploys")] == [False, False]
    assert (bound(memory), memory.rules.list_approved()) == ({"deploys": False}, ())
    with pytest.raises(NoSuchMemory, match="No rule of 'deploys' is approved"):
        memory.rules.withdraw("deploys")
    memory.rules.approve("deploys")
    assert bound(memory) == {"deploys": True}


def test_an_agent_in_its_own_shell_neither_approves_nor_withdraws(memory: Memory, tmp_path: Path) -> None:
    memory.remember("x", name="deploys", enforce="Bash: make deploy", source="tool")
    env = {**parts_of(memory).world.env, "CLAUDECODE": "1"}
    agents = Memory.at(tmp_path / "memory", tmp_path / "state", env=env, cwd=tmp_path)
    with pytest.raises(Rejected, match="Only a person may let rules bind"):
        agents.rules.approve("deploys")
    memory.rules.approve("deploys")
    with pytest.raises(Rejected, match="Only a person may take such an approval back"):
        agents.rules.withdraw("deploys")
    assert bound(agents) == {"deploys": True}


def test_compiled_rules_notice_it_without_being_compiled_again(memory: Memory, tmp_path: Path) -> None:
    memory.remember("x", name="deploys", enforce="Bash: make deploy", source="tool")
    store = RuleStore(memory.directory, memory.state, str(tmp_path / ".claude"))
    rows, verdicts = (
        compiled_rules(memory).rows,
        list[str](),
    )
    steps: list[Callable[[], object]] = [
        memory.rules.list,
        lambda: memory.rules.approve("deploys"),
        lambda: memory.rules.withdraw("deploys"),
    ]
    for step in steps:
        step()
        said = store.decide(
            store.rules(rows, TODAY), "Bash", {"command": "make deploy"}, "/p", root="", home="/h"
        )
        verdicts.append(said.verdict)
    assert verdicts == ["ask", "deny", "ask"]


def test_a_rule_of_the_users_own_in_the_same_words_goes_on_binding(memory: Memory) -> None:
    for name, source in (("theirs", "tool"), ("others", "team"), ("mine", "user")):
        memory.remember(name, name=name, enforce="Bash: make deploy", source=source)
    memory.rules.approve("theirs")
    assert bound(memory) == {"theirs": True, "others": True, "mine": True}
    memory.rules.withdraw("others")
    assert bound(memory) == {"theirs": False, "others": False, "mine": True}
