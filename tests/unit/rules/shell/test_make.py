"""Of a makefile that is known, make runs what the wanted goals and their needs say, with variables put in."""

import pytest

from memdir.rules.shell.invocation import UNKNOWN
from memdir.rules.shell.make import recipes

TEXT = """B = main
.PHONY: all
all: one $(B)
one:
\t@go one
main: ; -go $(B)
other:
\tgo $(C) $@ $${D} \\
\t  more
%.o: %.c
\tgo $<
loud:
\t$(MAKE) one
\t$(shell date) x
"""


def run(*words: str, text: str = TEXT) -> list[str]:
    files = {"Makefile": "all:\n\tgo default\n", "sub/Makefile": "all:\n\tgo below\n", "x.mk": text}
    return recipes(("make", *words), text, lambda path: files.get(path, UNKNOWN))


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        (["-f", "-", "one"], ["go one"]),
        (["-sf", "-", "one"], ["go one"]),
        (["-f-", "main"], ["go main"]),
        (["--file=x.mk", "main", "B=topic"], ["go topic"]),
        (["--makefile", "x.mk", "other"], [f"go {UNKNOWN} {UNKNOWN} ${{D}}  \t  more"]),
        (["-f", "-", "a.o"], [f"go {UNKNOWN}"]),
        (["-f", "-", "nothing.at.all", "-n"], []),
        ([], ["go default"]),
        (["-C", "sub"], ["go below"]),
        (["-C", "elsewhere"], []),
        (["-f", "elsewhere"], []),
        (["-E", "y: ; go y", "y"], ["go y"]),
    ],
)
def test_the_recipes_of_the_goals_are_returned(words: list[str], texts: list[str]) -> None:
    assert [text for text in run(*words) if text and "date" not in text] == texts


def test_without_a_goal_the_first_target_and_its_needs_are_made() -> None:
    assert {*run("-j", "8", "-f", "-")} - {"", ": $(date) x"} == {"go one", "go main"}


def test_what_runs_while_it_is_read_runs_in_any_case() -> None:
    assert run("-f", "-", "-n", text="A := $(shell go a)\nB != go b\n") == [": $(go a)", " go b"]


def test_one_that_is_too_long_is_shown_as_it_is() -> None:
    text = "x:\n" + "\ttrue\n" * 30_000
    assert run("-f", "-", text=text) == [text]


def test_variables_that_mean_themselves_come_to_an_end() -> None:
    text = "A = $(A)$(A)$(A)$(A)\nB = $(C)\nC = $(D)\nD = x\nx:\n\tgo $(A)\n\tgo $(B)\n"
    (shown,) = run("-f", "-", text=text)
    assert shown.endswith("\ngo x")
    assert len(shown) < 2_000
