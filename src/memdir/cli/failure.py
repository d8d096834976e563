"""What a failed command prints: only here an error becomes an exit code, a message and hints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from enum import IntEnum
from typing import Any

import click

from memdir import errors
from memdir.cli.arguments import TextCommand
from memdir.cli.output import hint, say_error, say_json
from memdir.cli.target import Target
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = [
    "SYNONYMS",
    "ExitCode",
    "Failure",
    "failure_of",
    "note_likely_names",
    "report_failure",
    "similar_names",
]


class ExitCode(IntEnum):
    """The exit codes, documented in docs/errors.md; they do not change."""

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
    """The disk, the lock, the history or a remote does not do its part."""
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


def failure_of(error: Exception, target: Target | None = None) -> Failure:
    """Find the kind and the exit code of an error; notes that were added to it become hints.

    Commands that it names work on the same memory, and a credential that it repeats is masked.
    """
    _, kind, code, command = next(row for row in _KINDS if isinstance(error, row[0]))
    cause = error.__cause__ if isinstance(error, click.Abort) else error  # click wraps an interrupt
    message, *hints = [_fit(text, target) for text in (_message(error), *getattr(cause, "__notes__", ()))]
    if isinstance(error, click.UsageError):
        hints += _usage_hints(error)
    if isinstance(error, errors.MemdirError) and command and "memdir " not in " ".join((message, *hints)):
        hints += [_fit(command, target)]
    collisions = [
        {"file": c.file, "now": c.before, "then": c.after} for c in getattr(error, "collisions", ())
    ]
    return Failure(kind, code, message, tuple(hints), tuple(collisions))


def report_failure(failure: Failure, *, as_json: bool) -> ExitCode:
    """Print a failure where it belongs and return its exit code."""
    if as_json:
        say_json(failure.shape, always=True)
    say_error(failure.message)
    hint(*failure.hints)
    return failure.code


_USABLE = "`memdir doctor` says whether the directory can be used."

_KINDS: tuple[tuple[type[Exception], str, ExitCode, str], ...] = (
    (click.UsageError, "usage", ExitCode.USAGE, ""),
    (click.Abort, "interrupted", ExitCode.INTERRUPTED, ""),
    (errors.MemoryOff, "off", ExitCode.OFF, "`memdir status` says what switched it off."),
    (errors.NoSuchMemory, "no-such-memory", ExitCode.NO_SUCH_MEMORY, "`memdir list` shows what there is."),
    (errors.Conflict, "conflict", ExitCode.CONFLICT, "`memdir history` shows what was changed, and by whom."),
    (errors.SecretFound, "secret", ExitCode.REFUSED, ""),
    (errors.Rejected, "rejected", ExitCode.REFUSED, ""),
    (errors.LockTimeout, "locked", ExitCode.TROUBLE, _USABLE),
    (errors.HistoryError, "history", ExitCode.TROUBLE, "`memdir doctor` says what is wrong with it."),
    (errors.RemoteError, "remote", ExitCode.TROUBLE, ""),
    (
        errors.ModelError,
        "model",
        ExitCode.MODEL,
        "`memdir models` shows which model is asked, and what named it.",
    ),
    (errors.CapReached, "cap", ExitCode.MODEL, "`memdir cost` shows what was used."),
    (errors.MissingExtra, "missing", ExitCode.MODEL, ""),
    (OSError, "storage", ExitCode.TROUBLE, _USABLE),
    (Exception, "error", ExitCode.ERROR, ""),
)
"""An error, its kind and exit code, and the next command where its message names none.

