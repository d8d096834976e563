"""Columns never leave the terminal: what does not fit stands below, is cut, or is wrapped whole."""

import io
from collections.abc import Sequence
from contextlib import redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.cli.output import columns, width

LONG = "it scores 0.570, less than 0.600 of the best, and is older than the one that says the same"
ROWS = [("0.570", "feedback_short-answers.md", "words 11.20", LONG), ("1.000", "user_tabs.md", "-", "shown")]


class Terminal(io.StringIO):
    """What a command takes for a terminal."""

    def isatty(self) -> bool:
        return True


def shown(rows: Sequence[Sequence[str]], wide: int, *, whole: bool = False) -> list[str]:
    """Return the lines that a terminal of that width is sent."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(Terminal()):
        patch.setenv("COLUMNS", str(wide))
        patch.setenv("NO_COLOR", "1")
        return "\n".join(columns(rows, bold=0, whole=whole)).split("\n")


@given(
    st.integers(10, 120),
    st.lists(st.lists(st.text("ab 漢-", max_size=60), min_size=4, max_size=4), min_size=1, max_size=4),
)
def test_no_line_is_wider_than_the_terminal(wide: int, rows: list[list[str]]) -> None:
    assert max(map(width, shown(rows, wide))) <= wide


@pytest.mark.parametrize("wide", [30, 40, 60, 80, 200])
def test_a_whole_text_is_wrapped_and_not_cut(wide: int) -> None:
    lines = shown(ROWS, wide, whole=True)
    assert max(map(len, lines)) <= wide
    assert all(lines)
    assert LONG in " ".join(" ".join(lines).split())


def test_a_path_is_never_broken() -> None:
    path = "/home/somebody/.claude/projects/-home-somebody-a-project-with-a-name/memory"
    assert f"    {path}" in shown([("directory", path)], 40, whole=True)


def test_where_there_is_room_a_row_is_one_line() -> None:
    assert shown([("a", "bb", "c"), ("aaa", "b", "cc")], 80) == ["a    bb  c", "aaa  b   cc"]


def test_without_a_terminal_nothing_is_cut() -> None:
    with redirect_stdout(io.StringIO()):
        first, _ = columns(ROWS)
    assert first.endswith(LONG)


def test_in_a_pipe_columns_are_as_wide_as_the_longest_name() -> None:
    name = "project_release-branch-cut-thursday-2026-11-19.md"
    with redirect_stdout(io.StringIO()):
        first, second, third = columns([(name, "shown"), ("user_tabs.md", "cut"), ("x" * 200, "cut")])
        bare, _ = columns([(name, "shown"), ("user_tabs.md", "cut")])
    assert bare == f"{name}  shown"
    assert first.index("shown") == second.index("cut") == 62, "one very long name moves its own line alone"
    assert third == f"{'x' * 200}  cut"
