"""Searching finds lines in every memory file, as a pattern or as plain text, with what stands around them."""

from pathlib import Path

import pytest

from memdir.errors import Rejected
from memdir.memories.directory import MemoryDir
from memdir.recall.search import Hit, search


@pytest.fixture
def memories(tmp_path: Path) -> MemoryDir:
    directory = tmp_path / "memory"
    (directory / "sub").mkdir(parents=True)
    (directory / "a.md").write_text('---\nname: "a"\n---\n\none\ntwo (2)\nThree\n')
    (directory / "sub" / "b.md").write_text("nothing\r\nTWO here\r\n")
    (directory / "MEMORY.md").write_text("- [two](a.md)\n")
    (directory / "notes.txt").write_text("two\n")
    return MemoryDir(str(directory), str(tmp_path / "state"))


def places(hits: list[Hit]) -> list[tuple[str, int, str]]:
    return sorted((hit.header.file, hit.number, hit.line) for hit in hits)


def test_lines_are_found_in_any_case_with_their_numbers(memories: MemoryDir) -> None:
    found = places(list(search(memories, "two")))
    assert found == [("a.md", 6, "two (2)"), ("sub/b.md", 2, "TWO here")]


def test_case_can_count(memories: MemoryDir) -> None:
    assert places(list(search(memories, "TWO", exact_case=True))) == [("sub/b.md", 2, "TWO here")]


def test_a_pattern_is_a_regular_expression_unless_it_is_plain(memories: MemoryDir) -> None:
    assert [hit.line for hit in search(memories, r"^t\w+$")] == ["Three"]
    assert [hit.line for hit in search(memories, "(2)", plain=True)] == ["two (2)"]


def test_the_header_is_searched_too(memories: MemoryDir) -> None:
    assert places(list(search(memories, "name:"))) == [("a.md", 2, 'name: "a"')]


def test_lines_around_a_hit_are_given(memories: MemoryDir) -> None:
    (hit,) = [hit for hit in search(memories, "two", context=1) if hit.header.file == "a.md"]
    assert (hit.before, hit.after) == (("one",), ("Three",))


def test_a_line_of_a_page_is_cut_around_what_matches_and_shows_no_control_characters(
    memories: MemoryDir, tmp_path: Path
) -> None:
    line = "x" * 5_000 + "\x1b[2Jneedle\t\x07" + "y" * 5_000
    (tmp_path / "memory" / "long.md").write_text(f"{'z' * 5_000}\n{line}\n")
    (hit,) = search(memories, "needle", context=1)
    assert " [2Jneedle\t " in hit.line
    assert (len(hit.line), hit.line[0], hit.line[-1]) == (1_000, "…", "…")
    assert len(hit.before[0]) < 1_001
    assert not {"\x1b", "\x07"} & {*hit.line}


@pytest.mark.parametrize("pattern", ["", "(", "[z-a]", "*"])
def test_what_is_no_pattern_is_refused_with_a_way_out(memories: MemoryDir, pattern: str) -> None:
    with pytest.raises(Rejected):
        list(search(memories, pattern))


def test_a_directory_that_was_never_made_holds_nothing(tmp_path: Path) -> None:
    assert list(search(MemoryDir(str(tmp_path / "no"), str(tmp_path / "state")), "x")) == []
