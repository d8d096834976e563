"""The name is the identity: a handle that is open for long never takes one memory for another."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.contents import parts_of

from memdir import Draft, Memory
from memdir.disk.files import Folder
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories import plans
from memdir.memories.change import Change

Opened = Callable[[], Memory]
Renaming = Callable[[Memory, Memory], None]


def by_a_handle(_: Memory, other: Memory) -> None:
    topic = other.read("x")
    other.edit(topic, _called_z(topic.text))


def by_an_editor_in_place(memory: Memory, _: Memory) -> None:
    path = Path(memory.directory) / "user_x.md"
    path.write_text(_called_z(path.read_text()))


def by_an_editor_that_replaces(memory: Memory, _: Memory) -> None:
    path = Path(memory.directory) / "user_x.md"
    new = path.with_name("user_x.md~")
    new.write_text(_called_z(path.read_text()))
    os.replace(new, path)


def _called_z(text: str) -> str:
    return text.replace('name: "x"', 'name: "z"').replace("x body", "z body")


def bodies(memory: Memory) -> dict[str, str]:
    return {header.file: memory.read(header.file).body.strip() for header in memory.list()}


@pytest.fixture(params=[by_a_handle, by_an_editor_in_place, by_an_editor_that_replaces])
def renamed(request: pytest.FixtureRequest, opened: Opened) -> tuple[Memory, Memory]:
    """Open a handle that saved x, which someone else then called z, and one more."""
    renaming: Renaming = request.param
    memory, other = opened(), opened()
    memory.remember("x body", kind="user", name="x")
    renaming(memory, other)
    return memory, other


def test_a_save_under_the_old_name_is_a_new_memory(renamed: tuple[Memory, Memory]) -> None:
    memory, other = renamed
    saved = memory.remember("new x", kind="user", name="x")
    assert saved.created
    assert bodies(other) == {"user_x.md": "z body", saved.file: "new x"}


def test_a_save_under_the_new_name_updates_it(renamed: tuple[Memory, Memory]) -> None:
    memory, other = renamed
    assert not memory.remember("new z", kind="user", name="z").created
    assert bodies(other) == {"user_x.md": "new z"}


def test_the_old_name_forgets_nothing(renamed: tuple[Memory, Memory]) -> None:
    memory, other = renamed
    with pytest.raises(NoSuchMemory):
        memory.forget("x")
    assert bodies(other) == {"user_x.md": "z body"}
    assert memory.forget("z").file == "user_x.md"


def test_a_memory_is_renamed_by_the_name_it_has_now(renamed: tuple[Memory, Memory]) -> None:
    memory, other = renamed
    with pytest.raises(NoSuchMemory):
        memory.rename("x", "y")
    memory.remember("more", kind="user", name="more")
    with pytest.raises(Rejected, match="already"):
        memory.rename("more", "z")
    memory.rename("z", "y")
    assert bodies(other) == {"user_more.md": "more", "user_y.md": "z body"}


@pytest.mark.parametrize("waits", [True, False])
def test_among_many_memories_a_burst_of_saves_looks_now_and_then(
    renamed: tuple[Memory, Memory], monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    monkeypatch.setattr(plans, "_FEW", 0)
    monkeypatch.setattr(plans, "_BURST_SECONDS", 0.0 if waits else 1e9)
    memory, _ = renamed
    assert memory.remember("new z", kind="user", name="z").created is not waits
    assert memory.remember("new x", kind="user", name="x").created  # what is there is never overwritten
    assert "new x" not in memory.read("user_x.md").text


def test_many_drafts_look_at_the_files_once(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember("x body", kind="user", name="x")
    catalog = parts_of(memory).writer.catalog
    looked, refresh = list[str](), catalog.refresh

    def noted(folder: Folder) -> None:
        looked.append(folder.path)
        refresh(folder)

    monkeypatch.setattr(catalog, "refresh", noted)
    memory.transfer.remember_many([Draft(f"It is {name}.", "user", name) for name in "abc"])
    assert looked == [memory.directory]


def test_an_edit_made_outside_is_recorded_once_whoever_looks(opened: Opened) -> None:
    memory, other = opened(), opened()
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    path.write_text(path.read_text().replace("one", "two"))
    memory.remember("b", kind="user", name="b")
    other.remember("c", kind="user", name="c")
    for each in (memory, other, opened(), memory):
        assert [e.files for e in each.history.list() if e.verb == "outside"] == [("user_a.md",)]


def test_bytes_that_nobody_was_shown_survive_a_change_by_the_memory_tool(memory: Memory) -> None:
    saved = memory.remember("First line\n\nSecond line", kind="user", name="odd", description="d")
    path = Path(saved.path)
    path.write_bytes(path.read_bytes().replace(b"First", b"Caf\xe9"))
    shown = memory.read("odd").text
    memory.history.change([Change(saved.file, shown, shown.replace("Second", "Another"))])
    assert b"Caf\xe9 line" in path.read_bytes()
    assert b"Another line" in path.read_bytes()
