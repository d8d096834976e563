"""A name that no memory has leads to the one that was meant, in every command that takes a name."""

from pathlib import Path

import pytest

from memdir.cli.app import run
from memdir.cli.similar_names import alike

NAMES = ["payment-retries", "terse-replies", "tabs"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    words = ["--directory", str(tmp_path / "memory")]
    assert run([*words, "remember", "Retry payments thrice.", "--name", "payment-retries"]) == 0
    capsys.readouterr()
    return words


@pytest.mark.parametrize(
    "words",
    ["show X", "forget X", "edit X", "rename X y", "history X", "restore X", "verify X", "why-not X a b"],
)
def test_the_name_that_was_meant_is_proposed(
    words: str, place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*place, *words.replace("X", "paymnet-retries").split()]) == 4
    assert "hint: Did you mean 'payment-retries'?" in capsys.readouterr().err


def test_a_name_like_none_gets_no_proposal(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*place, "show", "zzzz"]) == 4
    assert "Did you mean" not in capsys.readouterr().err


def test_an_id_is_not_taken_for_a_name(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*place, "undo", "payment"]) == 4
    assert "Did you mean" not in capsys.readouterr().err


def test_a_memory_that_is_there_is_not_proposed(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*place, "rules", "withdraw", "payment-retries"]) == 4
    assert "Did you mean" not in capsys.readouterr().err


def test_a_part_of_a_name_and_another_case_are_known() -> None:
    assert alike("retries", NAMES) == ["payment-retries"]
    assert alike("Terse-Replies", NAMES) == ["terse-replies"]
