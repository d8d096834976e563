"""Every failure has one kind, one exit code and a way on; a misspelled name or option is put right."""

from pathlib import Path

import click
import pytest

from memdir import errors
from memdir.cli.app import memdir, run
from memdir.cli.failure import SYNONYMS, failure_of, similar_names
from memdir.errors import (
    Cancelled,
    CapReached,
    Conflict,
    HistoryError,
    LockTimeout,
    MemdirError,
    MemoryOff,
    MissingExtra,
    ModelBusy,
    ModelError,
    ModelRejected,
    ModelReplyError,
    ModelTimeout,
    NoSuchMemory,
    Rejected,
    RemoteError,
    SecretFound,
    StorageError,
)

EXPECTED: list[tuple[Exception, str, int]] = [
    (MemdirError("x"), "error", 1),
    (click.UsageError("x"), "usage", 2),
    (MemoryOff("x"), "off", 3),
    (NoSuchMemory("x"), "no-such-memory", 4),
    (Conflict("x"), "conflict", 5),
    (Rejected("x"), "rejected", 6),
    (SecretFound("x"), "secret", 6),
    (LockTimeout("x"), "locked", 7),
    (StorageError(28, "x"), "storage", 7),
    (HistoryError("x"), "history", 7),
    (RemoteError("x"), "remote", 7),
    *[
        (kind("x"), "model", 8)
        for kind in (ModelError, ModelTimeout, ModelRejected, ModelBusy, ModelReplyError, Cancelled)
    ],
    (CapReached("x"), "cap", 8),
    (MissingExtra("x"), "missing", 8),
    (click.ClickException("x"), "error", 1),
]


@pytest.mark.parametrize(("error", "kind", "code"), EXPECTED, ids=str)
def test_an_error_has_its_kind_and_code(error: Exception, kind: str, code: int) -> None:
    failure = failure_of(error)
    assert (failure.kind, failure.code, failure.message) == (kind, code, "x")


def test_no_error_of_memdir_is_forgotten() -> None:
    tested = {type(error).__name__ for error, _, _ in EXPECTED}
    assert set(errors.__all__) <= tested


def test_a_note_on_an_error_becomes_a_hint() -> None:
    error = Conflict("x")
    error.add_note("Your text is kept; see `memdir history`.")
    assert failure_of(error).shape["error"] == {
        "kind": "conflict",
        "message": "x",
        "hints": ["Your text is kept; see `memdir history`."],
    }


def test_what_the_system_said_names_the_file() -> None:
    assert (
        failure_of(FileNotFoundError(2, "No such file or directory", "a.md")).message
        == "a.md: No such file or directory."
    )


ANSWERS = {
    "list --directory /x": "Put it before the command: memdir --directory ... list",
    "--json list": "No such option '--json'. Put it after the command: memdir list --json",
    "remember x --expires tomorrow": "'tomorrow' is no day. Write one like 2030-12-31.",
    "list --limit 0": "'--limit': 0 does not fit. Write a whole number of 1 or more.",
    "list --limit few": "'--limit': 'few' does not fit. Write a whole number of 1 or more.",
    "search x -C 5000": "Write a whole number from 0 to 1,000.",
    "extract /no/such/file": "Invalid value for 'TRANSCRIPT': ",
    "forgett x": "Did you mean 'forget'?",
}


@pytest.mark.parametrize("words", ANSWERS)
def test_a_mistake_is_told_in_plain_words(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    assert ANSWERS[words] in capsys.readouterr().err


@pytest.mark.parametrize("word", SYNONYMS)
def test_a_command_of_another_program_leads_to_ours(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word]) == 2
    assert f"Did you mean `memdir {SYNONYMS[word]}`?" in capsys.readouterr().err


def test_every_synonym_leads_somewhere_and_hides_nothing() -> None:
    assert {meant for meant in SYNONYMS.values() if not meant.startswith("--")} <= set(memdir.commands)
    assert not set(SYNONYMS) & set(memdir.commands)


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


@pytest.mark.parametrize("words", ["undo payment", "agent prompt payment"])
def test_an_id_or_an_agent_type_is_not_taken_for_a_name(
    words: str, place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*place, *words.split()]) == 4
    assert "Did you mean" not in capsys.readouterr().err


def test_a_memory_that_is_there_is_not_proposed(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*place, "rules", "withdraw", "payment-retries"]) == 4
    assert "Did you mean" not in capsys.readouterr().err


def test_a_part_of_a_name_and_another_case_are_known() -> None:
    assert similar_names("retries", NAMES) == ["payment-retries"]
    assert similar_names("Terse-Replies", NAMES) == ["terse-replies"]


@pytest.mark.parametrize("name", errors.__all__)
def test_an_error_that_names_no_command_is_followed_by_one(name: str) -> None:
    failure = failure_of(getattr(errors, name)("It did not work."))
    told = {"rejected", "secret", "missing", "error", "remote"}  # what to do is what the message says
    assert any("`memdir " in hint for hint in failure.hints) == (failure.kind not in told)
    assert failure_of(getattr(errors, name)("Look at `memdir cost`.")).hints == ()
