"""What a person wrote into the index and beside the hubs stays, whatever is saved, renamed or undone."""

import os
from pathlib import Path

import pytest

from memdir import Draft, Memory
from memdir.memories.directory import MemoryDir

INDEX = """# People
- [My own words](user_a.md) — read before any review
  a note below it
# Others
- [C](user_c.md)
"""


def path_of(memory: Memory, file: str = "MEMORY.md") -> Path:
    return Path(memory.directory) / file


def saved(memory: Memory, *names: str, kind: str = "user") -> tuple[str, ...]:
    drafts = [Draft(f"Body of {name}.", kind=kind, name=name, description=name) for name in names]
    return memory.transfer.remember_many(drafts)[-1].warnings


def with_index(memory: Memory) -> Path:
    saved(memory, "a", "c")
    index = path_of(memory)
    index.write_text(INDEX)
    return index


def test_a_renamed_memory_keeps_a_persons_words_and_place(memory: Memory) -> None:
    index = with_index(memory)
    memory.rename("a", "b")
    assert index.read_text() == INDEX.replace("user_a.md", "user_b.md")
    memory.undo()
    assert index.read_text() == INDEX
    memory.undo(memory.history.list()[0].id)
    assert index.read_text() == INDEX.replace("user_a.md", "user_b.md")


def test_a_renamed_memory_gets_its_new_name_where_the_line_was_ours(memory: Memory) -> None:
    index = with_index(memory)
    memory.rename("c", "z")
    assert index.read_text() == INDEX.replace("[C](user_c.md)", "[Z](user_z.md) — c")
    memory.undo()
    assert index.read_text() == INDEX


def test_words_that_went_into_a_hub_come_out_of_it_again(memory: Memory) -> None:
    with_index(memory)
    os.utime(path_of(memory, "user_a.md"), (1e9, 1e9))
    memory.list()
    saved(memory, *(f"m{number}" for number in range(400)))
    hubs = path_of(memory, "hubs").glob("user-*.md")
    assert "- [My own words](../user_a.md)" in "".join(hub.read_text() for hub in hubs)
    memory.rename("a", "b")
    assert "- [My own words](user_b.md) — read before any review\n" in path_of(memory).read_text()


def test_a_file_among_the_hubs_that_is_not_ours_is_left_alone(memory: Memory) -> None:
    saved(memory, "keep")
    mine, like_ours = path_of(memory, "hubs/mine.md"), path_of(memory, "hubs/user-1.md")
    mine.parent.mkdir()
    text = "# My own reading list\nwords\n- [K](../user_keep.md) — k\n"
    for path in (mine, like_ours):
        path.write_text(text)
    own = "- [My list](hubs/mine.md) — by hand"
    path_of(memory).write_text(own + "\n")
    saved(memory, "more")
    saved(memory, *(f"m{number}" for number in range(400)))
    assert mine.read_text() == like_ours.read_text() == text
    assert path_of(memory, "hubs/user-2.md").exists()
    for shown in (path_of(memory).read_text(), memory.context.index().content):
        assert shown.count(own) == 1
    memory.doctor.examine(fix=True)
    assert mine.read_text() == like_ours.read_text() == text


def test_words_in_a_hub_stay_when_it_empties(memory: Memory) -> None:
    saved(memory, *(f"m{number}" for number in range(400)))
    hub = path_of(memory, "hubs/user-1.md")
    hub.write_bytes(hub.read_bytes() + b"\nRead these first: caf\xe9\n")
    for header in memory.list():
        if f"(../{header.file})" in hub.read_bytes().decode("latin-1"):
            path_of(memory, header.file).unlink()
    saved(memory, "more")
    assert b"Read these first: caf\xe9" in hub.read_bytes()
    assert b"user_m" not in hub.read_bytes()


