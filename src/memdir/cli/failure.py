"""What a failed command tells: the one place that turns errors into exit codes."""

from enum import IntEnum
from typing import Any

import click

from memdir.cli.output import hint, say_error, say_json
from memdir.cli.target import Target
from memdir.cli.usage_error import usage_hints, usage_message
from memdir.errors import (
    CapReached,
    Conflict,
    HistoryError,
    LockTimeout,
    MemoryOff,
    MissingExtra,
    ModelError,
    NoSuchMemory,
    Rejected,
    SecretFound,
)
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = ["ExitCode", "Failure", "failure_of", "tell"]


_HERE = Target()


class ExitCode(IntEnum):
    """The exit codes, documented in docs/cli.md; they do not change."""

    OK = 0
    ERROR = 1
    """Doctor or init found a problem, a script's question is answered with no, or something failed that has
    no code of its own."""
    USAGE = 2
    OFF = 3
    NO_SUCH_MEMORY = 4
    CONFLICT = 5
    REFUSED = 6
    TROUBLE = 7
    """The disk, the lock or the history does not do its part."""
    MODEL = 8
    """A model does not answer, may not be asked, or is not installed."""
    INTERRUPTED = 130
    """128 + 2, as shells report an interrupt."""
    READER_GONE = 141
    """128 + 13, as shells report a program that wrote into a closed pipe."""


@value_class(frozen=True, slots=True)
class Failure:
    """One error as people, programs and shells see it."""

    kind: str
    code: ExitCode
    message: str
    hints: tuple[str, ...] = ()
    collisions: tuple[dict[str, str | None], ...] = ()

    @property
    def shape(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        shape: dict[str, Any] = {"kind": self.kind, "message": self.message, "hints": list(self.hints)}
        if self.collisions:
            shape["collisions"] = list(self.collisions)
        return {"error": shape}


def failure_of(error: Exception, target: Target = _HERE) -> Failure:
    """Find the kind and the exit code of an error; notes that were added to it become hints.

    Commands that it names work on the same memory, and a credential that it repeats is masked.
    """
    kind, code = next(answer for cause, answer in _ANSWERS if isinstance(error, cause))
    message, *notes = [_fit(text, target) for text in (_message(error), *_notes(error))]
    hints = (*notes, *(usage_hints(error) if isinstance(error, click.UsageError) else ()))
    collisions = ({"file": c.file, "now": c.now, "then": c.then} for c in getattr(error, "collisions", ()))
    return Failure(kind, code, message, hints, tuple(collisions))


def tell(failure: Failure, *, as_json: bool) -> ExitCode:
    """Print a failure where it belongs and return its exit code."""
    if as_json:
        say_json(failure.shape)
    say_error(failure.message)
    for text in failure.hints:
        hint(text)
    return failure.code


_ANSWERS: tuple[tuple[type[Exception], tuple[str, ExitCode]], ...] = (
    (click.UsageError, ("usage", ExitCode.USAGE)),
    (click.Abort, ("interrupted", ExitCode.INTERRUPTED)),
    (MemoryOff, ("off", ExitCode.OFF)),
    (NoSuchMemory, ("no-such-memory", ExitCode.NO_SUCH_MEMORY)),
    (Conflict, ("conflict", ExitCode.CONFLICT)),
    (SecretFound, ("secret", ExitCode.REFUSED)),
    (Rejected, ("rejected", ExitCode.REFUSED)),
    (LockTimeout, ("locked", ExitCode.TROUBLE)),
    (HistoryError, ("history", ExitCode.TROUBLE)),
    (ModelError, ("model", ExitCode.MODEL)),
    (CapReached, ("cap", ExitCode.MODEL)),
    (MissingExtra, ("missing", ExitCode.MODEL)),
    (OSError, ("storage", ExitCode.TROUBLE)),
    (Exception, ("error", ExitCode.ERROR)),
)
"""The first that fits counts; StorageError is an OSError, and so is what the terminal's own files raise."""


def _fit(text: str, target: Target) -> str:
    return without_secrets(text.replace("`memdir ", f"`{target.command()} "))


def _message(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        return usage_message(error)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, click.Abort):
        return "Interrupted. What was reported as saved is saved."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else error.strerror
    return str(error)


def _notes(error: Exception) -> tuple[str, ...]:
    """Return what was added to an error on its way here; click wraps an interrupt in one of its own."""
    cause = error.__cause__ if isinstance(error, click.Abort) else error
    return tuple(getattr(cause, "__notes__", ()))
