"""What manifests define as commands is read from all of them, and a broken one defines none."""

import pytest
from tests.growth import grows_with_the_text

from memdir.verify.claims.scripts import lost_words, scripts_in


def test_braces_in_the_names_of_environments_are_expanded_within_bounds() -> None:
    assert set(scripts_in("[testenv:{a,b}-{x,y}]\n", "tox")) == {"a-x", "a-y", "b-x", "b-y"}
    assert scripts_in(f"[testenv:{'{a,b}' * 50_000}]\n", "tox") == {}
    assert len(scripts_in(f"[testenv:{'{a,b}' * 20}]\n", "tox")) == 300


def test_scripts_are_read_from_every_manifest() -> None:
    assert scripts_in('{"scripts": {"build": "vite"}}', "package") == {"build": "vite"}
    assert scripts_in("a: b\n\tcc x\n\nV := 1\nb:\n\techo\n", "make") == {"a": "b\ncc x", "b": "echo"}
    assert scripts_in("go version: test\n    tool {{version}}\n", "just") == {"go": "test\ntool {{version}}"}
    assert scripts_in('[project.scripts]\nx = "a:b"\n', "python") == {"x": "a:b"}
    assert scripts_in('[alias]\nx = ["run", "-p", "x"]\n', "cargo") == {"x": "run -p x"}


@pytest.mark.parametrize("text", ["{", "[]", '{"scripts": 3}', '{"scripts": []}', "= =", "[[[" * 9999])
@pytest.mark.parametrize("runner", ["package", "make", "just", "python", "cargo"])
def test_a_broken_manifest_defines_nothing(text: str, runner: str) -> None:
    assert scripts_in(text, runner) == {}


def test_a_script_that_lost_a_word_does_something_else() -> None:
    assert lost_words("jest", "vitest run") == ["jest"]
    assert lost_words("eslint src", "eslint src --max-warnings 0") == []
    assert lost_words("pytest -q tests", "pytest -n 2 tests") == []
    assert lost_words("tool --env=staging", "tool --env=production") == ["staging"]
    assert lost_words("tool --env staging", "tool --env production") == ["staging"]


def test_a_script_that_names_a_folder_in_place_of_all_files_does_what_it_did() -> None:
    assert lost_words("mypy --strict .", "mypy --strict server") == []
    assert lost_words("staticcheck ./...", "staticcheck ./internal/...") == []
    assert lost_words("mypy .", "pyright .") == ["mypy"]


def test_a_recipe_may_have_parameters_with_defaults() -> None:
    text = """\
stage := "a:b"
export URL := 'http://x:1'
alias w := watch
watch dir="a:b" +rest='': prepare
    entr {{dir}}
prepare mode=`uname` level=(stage + ":"):
    true
"""
    assert scripts_in(text, "just") == {"watch": "prepare\nentr {{dir}}", "prepare": "\ntrue"}


@pytest.mark.parametrize("unit", ["a", "a ", "./a/", "a:=", "a:\n"])
def test_a_long_line_of_a_makefile_costs_no_more_than_its_length(unit: str) -> None:
    assert grows_with_the_text(lambda text: scripts_in(text, "make"), unit, 60_000)
