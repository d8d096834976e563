"""Earlier texts of a memory are found under whatever name it had then."""

import os
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir import Memory
from memdir.errors import NoSuchMemory


def test_history_and_restore_follow_a_rename(memory: Memory) -> None:
    first = memory.remember("v1", kind="user", name="a")
    memory.remember("v2", kind="user", name="a")
    memory.rename("a", "b")
    assert [entry.verb for entry in memory.history.list("b")] == ["rename", "remember", "remember"]
    assert [entry.verb for entry in memory.history.list("b", limit=2)] == ["rename", "remember"]
    assert memory.history.restore("b").file == "user_b.md"
    assert memory.read("b").body.strip() == "v1", "the newest text that is not the present one"
    memory.remember("v3", kind="user", name="b")
    memory.history.restore("b", first.operation)
    assert memory.read("b").body.strip() == "v1"
    assert [header.name for header in memory.list()] == ["b"]


def test_another_memory_that_took_the_old_name_is_not_mixed_in(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.rename("a", "b")
    other = memory.remember("other", kind="user", name="a")
    assert other.operation not in {entry.id for entry in memory.history.list("b")}
    with pytest.raises(NoSuchMemory, match=r"left no text in user_b\.md"):
        memory.history.restore("b", other.operation)


def test_a_memory_with_one_text_only_is_known(memory: Memory) -> None:
    memory.remember("one", kind="user", name="solo")
    with pytest.raises(NoSuchMemory, match=r"no earlier text of user_solo\.md"):
        memory.history.restore("solo")


def test_the_old_name_restores_the_renamed_memory_and_makes_no_second_one(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.remember("v2", kind="user", name="a")
    memory.rename("a", "b")
    memory.rename("b", "c")
    assert memory.history.restore("a").file == "user_c.md"
    assert [(header.name, memory.read(header.name).body.strip()) for header in memory.list()] == [("c", "v1")]


def test_a_rename_without_an_earlier_text_says_how_to_take_it_back(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.rename("a", "b")
    with pytest.raises(NoSuchMemory, match=r"no earlier text of user_b\.md.*undo ID.*rename"):
        memory.history.restore("a")
    assert [header.name for header in memory.list()] == ["b"]


def test_a_memory_that_was_renamed_and_forgotten_comes_back_under_its_last_name(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.rename("a", "b")
    memory.forget("b")
    assert memory.history.restore("a").file == "user_b.md"


def test_without_git_a_rename_leaves_nothing_in_the_trash_to_restore_beside_it(tmp_path: Path) -> None:
    bare = Memory.at(
        tmp_path / "memory", tmp_path / "state", env={"HOME": str(tmp_path), "PATH": "", **WORDS_ALONE}
    )
    bare.remember("v1", kind="user", name="a")
    bare.rename("a", "b")
    assert bare.doctor.status().trash == 0
    with pytest.raises(NoSuchMemory):
        bare.history.restore("a")
    assert [header.name for header in bare.list()] == ["b"]


def test_without_git_the_text_that_was_forgotten_last_comes_back(tmp_path: Path) -> None:
    bare = Memory.at(
        tmp_path / "memory", tmp_path / "state", env={"HOME": str(tmp_path), "PATH": "", **WORDS_ALONE}
    )
    for number, text in enumerate(("first", "second")):
        bare.remember(text, kind="user", name="a")
        gone = bare.forget("a")
        os.rename(tmp_path / "state" / "trash" / gone.operation, tmp_path / "state" / "trash" / f"{number}")
    bare.history.restore("a")
    assert bare.read("a").body.strip() == "second"


def test_a_text_in_the_trash_makes_no_second_memory_beside_the_renamed_one(memory: Memory) -> None:
    memory.remember("v1", kind="user", name="a")
    memory.undo()
    memory.history.restore("a")
    memory.rename("a", "b")
    with pytest.raises(NoSuchMemory, match=r"no earlier text of user_b\.md"):
        memory.history.restore("a")
    assert [header.name for header in memory.list()] == ["b"]


def test_restoring_what_is_there_changes_and_records_nothing(memory: Memory) -> None:
    first = memory.remember("v1", kind="user", name="a")
    memory.undo()
    assert memory.history.restore("a").operation
    done = memory.history.list()
    for again in (memory.history.restore("a"), memory.history.restore("a", first.operation)):
        assert (again.file, again.operation) == ("user_a.md", "")
    assert memory.history.list() == done
    assert memory.read("a").body.strip() == "v1"
