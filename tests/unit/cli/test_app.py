"""An error speaks of the memory it was asked about, repeats no credential, and a slip in settings is told."""

import pytest

from memdir.cli.app import run

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.mark.parametrize("words", [["show", TOKEN], ["forget", TOKEN], ["list", "--kind", TOKEN]])
def test_a_credential_in_the_wrong_place_is_not_repeated(
    words: list[str], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*options, *words]) in {2, 4}
    assert TOKEN not in capsys.readouterr().err
    assert run([*options, *words, "--json"]) in {2, 4}
    assert TOKEN not in "".join(capsys.readouterr())


def test_a_command_that_is_named_works_on_the_same_memory(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*options, "show", "nothing-like-it"]) == 4
    assert "`memdir --directory notes list` shows" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../x1", "/x1", "a/../x1", "~/x1"])
def test_a_path_to_elsewhere_is_no_name(name: str, options: list[str]) -> None:
    assert run([*options, "show", name]) == 4
    assert run([*options, "show", "X1"]) == 0


def test_a_limit_counts_lines_of_memories_too(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*options, "search", "^Retry", "--limit", "2"]) == 0
    shown = capsys.readouterr()
    assert (shown.out.count("Retry"), "1 more line matches" in shown.err) == (2, True)


def test_a_save_says_which_settings_were_passed_over(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMDIR_DIRECTORY", "rel")
    assert run(["remember", "Prefers tabs."]) == 0
    assert "hint: MEMDIR_DIRECTORY is ignored: it is a relative path." in capsys.readouterr().err
    assert run([*options, "remember", "Prefers tabs."]) == 0
    assert "ignored" not in capsys.readouterr().err


def test_why_says_once_that_a_memory_has_expired(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "Deploys of the shop wait for the freeze of the mobile release."
    assert run([*options, "remember", words, "--name", "freeze", "--expires", "2020-01-01"]) == 0
    assert run([*options, "recall", "Do deploys of the shop wait for the mobile release freeze?"]) == 0
    capsys.readouterr()
    assert run([*options, "why"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "freeze.md" in line]
    assert [row.count("expired 2020-01-01") for row in rows] == [
        1,
        1,
    ]  # as what keeps it back, and in the list
