"""Earlier texts of a memory are found under whatever name it had then."""

import pytest

from memdir import Memory
from memdir.errors import NoSuchMemory


def test_history_and_restore_follow_a_rename(memory: Memory) -> None:
    first = memory.remember("v1", kind="user", name="a")
    memory.remember("v2", kind="user", name="a")
    memory.rename("a", "b")
    assert [entry.verb for entry in memory.history("b")] == ["rename", "remember", "remember"]
    assert [entry.verb for entry in memory.history("b", limit=2)] == ["rename", "remember"]
    assert memory.restore("b").file == "user_b.md"
    assert memory.read("b").body.strip() == "v1", "the newest text that is not the present one"
    memory.remember("v3", kind="user", name="b")
    memory.restore("b", first.operation)
    assert memory.read("b").body.strip() == "v1"
    assert [header.name for header in memory.list()] == ["b"]


def test_another_memory_that_took_the_old_name_is_not_mixed_in(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.rename("a", "b")
    other = memory.remember("other", kind="user", name="a")
    assert other.operation not in {entry.id for entry in memory.history("b")}
    with pytest.raises(NoSuchMemory, match=r"left no text in user_b\.md"):
        memory.restore("b", other.operation)


def test_a_memory_with_one_text_only_is_known(memory: Memory) -> None:
    memory.remember("one", kind="user", name="solo")
    with pytest.raises(NoSuchMemory, match=r"no earlier text of user_solo\.md"):
        memory.restore("solo")
