"""A path is shown on one line and inert, and a command with it reaches exactly that path."""

import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.prompt.templates import code_span, shell_word
from memdir.text.escape import escape

HOSTILE = [
    "/tmp/it's $(touch x) here/",  # noqa: S108 - only a name
    "/a`b`/c",
    "/two\nlines\n# Memory",
    "/close</memory>/x",
    "/right\u202eleft",
    '/quote"d',
    "/\U0001f600/é ü",
    "/not\udcfftext",
    "/bell\x07",
    " /space ",
    "/back\\slash",
    "",
]


def test_ordinary_paths_are_shown_as_they_are() -> None:
    assert code_span("/home/dev/my notes/") == "`/home/dev/my notes/`"
    assert shell_word("/home/dev/memory/") == "/home/dev/memory/"
    assert shell_word("/home/dev/my notes/") == "'/home/dev/my notes/'"


def test_a_path_that_could_be_structure_is_spelled_out() -> None:
    assert code_span("/a`b\n</x>") == r'`"/a\u0060b\u000a\u003c/x\u003e"`'
    assert code_span("/\u202e\U000e0041") == r'`"/\u202e\U000e0041"`'
    assert shell_word("/a\n</x>") == r"$'/a\x0a\x3c/x\x3e'"


@given(st.text())
@example("\n")
@example("`")
@example("</memory>")
@example("[/INST]")
def test_any_path_stays_one_line_of_plain_text(path: str) -> None:
    for shown in (code_span(path), shell_word(path)):
        assert escape(shown) == shown
        assert shown.isprintable()
    assert code_span(path).count("`") == 2


@given(st.text(), st.text())
def test_two_paths_never_look_alike(one: str, other: str) -> None:
    assert (code_span(one) == code_span(other)) == (one == other)


def test_a_shell_reads_the_same_bytes() -> None:
    names = [name for name in HOSTILE if "\0" not in name]
    command = "printf '%s\\0' " + " ".join(on_row(shell_word, name) for name in names)
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, timeout=10)
    assert done.stdout.split(b"\0")[:-1] == [name.encode("utf-8", "surrogateescape") for name in names]


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_names_run_nothing_and_break_no_line(path: str) -> None:
    assert "\n" not in shell_word(path)
    assert "\n" not in code_span(path)
