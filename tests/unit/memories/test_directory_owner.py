"""A state folder is about one directory: its history is not mixed with that of another."""

from pathlib import Path
from shutil import copytree

import pytest

from memdir import Memory
from memdir.errors import Rejected


def test_a_second_directory_is_refused_while_the_first_is_there(tmp_path: Path) -> None:
    one, two, state = tmp_path / "one", tmp_path / "two", tmp_path / "state"
    Memory.at(one, state=state).remember("mine", kind="user", name="mine")
    with pytest.raises(Rejected, match="holds the history of"):
        Memory.at(two, state=state).remember("other", kind="user", name="other")
    assert not two.exists()
    two.mkdir()
    for verb in (Memory.undo, lambda memory: memory.history.list()):
        with pytest.raises(Rejected, match="holds the history of"):
            verb(Memory.at(two, state=state))
    assert Memory.at(one, state=state).read("mine")


def test_a_directory_that_was_moved_keeps_its_history(tmp_path: Path) -> None:
    one, two, state = tmp_path / "one", tmp_path / "two", tmp_path / "state"
    Memory.at(one, state=state).remember("mine", kind="user", name="mine")
    one.rename(two)
    Memory.at(two, state=state).remember("changed", kind="user", name="mine")
    assert [entry.verb for entry in Memory.at(two, state=state).history.list()] == ["remember", "remember"]


def test_a_copy_of_both_is_on_its_own(tmp_path: Path) -> None:
    first = tmp_path / "first"
    Memory.at(first / "memory", state=first / "state").remember("mine", kind="user", name="mine")
    copied = copytree(first, tmp_path / "second")
    Memory.at(copied / "memory", state=copied / "state").undo()
    assert Memory.at(first / "memory", state=first / "state").read("mine")
