"""Text is safe to print and fits; moments and paths are those that a person knows."""

import time
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.cli.output import cut, moment, one_line, printable, short_path, width


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


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand where the clock is two hours ahead."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "HERE-2")
        time.tzset()
        yield
    time.tzset()


def test_both_forms_of_a_moment_read_alike() -> None:
    assert moment("2030-12-31T23:30:05Z") == "2031-01-01 01:30 HERE"
    assert moment(datetime(2030, 12, 31, 23, 30, tzinfo=UTC)) == "2031-01-01 01:30 HERE"


def test_no_moment_is_a_dash() -> None:
    assert moment("") == moment(None) == "-"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path.resolve() / "home"
    (folder / "work" / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_below_the_working_directory_it_is_relative(home: Path) -> None:
    project = home / "work" / "project"
    assert short_path(str(project / "docs" / "a.md"), str(project)) == "docs/a.md"


def test_near_the_working_directory_it_is_relative_too(home: Path) -> None:
    assert short_path(str(home / "work" / "a.md"), str(home / "work" / "project")) == "../a.md"


def test_elsewhere_at_home_it_begins_with_a_tilde(home: Path) -> None:
    assert short_path(str(home / ".claude" / "a.md"), str(home / "work" / "project")) == "~/.claude/a.md"


def test_far_away_it_is_whole(home: Path) -> None:
    assert short_path("/etc/a.md", str(home / "work" / "project")) == "/etc/a.md"


def test_a_folder_that_is_a_link_counts_as_what_it_leads_to(home: Path) -> None:
    (home / "link").symlink_to(home / "work" / "project")
    assert short_path(str(home / "work" / "project" / "a.md"), str(home / "link")) == "a.md"


def test_a_name_cannot_steer_the_terminal(home: Path) -> None:
    assert short_path(str(home / "a\x1b[31m\nb.md"), str(home)) == "a\\x1b[31m b.md"