def test_bytes_that_are_no_utf_8_are_written_back_and_shown_as_text(memory: Memory) -> None:
    saved(memory, "a")
    path_of(memory).write_bytes(b"# Caf\xe9 notes\n")
    assert saved(memory, "b") == ()
    assert path_of(memory).read_bytes().startswith(b"# Caf\xe9 notes\n")
    assert "(user_b.md)" in path_of(memory).read_text("latin-1")
    assert memory.context.index().content.startswith("# Caf\ufffd notes\n")
    assert not [finding for finding in memory.doctor.examine().findings if finding.code == "index-edited"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("\ufeff# Café notes\n".encode("utf-16-le"), "Save it as UTF-8"),
        (b"a line of prose\n" * 80_000, "Move text from it into other files"),
    ],
)
def test_an_index_that_a_save_would_harm_is_left_alone_and_said(
    memory: Memory, data: bytes, why: str
) -> None:
    saved(memory, "a")
    path_of(memory).write_bytes(data)
    (warning,) = saved(memory, "b")
    assert why in warning
    assert MemoryDir(memory.directory, memory.state).examine_index().held == warning
    memory.doctor.examine(fix=True)
    assert path_of(memory).read_bytes() == data
    assert {header.name for header in memory.list()} == {"a", "b"}
    path_of(memory).unlink()
    assert saved(memory, "c") == ()
    assert path_of(memory).read_text().count("](user_") == 3


def test_an_index_with_a_second_name_is_left_alone_and_nothing_of_it_is_shown(memory: Memory) -> None:
    index = with_index(memory)
    os.link(index, index.parent.parent / "backup")
    (warning,) = saved(memory, "b")
    assert "hard link" in warning
    assert index.read_text() == INDEX
    assert "My own words" not in memory.context.index().content
    assert "(user_b.md)" in memory.context.index().content
    index.with_name("copy").write_text(INDEX)
    index.with_name("copy").replace(index)
    assert saved(memory, "d") == ()
    assert "My own words" in index.read_text()
    assert "(user_b.md)" in index.read_text()


def test_a_running_handle_sees_what_comes_and_goes_in_folders_below(memory: Memory) -> None:
    saved(memory, "a")
    below = path_of(memory, "sub/deep")
    below.mkdir(parents=True)
    saved(memory, "b")
    (below / "x.md").write_text("A memory from elsewhere.\n")
    saved(memory, "c")
    assert "(sub/deep/x.md)" in path_of(memory).read_text()
    (below / "x.md").unlink()
    saved(memory, "d")
    assert "(sub/deep/x.md)" not in path_of(memory).read_text()


def test_what_healing_takes_out_of_an_index_of_before_is_in_history(memory: Memory) -> None:
    path_of(memory).parent.mkdir(parents=True, exist_ok=True)
    found = b"---\nowner: me, caf\xe9\n---\n# Mine\n"
    path_of(memory).write_bytes(found)
    saved(memory, "a")
    assert b"owner" not in path_of(memory).read_bytes()
    memory.remember("Another", kind="user", name="b")
    (entry,) = [entry for entry in memory.history.list() if entry.files == ("MEMORY.md",)]
    assert entry.by.actor == "outside"
    assert "+owner: me" in memory.history.diff(entry.id)


def test_a_memory_that_is_back_finds_its_words_and_place(memory: Memory) -> None:
    index = with_index(memory)
    memory.forget("a")
    assert "My own words" not in index.read_text()
    memory.undo()
    assert index.read_text() == INDEX
    away = path_of(memory, "user_a.md").rename(path_of(memory).parent.parent / "away.md")
    saved(memory, "d")
    away.rename(path_of(memory, "user_a.md"))
    assert memory.context.index().content == INDEX.rstrip("\n") + "\n- [D](user_d.md)"
    saved(memory, "e")
    assert index.read_text() == INDEX + "- [D](user_d.md)\n- [E](user_e.md)\n"


def test_another_memory_of_the_same_name_gets_words_of_its_own(memory: Memory) -> None:
    index = with_index(memory)
    memory.forget("a")
    memory.remember("Something else.", kind="user", name="a", description="Something else")
    assert index.read_text() == INDEX.replace(
        "[My own words](user_a.md) — read before any review", "[A](user_a.md) — Something else"
    )
