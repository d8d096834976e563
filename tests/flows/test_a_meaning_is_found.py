"""With the real model a memory is found by what it means, and its vectors outlive any damage."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdir import Memory


@pytest.fixture
def again(tmp_path: Path) -> Callable[[], Memory]:
    """Open the memory of the project, as another process would."""
    (tmp_path / "project").mkdir()
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
    return lambda: Memory.open(tmp_path / "project", env)


@pytest.fixture
def memory(again: Callable[[], Memory]) -> Memory:
    memory = again()
    memory.remember("The team ships on Tuesdays and never before a holiday.", kind="project", name="shipping")
    memory.remember("Use tabs in Go files.", kind="feedback", name="tabs")
    memory.remember("The user is allergic to jargon.", kind="user", name="jargon")
    return memory


def test_no_word_has_to_be_shared(memory: Memory) -> None:
    recall = memory.recall("on which day of the week do we release?", budget=30.0)
    assert recall.files == ("project_shipping.md",)
    assert recall.receipt.method == "semantic"


def test_saving_computes_vectors_and_nothing_is_left_to_learn(memory: Memory) -> None:
    assert memory.models.learn() == 0
    Path(memory.directory, "user_outside.md").write_text(
        "---\nname: outside\ndescription: x\ntype: user\n---\nCats.\n"
    )
    assert memory.models.learn() == 1


def test_nothing_is_recalled_for_what_no_memory_is_about(memory: Memory) -> None:
    assert memory.recall("how tall is the Eiffel tower in feet?", budget=30.0).files == ()


def test_vectors_that_are_lost_or_damaged_are_computed_again(
    memory: Memory, again: Callable[[], Memory]
) -> None:
    vectors = Path(memory.state, "vectors")
    vectors.write_bytes(b"garbage")
    reopened = again()
    assert reopened.recall("on which day of the week do we release?", budget=30.0).files == ()
    assert reopened.models.learn(30) == 3
    assert reopened.recall("on which day of the week do we release?", budget=30.0).files == (
        "project_shipping.md",
    )


@pytest.mark.parametrize(
    ("old", "new", "prompt"),
    [
        ("The request timeout is 30 s", "The request timeout is 45 s", "what is the request timeout?"),
        (
            "We deploy on Tuesdays",
            "We deploy on Wednesdays now, no longer on Tuesdays",
            "when do we deploy to production?",
        ),
    ],
)
def test_two_that_contradict_do_not_hide_each_other(
    again: Callable[[], Memory], old: str, new: str, prompt: str
) -> None:
    memory = again()
    memory.remember(old, kind="project", name="old", saved_at=datetime.now(UTC) - timedelta(days=1))
    assert memory.recall(prompt, budget=30.0).files == ("project_old.md",)
    memory.remember(new, kind="project", name="new")
    found = memory.recall(prompt, budget=30.0)
    assert [*found.files, *found.likely] == ["project_new.md"]
    cut = next(one.cut for one in found.receipt.candidates if one.file == "project_old.md")
    assert cut == "a newer memory says otherwise: project_new.md"
