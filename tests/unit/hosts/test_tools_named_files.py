"""The files that a text names are found however they are written, and nothing else is."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.hosts.tools import named_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "sub d").mkdir()
    for name in ("a.py", "sub d/b.md", "Makefile"):
        (tmp_path / name).write_text("x")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@a.py", ["a.py"]),
        ("see a.py.", ["a.py"]),
        ("is it a.py? or ./a.py:12:3", ["a.py", "./a.py"]),
        ("@a.py#L3-9, (a.py)", ["a.py"]),
        ('`a.py` "sub d/b.md"', ["a.py", "sub d/b.md"]),
        ("cat sub\\ d/b.md", ["sub d/b.md"]),
        ("head -3 'sub d/b.md'|wc", ["sub d/b.md"]),
        ("sed -n 1,9p a.py>out;make -f Makefile", ["a.py", "Makefile"]),
        ("a.py a.py @a.py", ["a.py"]),
        ("me@a.py none.py sub d/ .. / \0", []),
        ("", []),
    ],
)
def test_files_are_found_however_they_are_written(tree: Path, text: str, names: list[str]) -> None:
    assert named_files(text, str(tree)) == [os.path.join(tree, name) for name in names]


def test_only_so_many_words_are_looked_up(tree: Path) -> None:
    assert named_files(" ".join(map(str, range(2_000))) + " a.py", str(tree)) == []


HERE, THIS = os.path.split(os.path.abspath(__file__))
PARTS = (
    THIS,
    "none.py",
    "..",
    ".",
    "/",
    "\\ ",
    " ",
    "\n",
    '"',
    "'",
    "`",
    "@",
    ":3",
    "#L3",
    "?",
    "\0",
    "\ud800",
)


@given(st.lists(st.sampled_from(PARTS), max_size=20).map("".join) | st.text(max_size=80))
def test_of_any_text_only_files_that_exist_are_found_and_each_once(text: str) -> None:
    found = named_files(text, HERE)
    assert found == list(dict.fromkeys(filter(os.path.isfile, found)))
