"""Marks of Markdown go from a description; identifiers, paths, globs and code keep every character."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text

from memdir.extract.heuristics.drafting import capitalise
from memdir.memories.proposed_names import first_words, propose_description
from memdir.verify.claims.parser import claims_in

WHOLE = [
    "__init__.py holds the version",
    "rich/_cell_widths.py is made by a script",
    "pass **kwargs on",
    "*args and **kwargs stay",
    "def f(*args, **kwargs): all",
    "the __dunder__ stays",
    "snake_case_ and _private",
    "2*3 and 2*3*4",
    "src/**/*.py but not **/*.pyc",
    "*.py, *.md",
    "glob test_*.py and *_test.py",
    "node_modules/**, dist/**",
    "int *p = &x; int **q",
    "list[int] and memdir[mcp]",
    "rename foo_ to _foo_bar",
    "~/.config and ~user",
    "5 * 3 * 2",
    "*a*b*",
]
STRIPPED = [
    ("**Bold** and __Bold too__ and *it* and _it_ and ~~gone~~", "Bold and Bold too and it and it and gone"),
    ("do *not* push, do _not_ merge", "do not push, do not merge"),
    ("***both*** and (*emphasised*)", "both and (emphasised)"),
    ("a **b *c* d** e", "a b c d e"),
    ("`**kwargs` and `__init__`", "**kwargs and __init__"),
    ("**`_cell`** is code", "_cell is code"),
    ("**kwargs is *not* used", "**kwargs is not used"),
    ("**Use `__init__.py`**, not `setup.py`", "Use __init__.py, not setup.py"),
    ("see [the docs](http://x/a_b*c) and [[other-memory]]", "see the docs and other-memory"),
    ("seen <!-- unseen --> here", "seen here"),
]


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_no_emphasis_stays_as_it_is(text: str) -> None:
    assert first_words(text) == text
    assert propose_description(text) == text


@pytest.mark.parametrize(("text", "bare"), STRIPPED)
def test_emphasis_links_and_backticks_go(text: str, bare: str) -> None:
    assert first_words(text) == bare


def test_a_check_looks_for_the_path_that_was_said() -> None:
    described = propose_description("The table in `rich/_cell_widths.py` is **generated**.")
    assert [claim.text for claim in claims_in(described)] == ["rich/_cell_widths.py"]


@given(st.text("ab*_~` \n", max_size=60))
def test_only_marks_are_ever_taken(text: str) -> None:
    assume("```" not in text and "~~~" not in text)  # what stands behind a fence names a language
    kept = iter(text.replace("\n", " "))
    assert all(char in kept for char in first_words(text))
    assert "".join(c for c in first_words(text) if c in "ab") == "".join(c for c in text if c in "ab")


@pytest.mark.parametrize("unit", ["*a _b ", "**", "_", "`", "*a", "[", "[[", "<!--", "~~a "])
def test_the_work_grows_with_the_text_alone(unit: str) -> None:
    assert grows_with_the_text(first_words, unit, 8_000)


@pytest.mark.parametrize(
    ("text", "written"),
    [("the build is red", "The build is red"), ("it's red", "It's red"), ("src/app.py is", "src/app.py is")]
    + [(text, text) for text in ("npm_config is set", "iOS comes first", "v2 ships", "--no-verify is out")],
)
def test_a_sentence_begins_with_a_capital_but_a_name_stays(text: str, written: str) -> None:
    assert capitalise(text) == written
