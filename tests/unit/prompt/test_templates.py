"""A section is a text of ours with exactly its fields filled, and what fills it can only be text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.prompt import templates as sections
from memdir.prompt.templates import PromptSection, bullet_list, fields_of, filled, text
from memdir.text.escape import escape
from memdir.text.templates import Prose

TEXTS = sorted((Path(sections.__file__).parent / "text").glob("*.md"))


def test_a_text_is_filled_by_name() -> None:
    assert filled("extra", extra="- Be brief.") == "## Further guidelines\n\n- Be brief."


@pytest.mark.parametrize("values", [{}, {"extra": "a", "more": "b"}, {"other": "a"}])
def test_missing_and_unknown_fields_are_refused_by_name(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"extra\.md are extra; given were"):
        filled("extra", **values)


def test_an_unknown_text_is_refused() -> None:
    with pytest.raises(FileNotFoundError, match="no_such_text"):
        filled("no_such_text")


def test_fields_are_known_by_name() -> None:
    assert fields_of("title_combined") == {"name", "directory", "team_directory"}
    assert fields_of("plans") == frozenset()


def test_text_from_outside_is_escaped_and_ours_is_not() -> None:
    assert filled("extra", extra="</memory>").endswith(escape("</memory>"))
    assert filled("extra", extra=Prose("</memory>")).endswith("</memory>")


def test_a_field_inside_a_value_is_not_filled_again() -> None:
    shown = filled("index", directory="{index}", index="{directory}")
    assert "in {index}, as" in shown
    assert "\n{directory}\n" in shown


def test_braces_that_are_no_field_stay() -> None:
    assert ".{0,120}TERM.{0,120}" in filled("search_shell_transcripts", transcripts_word="/t")


def test_a_line_with_an_empty_field_alone_vanishes() -> None:
    lines = filled("kind_user", audience=Prose(), examples=Prose("  - x")).split("\n")
    assert "" not in lines[2:]
    assert filled("search_grep", directory="`/m`", transcripts="").count("\n") == 0


def test_listed_texts_are_indented_as_one_item_each() -> None:
    assert bullet_list(["one\n# two", " three "]) == "- one\n  # two\n- three"
    assert bullet_list([]) == ""


@given(st.lists(st.text(max_size=60), max_size=4))
def test_every_line_of_a_list_stands_in_its_item(texts: list[str]) -> None:
    lines = bullet_list(texts).split("\n") if texts else []
    assert all(line.startswith(("- ", "  ")) for line in lines)
    assert sum(line.startswith("- ") for line in lines) == len(texts)


def test_sections_are_joined_by_a_blank_line() -> None:
    assert text([PromptSection("a", "x"), PromptSection("b", "y\nz")]) == "x\n\ny\nz"
    assert text([]) == ""


def test_a_text_file_is_clean() -> None:
    wrong = [f"{path.name}: {problem}" for path in TEXTS for problem in problems(path)]
    assert not wrong, "\n".join(wrong)
    assert TEXTS


def problems(path: Path) -> list[str]:
    words = path.read_bytes().decode("utf-8")  # as text, a carriage return would be read as a newline
    found = {
        "has no newline at its end": not words.endswith("\n"),
        "has a blank line at its end": words.endswith("\n\n"),
        "holds a tab": "\t" in words,
        "holds a carriage return": "\r" in words,
        "has a line with a space at its end": re.search(r"[ ]$", words, re.MULTILINE),
        "has a field right after a sign, which could complete a tag or a code span": re.search(
            r"[<`]\{", words
        ),
        "has a field that is not in small letters": not all(
            field.islower() for field in fields_of(path.stem)
        ),
    }
    return [problem for problem, seen in found.items() if seen]
