"""An index is loaded up to its two limits, never cut inside a character, and says what was left out."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memdir.text.clip import (
    INDEX_CHARACTERS,
    INDEX_LINES,
    clip_index,
    clip_text,
    near_limits,
    shorten,
    shorten_at_word,
    utf16_length,
)

LINE = "- [Terse replies](feedback_terse-replies.md) — no summaries at the end"

line_texts = st.one_of(
    st.text(alphabet=st.characters(exclude_characters="\n"), max_size=40),
    st.sampled_from(["", " ", LINE, LINE + "\r", "\U0001f600" * 30, "é" * 200, "a😀" * 900, "\r"]),
)
index_texts = st.lists(st.tuples(line_texts, st.integers(1, 120)), max_size=8).map(
    lambda runs: "\n".join(line for line, times in runs for _ in range(times))
)


def kept_by_the_rule(text: str) -> str:
    """Say the rule again, plainly, on UTF-16 units."""
    units = "\n".join(text.split("\n")[:INDEX_LINES]).encode("utf-16-le", "surrogatepass")
    units_list = [units[at : at + 2] for at in range(0, len(units), 2)]
    if len(units_list) <= INDEX_CHARACTERS:
        return units.decode("utf-16-le", "surrogatepass")
    ends = [at for at, unit in enumerate(units_list[: INDEX_CHARACTERS + 1]) if unit == b"\n\0"]
    end = ends[-1] if ends else INDEX_CHARACTERS
    if not ends and units_list[end - 1][1] & 0xFC == 0xD8 and units_list[end][1] & 0xFC == 0xDC:
        end -= 1
    return b"".join(units_list[:end]).decode("utf-16-le", "surrogatepass")


def trimmed(text: str) -> str:
    blank = r"[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+"
    return re.sub(rf"\A{blank}|{blank}\Z", "", text)


@settings(deadline=None)
@given(index_texts)
@example("")
@example(" \n\t\n")
@example("x" * (INDEX_CHARACTERS - 1) + "\U0001f600")
@example("x" * INDEX_CHARACTERS + "\ny")
@example("x" * (INDEX_CHARACTERS + 1) + "\ny")
@example("\n".join(["\U0001f600" * 6_000, "\U0001f600" * 6_499, "\U0001f600"]))
@example("\n".join(["x"] * (INDEX_LINES + 1)))
def test_what_is_loaded_follows_the_rule(text: str) -> None:
    whole = trimmed(text)
    clipped = clip_index(text)
    kept = kept_by_the_rule(whole)
    over = clipped.over_lines or clipped.over_characters
    assert clipped.over_lines == (len(whole.split("\n")) > INDEX_LINES)
    assert clipped.over_characters == (len(whole.encode("utf-16-le", "surrogatepass")) > 2 * INDEX_CHARACTERS)
    assert clipped.characters == len(whole.encode("utf-16-le", "surrogatepass")) // 2
    assert clipped.bytes == len(whole.encode("utf-8", "surrogatepass"))
    assert clipped.lines == (len(whole.split("\n")) if whole else 0)
    assert over == (kept != whole)
    assert clipped.content == whole if not over else clipped.content.startswith(kept + "\n\n> ")
    assert clipped.content[len(kept) :].strip().count("\n") == 0, "one paragraph"
    assert (clipped.cut > 0) == over


@settings(deadline=None)
@given(index_texts)
def test_cut_counts_the_lines_that_are_not_wholly_there(text: str) -> None:
    whole = trimmed(text)
    there = kept_by_the_rule(whole).split("\n")
    pairs = zip(whole.split("\n"), [*there, *[None] * len(whole)], strict=False)
    assert clip_index(text).cut == sum(now != before for before, now in pairs)


def test_limits_themselves_are_not_over() -> None:
    index = clip_index("\n".join(["x" * 124] * INDEX_LINES))
    assert (index.lines, index.characters) == (INDEX_LINES, INDEX_CHARACTERS - 1)
    assert not index.over_lines
    assert not index.over_characters
    assert index.content == "\n".join(["x" * 124] * INDEX_LINES)


def test_too_many_lines_are_named_with_the_first_that_is_missing() -> None:
    index = clip_index("\n".join(f"- [T{number}](t{number}.md)" for number in range(312)))
    warning = index.content.rpartition("\n\n")[2]
    assert index.cut == 112
    assert "312 lines" in warning
    assert "200" in warning
    assert "112 lines" in warning
    assert "- [T200](t200.md)" in warning
    assert "KB" not in warning
    assert "topic files" in warning


def test_long_lines_are_named_by_size_in_units_of_1024() -> None:
    index = clip_index("\n".join(["y" * 299] * 100))
    warning = index.content.rpartition("\n\n")[2]
    assert (index.over_lines, index.over_characters) == (False, True)
    assert "29.3 KB" in warning
    assert "24.4 KB" in warning
    assert "long" in warning
    assert index.cut == 17
    assert f'"{"y" * 80}…"' in warning


def test_both_limits_are_named_together() -> None:
    index = clip_index("\n".join(["z" * 199] * 260))
    warning = index.content.rpartition("\n\n")[2]
    assert "260 lines" in warning
    assert "50.8 KB" in warning
    assert index.content.count("z" * 199) == 125
    assert index.cut == 135


def test_both_tests_look_at_the_original_text() -> None:
    index = clip_index("\n".join(["short"] * 200 + ["w" * 30_000]))
    assert (index.over_lines, index.over_characters) == (True, True)
    assert index.content.startswith("\n".join(["short"] * 200) + "\n\n>")


def test_one_endless_line_is_cut_before_a_pair_not_inside() -> None:
    index = clip_index("x" * (INDEX_CHARACTERS - 1) + "\U0001f600" * 10)
    assert index.content.startswith("x" * (INDEX_CHARACTERS - 1) + "\n\n>")
    assert index.cut == 1
    assert "1 line is missing here, in whole or in part" in index.content


def test_halves_that_were_never_joined_stay_together() -> None:
    index = clip_index("x" * (INDEX_CHARACTERS - 1) + "\ud83d\ude00" * 10)
    assert index.content.startswith("x" * (INDEX_CHARACTERS - 1) + "\n\n>")


def test_a_blank_first_missing_line_is_passed_over() -> None:
    index = clip_index("\n".join(["x"] * 200 + ["", "  ", "- [Late](late.md)"]))
    assert '"- [Late](late.md)"' in index.content


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("", False),
        ("\n".join(["x"] * 159), False),
        ("\n".join(["x"] * 160), True),
        ("x" * 19_999, False),
        ("x" * 20_000, True),
        ("\U0001f600" * 10_000, True),
        ("\n".join(["x"] * 900), True),
    ],
)
def test_writers_are_warned_from_four_fifths_on(text: str, warned: bool) -> None:
    sentence = near_limits(text)
    assert (sentence is not None) == warned
    if sentence:
        assert "of 200 lines" in sentence
        assert "24.4 KB" in sentence


@settings(deadline=None)
@given(index_texts, st.integers(0, 250), st.integers(0, 5_000))
@example("\n" * 3 + "é" * 50, 5, 9)
def test_an_excerpt_fits_and_ends_with_a_line_if_it_can(text: str, max_lines: int, max_bytes: int) -> None:
    excerpt = clip_text(text, max_lines=max_lines, max_bytes=max_bytes)
    rest = text[len(excerpt.text) :]
    assert text.startswith(excerpt.text)
    assert len(excerpt.text.encode("utf-8", "surrogatepass")) <= max_bytes
    assert excerpt.text == "" or excerpt.text.count("\n") < max_lines
    assert excerpt.cut == bool(rest.strip())
    if excerpt.cut and not rest.startswith("\n") and max_lines:
        assert not excerpt.text.rpartition("\n")[0].strip(), "cut inside a line though a line end was there"


@settings(deadline=None)
@given(index_texts, st.integers(1, 250), st.integers(1, 5_000))
def test_an_excerpt_is_as_long_as_it_may_be(text: str, max_lines: int, max_bytes: int) -> None:
    excerpt = clip_text(text, max_lines=max_lines, max_bytes=max_bytes)
    rest = text[len(excerpt.text) :]
    if excerpt.cut and rest.startswith("\n"):
        longer = excerpt.text + "\n" + rest[1:].partition("\n")[0]
        too_long = len(longer.encode("utf-8", "surrogatepass")) > max_bytes
        assert too_long or longer.count("\n") >= max_lines


@pytest.mark.parametrize(
    ("text", "expected", "cut"),
    [
        ("a\nb\n", "a\nb", False),
        ("a\nb\nc", "a\nb", True),
        ("abcdefghijk", "abcdefghij", True),
        ("ééééééé", "ééééé", True),
        ("aaaaaaaaa\U0001f600", "aaaaaaaaa", True),
        ("a\nbbbbbbbbbbbb", "a", True),
        ("", "", False),
    ],
)
def test_excerpts_of_two_lines_and_ten_bytes(text: str, expected: str, cut: bool) -> None:
    excerpt = clip_text(text, max_lines=2, max_bytes=10)
    assert (excerpt.text, excerpt.cut) == (expected, cut)


@given(st.text())
def test_length_in_units_is_what_other_readers_count(text: str) -> None:
    assert utf16_length(text) == sum(2 if character > "\uffff" else 1 for character in text)


@pytest.mark.parametrize(
    ("text", "short", "at_word"),
    [
        ("one two", "one two", "one two"),
        ("one two, three", "one two,…", "one two…"),
        ("onetwothreefour", "onetwoth…", "onetwoth…"),
        ("a twothreefour", "a twothr…", "a twothr…"),
    ],
)
def test_a_shortened_text_ends_with_an_ellipsis_and_fits(text: str, short: str, at_word: str) -> None:
    assert (shorten(text, 9), shorten_at_word(text, 9)) == (short, at_word)
