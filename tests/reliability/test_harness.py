"""The harness itself can fail: it notices what is lost, torn, doubled or left behind."""

import os

from tests.reliability.harness.figure import Figure, not_run
from tests.reliability.harness.inspection import (
    leftover_files,
    pointer_problems,
    text_problems,
    view_problems,
)
from tests.reliability.harness.marked_bodies import body_of, mark_in
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.killed_writer import SCRIPTS, Script, template


def whole_place(folder: str) -> Place:
    return template(Script("survey", SCRIPTS[1].before, ()), os.path.join(folder, "place"))


def test_a_sound_directory_has_no_problems() -> None:
    with scratch() as folder:
        place = whole_place(folder)
        expected = {"alpha": {"alpha/2"}, "beta": {"beta/1"}, "gamma": {"gamma/1"}}
        assert text_problems(place.memory(), expected) == []
        assert (
            view_problems(place.memory()) == pointer_problems(place.directory) == leftover_files(place) == []
        )


def test_lost_torn_doubled_and_stray_things_are_noticed() -> None:
    with scratch() as folder:
        place = whole_place(folder)
        os.truncate(place.full("reference_alpha.md"), 300)
        os.unlink(place.full("reference_beta.md"))
        with open(place.full("MEMORY.md"), "a", encoding="utf-8") as file:
            file.write("- [Gamma](reference_gamma.md)\n")
        with open(place.full(".memdir-tmp-1"), "w", encoding="utf-8"):
            pass
        found = text_problems(place.memory(), {"alpha": {"alpha/2"}, "beta": {"beta/1"}})
        assert found == [
            "alpha is 'torn' instead of ['alpha/2']",
            "beta is 'not there' instead of ['beta/1']",
            "gamma was never saved",
        ]
        assert len(pointer_problems(place.directory)) == 2
        assert leftover_files(place) == ["litter: memory/.memdir-tmp-1"]


def test_a_mixed_text_is_not_whole() -> None:
    text = f"---\nname: a\n---\n\n{body_of('a', 1)}\n"
    assert mark_in(text) == "a/1"
    assert mark_in(text.replace("Line 3 of a/1", "Line 3 of a/2")) == ""
    assert mark_in(text[:-20]) == ""


def test_a_figure_says_what_failed_and_what_was_not_run() -> None:
    assert Figure("a", "1 of 1").verdict == "ok"
    assert Figure("a", "1 of 1", ["lost"]).verdict.startswith("FAILED (1 problems)")
    assert not_run("a", "needs root").verdict == "not run: needs root"
