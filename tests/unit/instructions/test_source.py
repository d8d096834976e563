"""An index among the instructions is one entry: without header and comments, cut where it is too long."""

import pytest

from memdir.instructions.records import Layer
from memdir.instructions.source import index_instruction
from memdir.text.clip import INDEX_LINES


def test_an_index_is_stripped_and_flagged() -> None:
    raw = b"---\nfm: x\n---\n<!-- c -->\n- [A](a.md) \xe2\x80\x94 hook\n@a.md\n"
    index = index_instruction("/m/MEMORY.md", raw.decode())
    assert index is not None
    assert (index.text, index.layer, index.changed, index.raw) == (
        "- [A](a.md) — hook\n@a.md",
        Layer.MEMORY,
        True,
        raw,
    )


def test_an_index_that_is_shown_as_it_is_carries_no_raw_bytes() -> None:
    index = index_instruction("/m/MEMORY.md", "- [A](a.md)", Layer.TEAM)
    assert index is not None
    assert (index.layer, index.changed, index.raw) == (Layer.TEAM, False, None)


def test_a_long_index_is_cut_and_says_so() -> None:
    text = "\n".join(f"- [T{n}](t{n}.md)" for n in range(INDEX_LINES + 5))
    index = index_instruction("/m/MEMORY.md", text)
    assert index is not None
    assert index.changed
    assert "WARNING" in index.text
    assert "(t204.md)" not in index.text


@pytest.mark.parametrize("text", ["", " \n", "<!-- only -->", "---\na: b\n---\n"])
def test_an_empty_index_is_no_entry(text: str) -> None:
    assert index_instruction("/m/MEMORY.md", text) is None
