"""Text of memories is printed so that no terminal obeys it, and cut so that no line wraps."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memdir.cli.printable import cut, one_line, printable, width


def test_escape_sequences_are_spelled_out() -> None:
    assert printable("\x1b]0;title\x07 \x1b[2J \x9b31m") == r"\x1b]0;title\x07 \x1b[2J \x9b31m"


def test_marks_that_turn_a_line_around_are_spelled_out() -> None:
    assert printable("safe\u202etxt.exe") == r"safe\u202etxt.exe"


def test_half_surrogates_and_tags_are_spelled_out() -> None:
    assert printable("\udcff\U000e0041") == r"\udcff\U000e0041"


def test_letters_tabs_line_ends_and_emoji_stay() -> None:
    text = "Grüße\t漢字\n👩‍💻 می‌خواهم"
    assert printable(text) == text


def test_a_lone_carriage_return_cannot_overwrite_the_line() -> None:
    assert printable("shown\rhidden") == r"shown\x0dhidden"
    assert printable("one\r\ntwo") == "one\ntwo"


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    assert all(
        character in "\t\n" or unicodedata.category(character) not in {"Cc", "Cs"}
        for character in printable(text)
    )


@given(st.text())
def test_one_line_has_no_line_end(text: str) -> None:
    assert "\n" not in one_line(text)
    assert "\t" not in one_line(text)


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert width("漢字") == 4
    assert width("e\u0301") == 1


def test_a_cut_text_says_so() -> None:
    assert cut("a description that is long", 15) == "a descriptio..."


@given(st.text(), st.integers(0, 30))
def test_a_cut_text_fits(text: str, room: int) -> None:
    assert width(cut(text, room)) <= room


@given(st.text(max_size=30))
def test_a_text_that_fits_is_not_cut(text: str) -> None:
    assert cut(text, width(text)) == text
