"""Undo takes back what was done since memdir looks after a directory, and nothing that was there before."""

import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from tests.conftest import NOW, Clock
from tests.contents import memory_names, parts_of

from memdir import Draft, Memory
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.history.undo import ChangedSince

FUTURE, PAST = 4e9, 1.7e9


def placed(memory: Memory, name: str, at: float) -> None:
    path = Path(memory.directory) / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"---\nname: {name}\n---\n{name}\n")
    os.utime(path, (at, at))


@pytest.mark.parametrize("skewed", [FUTURE, None])
def test_no_file_that_was_there_first_is_taken_away(memory: Memory, skewed: float | None) -> None:
    placed(memory, "old", PAST)
    placed(memory, "odd", skewed or NOW.timestamp() + 0.5)
    with pytest.raises(NoSuchMemory, match="nothing to undo"):
        memory.undo()
    (found,) = memory.history.list()
    assert (found.verb, found.by.actor) == ("found", "outside")
    assert memory_names(memory) == ["odd", "old"]
    assert any("there before" in warning for warning in memory.undo(found.id).warnings)
    assert memory_names(memory) == []


def test_nor_one_that_was_there_when_something_else_was_saved_first(memory: Memory) -> None:
    placed(memory, "old", PAST)
    placed(memory, "odd", FUTURE)
    placed(memory, "replaced", FUTURE)
    memory.remember("new", name="replaced")
    assert memory.undo().undid.verb == "remember"
    with pytest.raises(NoSuchMemory, match="nothing to undo"):
        memory.undo()
    assert memory_names(memory) == ["odd", "old", "replaced"]


def test_one_that_somebody_added_since_is_a_change(memory: Memory, clock: Clock) -> None:
    memory.remember("mine", kind="user", name="mine", saved_at=clock.now)
    clock.forward(seconds=10)
    placed(memory, "theirs", clock.now.timestamp() - 5)
    assert memory.undo().undid.verb == "outside"
    assert memory_names(memory) == ["mine"]


def test_a_memory_that_was_renamed_since_is_not_called_gone(memory: Memory) -> None:
    made = memory.remember("v1", kind="user", name="a")
    renamed = memory.rename("a", "b")
    memory.remember("other", kind="user", name="a")
    with pytest.raises(ChangedSince, match=r"user_b\.md changed after") as caught:
        memory.undo(made.operation)
    assert caught.value.newer == renamed.operation
    memory.undo(made.operation, on_collision="overwrite")
    assert memory_names(memory) == ["a"]
    assert memory.read("a").body.strip() == "other"


def test_what_was_renamed_back_is_where_it_was(memory: Memory) -> None:
    made = memory.remember("v1", kind="user", name="a")
    memory.rename("a", "b")
    memory.undo()
    memory.undo(made.operation)
    assert memory_names(memory) == []


def test_both_leaves_what_the_change_made_and_says_so(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    drafts = [Draft("two", kind="user", name="a"), Draft("new", kind="user", name="b")]
    batch = memory.transfer.remember_many(drafts)[0].operation
    memory.transfer.remember_many(
        [Draft("three", kind="user", name="a"), Draft("newer", kind="user", name="b")]
    )
    done = memory.undo(batch, on_collision="both")
    assert memory_names(memory) == ["a", "a-before", "b"]
    assert any("user_b.md" in warning and "stays" in warning for warning in done.warnings)


def test_both_alone_says_why_it_cannot_be(memory: Memory) -> None:
    made = memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="a")
    with pytest.raises(ChangedSince, match="no old text to put beside"):
        memory.undo(made.operation, on_collision="both")


def test_an_index_that_lost_only_our_own_pointers_is_no_change(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    memory.remember("b", kind="user", name="b")
    (Path(memory.directory) / "MEMORY.md").unlink()
    assert {entry.verb for entry in memory.history.list()} == {"remember"}
    memory.doctor.examine(fix=True)
    assert memory.undo().undid.files == ("user_b.md",)


def test_a_change_that_no_longer_matters_is_passed_over(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    index = Path(memory.directory) / "MEMORY.md"
    index.write_text("- [My own words](user_a.md)\n")
    memory.history.list()
    index.write_text("- [A](user_a.md) — a\n")
    (newest, *_) = memory.history.list()
    index.write_text("- [My own words](user_a.md)\n")
    # As if it had been put right by something that is not recorded.
    parts_of(memory).writer.index.note_seen(index.read_text())
    assert newest.files == ("MEMORY.md",)
    assert memory.undo().undid.id != newest.id


@pytest.mark.parametrize("verb", [lambda m: m.undo, lambda m: m.history.diff, lambda m: m.recalls.receipt])
def test_an_empty_id_is_refused(memory: Memory, verb: Callable[[Memory], Callable[[str], object]]) -> None:
    memory.remember("a", kind="user", name="a")
    with pytest.raises(Rejected, match="id is empty"):
        verb(memory)("")
    with pytest.raises(Rejected, match="id is empty"):
        memory.history.restore("a", "")
    assert memory_names(memory) == ["a"]


def test_a_wrong_choice_names_the_right_ones(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    with pytest.raises(Rejected, match="stop, overwrite, both"):
        memory.undo(on_collision="bogus")


def test_a_conflict_survives_the_way_between_processes(memory: Memory) -> None:
    made = memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="a")
    with pytest.raises(ChangedSince) as caught:
        memory.undo(made.operation)
    again = deepcopy(caught.value)  # which goes the way of pickle
    assert (str(again), again.collisions) == (str(caught.value), caught.value.collisions)
