"""Edits are applied together, in one undoable step, and only to files that are as the worker saw them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import NOW
from tests.contents import parts_of

from memdir.errors import Conflict
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from memdir.memory import Memory
from memdir.workers.overlay import Overlay, edit_plan

BY = Provenance(actor="extractor", source="user", method="model")
TEXT = '---\nname: "{0}"\ndescription: "About {0}"\ntype: "user"\n---\n\nIt is {0}.\n'


@pytest.fixture
def overlay(memory: Memory, tmp_path: Path) -> Overlay:
    for name in ("one", "two"):
        memory.remember(f"It is {name}.", kind="user", name=name, description=f"About {name}")
    return Overlay(str(tmp_path / "memory"))


def test_readers_see_what_is_pending(overlay: Overlay) -> None:
    overlay.put("user_one.md", "new")
    overlay.put("user_two.md", None)
    overlay.put("user_three.md", TEXT.format("three"))
    assert overlay.text("user_one.md") == "new"
    assert overlay.text("user_two.md") is None
    assert overlay.files() == ["user_one.md", "user_three.md"]


def test_an_edit_knows_what_it_started_from(overlay: Overlay, tmp_path: Path) -> None:
    data = (tmp_path / "memory" / "user_one.md").read_bytes()
    overlay.put("user_one.md", "first")
    overlay.put("user_one.md", "second")
    (edit,) = overlay.edits()
    assert (edit.verb, edit.before, edit.after) == ("edit", data.decode(), "second")


@pytest.mark.parametrize(
    ("was", "text", "verb"),
    [
        (None, "a", "create"),
        ("a", "b", "edit"),
        ("a", None, "forget"),
        ("a", "a", "nothing"),
        (None, None, "nothing"),
    ],
)
def test_an_edit_says_what_it_is(was: str | None, text: str | None, verb: str) -> None:
    assert Change("a.md", was, text).verb == verb


def test_edits_are_applied_together_and_undone_together(
    memory: Memory, overlay: Overlay, opened: Callable[[], Memory]
) -> None:
    overlay.put("user_one.md", TEXT.format("other"))
    overlay.put("user_two.md", None)
    overlay.put("user_three.md", TEXT.format("three"))
    operation, _ = parts_of(memory).writer.apply("extract", BY, NOW, edit_plan(overlay.edits()))
    assert {header.file for header in opened().list()} == {"user_one.md", "user_three.md"}
    memory.undo(operation.id)
    assert {header.file for header in opened().list()} == {"user_one.md", "user_two.md"}


@pytest.mark.parametrize("meanwhile", ["edited", "gone", "appeared"])
def test_nothing_is_applied_when_one_file_changed_meanwhile(
    memory: Memory, overlay: Overlay, tmp_path: Path, meanwhile: str
) -> None:
    overlay.put("user_one.md", TEXT.format("other"))
    overlay.put("user_two.md", None)
    overlay.put("user_three.md", TEXT.format("three"))
    if meanwhile == "gone":
        (tmp_path / "memory" / "user_two.md").unlink()
    else:
        (tmp_path / "memory" / f"user_{'one' if meanwhile == 'edited' else 'three'}.md").write_text("mine")
    before = {path: path.read_bytes() for path in (tmp_path / "memory").iterdir()}
    with pytest.raises(Conflict, match="changed by someone else"):
        parts_of(memory).writer.apply("extract", BY, NOW, edit_plan(overlay.edits()))
    assert {path: path.read_bytes() for path in (tmp_path / "memory").iterdir()} == before


def test_a_file_that_an_edit_leaves_as_it_is_must_be_as_it_was(
    memory: Memory, overlay: Overlay, tmp_path: Path
) -> None:
    text = overlay.text("user_one.md")
    overlay.put("user_two.md", None)
    edits = [*overlay.edits(), Change("user_one.md", text, text)]
    (tmp_path / "memory" / "user_one.md").write_text("mine")
    with pytest.raises(Conflict, match=r"user_one\.md was changed by someone else"):
        parts_of(memory).writer.apply("extract", BY, NOW, edit_plan(edits))
    assert (tmp_path / "memory" / "user_two.md").exists()


def test_bytes_that_are_no_text_survive_an_edit(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "memory" / "user_raw.md"
    memory.remember("x", kind="user", name="y")
    path.write_bytes(b"caf\xe9 old\n")
    overlay = Overlay(str(tmp_path / "memory"))
    overlay.put("user_raw.md", (overlay.text("user_raw.md") or "").replace("old", "new"))
    parts_of(memory).writer.apply("extract", BY, NOW, edit_plan(overlay.edits()))
    assert path.read_bytes() == b"caf\xe9 new\n"


def test_recorded_content_stands_in_for_a_directory() -> None:
    overlay = Overlay({"a.md": "text", "b.md": None})
    assert overlay.files() == ["a.md"]
    assert overlay.text("b.md") is None
