"""Whoever is not the user neither changes nor removes a memory that holds a rule, by any verb."""

from collections.abc import Callable

import pytest

from memdir import Memory
from memdir.errors import Rejected
from memdir.memories.change import Change

FILE = "feedback_rule.md"

Attempt = Callable[[Memory], object]
ATTEMPTS: dict[str, Attempt] = {
    "remember": lambda memory: memory.remember("x", kind="feedback", name="rule", actor="host"),
    "forget": lambda memory: memory.forget("rule", actor="host"),
    "edit": lambda memory: memory.edit(memory.read("rule"), "", actor="host"),
    "change": lambda memory: memory.history.change(
        [Change(FILE, memory.read("rule").text, "x")], actor="dream"
    ),
    "remove": lambda memory: memory.history.change(
        [Change(FILE, memory.read("rule").text, None)], actor="extractor"
    ),
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_nobody_but_the_user_changes_a_rule(memory: Memory, attempt: Attempt) -> None:
    memory.remember("Never push", kind="feedback", name="rule", enforce="Bash: git push")
    text = memory.read("rule").text
    with pytest.raises(Rejected, match="Only the user may change it"):
        attempt(memory)
    assert memory.read("rule").text == text


def test_a_memory_without_a_rule_is_not_kept(memory: Memory) -> None:
    memory.remember("Never push", kind="feedback", name="rule")
    memory.forget("rule", actor="host")
    assert memory.list() == []


def test_the_user_may(memory: Memory) -> None:
    memory.remember("Never push", kind="feedback", name="rule", enforce="Bash: git push")
    memory.edit(memory.read("rule"), "without")
    memory.forget("rule")
    assert memory.list() == []