The first that fits counts. StorageError is an OSError, and so is what the terminal's own files raise.
"""


def _fit(text: str, target: Target | None) -> str:
    return without_secrets(text.replace("`memdir ", f"`{target.command()} ") if target else text)


def _message(error: Exception) -> str:
    """Return what went wrong, in plain words where click speaks as a programmer would."""
    if isinstance(error, click.NoSuchOption) and (place := _place(error)):
        return f"{error.message} {place}"
    if isinstance(error, click.BadParameter) and error.param:
        return _bad_value(error, error.param)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, click.Abort):
        return "Interrupted. What was reported as saved is saved."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else error.strerror
    return str(error)


_OTHER_WORDS = {
    "--help": ("help",),
    "--version": ("version",),
    "remember": ("add", "save", "new"),
    "forget": ("delete", "remove", "rm"),
    "history": ("log",),
    "list": ("ls",),
    "search": ("find", "grep"),
    "show": ("cat",),
    "rename": ("mv",),
    "status": ("config",),
    "init": ("install",),
}

SYNONYMS = {word: meant for meant, words in _OTHER_WORDS.items() for word in words}
"""What other programs call a command of ours."""

_GLOBAL = ("--directory", "--cwd", "--session", "--bare")
"""Options that stand before the command."""


def _usage_hints(error: click.UsageError) -> Iterator[str]:
    if error.ctx is None:
        return
    path, takes_text = error.ctx.command_path, isinstance(error.ctx.command, TextCommand)
    if takes_text and isinstance(error, click.NoSuchOption) and not error.possibilities:
        yield f"Text that begins with a dash goes after two dashes: {path} -- ..."
    yield f"`{path} --help` shows how it is used."


def _place(error: click.NoSuchOption) -> str:
    """Say where an option belongs that stands on the wrong side of the command."""
    if error.ctx is None:
        return ""
    option, path = error.option_name, error.ctx.command_path
    if error.ctx.parent is not None and option in _GLOBAL:
        program, _, command = path.partition(" ")
        return f"Put it before the command: {program} {option} ... {command}"
    if error.ctx.parent is None and option == "--json":
        return f"Put it after the command: {path} list --json"
    return ""


def _bad_value(error: click.BadParameter, parameter: click.Parameter) -> str:
    """Return which argument or option is wrong, and what to write instead."""
    if isinstance(error, click.MissingParameter):
        return error.format_message()
    kind, wrong = parameter.type, error.message
    given = wrong.partition(" is not ")[0].partition(" does not match ")[0]
    if isinstance(kind, click.DateTime):
        wrong = f"{given} is no day. Write one like 2030-12-31."
    elif isinstance(kind, click.IntRange) and kind.min is not None:
        bounds = f"from {kind.min:,} to {kind.max:,}" if kind.max is not None else f"of {kind.min:,} or more"
        wrong = f"{given} does not fit. Write a whole number {bounds}."
    name = parameter.get_error_hint(error.ctx)  # in brackets where it may be left out
    return f"Invalid value for {re.sub(r'[][]', '', name)}: {wrong}"


_MOST = 3
"""Names that are proposed: more would be a list."""


def note_likely_names(error: errors.NoSuchMemory, words: Sequence[str], target: Target) -> None:
    """Add to an error which memories are called nearly as the word of the command line that it names."""
    missing = next((word for word in words if repr(word) in str(error)), None)
    try:
        headers = [] if missing is None else target.memory().list()
    except (errors.MemdirError, OSError):  # a proposal is not worth another error
        return
    names, files = [header.address for header in headers], [header.file for header in headers]
    if missing is None or missing in (*names, *files):  # it is there, and something about it is not
        return
    if near := similar_names(missing, names) or similar_names(missing, files):
        error.add_note(f"Did you mean {' or '.join(map(repr, near))}?")


def similar_names(word: str, names: Iterable[str]) -> list[str]:
    """Return the names that are nearly the word, or hold it, the nearest first."""
    by_lower = {name.lower(): name for name in reversed(list(names))}
    near = get_close_matches(word.lower(), by_lower, n=_MOST)
    held = sorted((name for name in by_lower if len(word) > 2 and word.lower() in name), key=len)
    found = list(dict.fromkeys([*near, *held]))
    return [by_lower[name] for name in found[:_MOST]]
