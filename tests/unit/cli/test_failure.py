"""Every error memdir raises has its documented exit code, decided in one place."""

import click
import pytest

from memdir import errors
from memdir.cli.failure import failure_of
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
    error.add_note("Your text is kept.")
    assert failure_of(error).shape["error"] == {
        "kind": "conflict",
        "message": "x",
        "hints": ["Your text is kept."],
    }


def test_what_the_system_said_names_the_file() -> None:
    assert (
        failure_of(FileNotFoundError(2, "No such file or directory", "a.md")).message
        == "a.md: No such file or directory."
    )
