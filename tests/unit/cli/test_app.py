"""An error speaks of the memory it was asked about, repeats no credential, and a slip in settings is told."""

from pathlib import Path

import pytest

from memdir.cli.app import run

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    words = ["--directory", "notes"]
    for number in range(3):
        assert run([*words, "remember", f"Retry payments {number} times.", "--name", f"x{number}"]) == 0
    capsys.readouterr()
    return words


@pytest.mark.parametrize("words", [["show", TOKEN], ["forget", TOKEN], ["list", "--kind", TOKEN]])
def test_a_credential_in_the_wrong_place_is_not_repeated(
    words: list[str], place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*place, *words]) in {2, 4}
    assert TOKEN not in capsys.readouterr().err
    assert run([*place, *words, "--json"]) in {2, 4}
    assert TOKEN not in "".join(capsys.readouterr())


def test_a_command_that_is_named_works_on_the_same_memory(
    place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*place, "show", "nothing-like-it"]) == 4
    assert "`memdir --directory notes list` shows" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../x1", "/x1", "a/../x1", "~/x1"])
def test_a_path_to_elsewhere_is_no_name(name: str, place: list[str]) -> None:
    assert run([*place, "show", name]) == 4
    assert run([*place, "show", "X1"]) == 0


def test_a_limit_counts_lines_of_memories_too(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*place, "search", "^Retry", "--limit", "2"]) == 0
    shown = capsys.readouterr()
    assert (shown.out.count("Retry"), "1 more line matches" in shown.err) == (2, True)


def test_a_save_says_which_settings_were_passed_over(
    place: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMDIR_DIRECTORY", "rel")
    assert run(["remember", "Prefers tabs."]) == 0
    assert "hint: MEMDIR_DIRECTORY is ignored: it is a relative path." in capsys.readouterr().err
    assert run([*place, "remember", "Prefers tabs."]) == 0
    assert "ignored" not in capsys.readouterr().err


def test_why_says_once_that_a_memory_has_expired(
    place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "Deploys of the shop wait for the freeze of the mobile release."
    assert run([*place, "remember", words, "--name", "freeze", "--expires", "2020-01-01"]) == 0
    assert run([*place, "recall", "Do deploys of the shop wait for the mobile release freeze?"]) == 0
    capsys.readouterr()
    assert run([*place, "why"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "freeze.md" in line]
    assert [row.count("expired 2020-01-01") for row in rows] == [
        1,
        1,
    ]  # as what keeps it back, and in the list
