"""Which memory a command works on: what the options before its name say."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memdir.core.value import value_class

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["Target", "example", "json_option"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


@value_class(frozen=True, slots=True)
class Target:
    """A memory directory named outright, or the project whose memory it is."""

    directory: str | None = None
    cwd: str | None = None
    session: str | None = None

    def memory(self) -> "Memory":
        """Open the memory."""
        from memdir.memory import Memory  # the store is loaded by commands, not by `--help` or `--version`

        if self.directory is not None:
            return Memory.at(self.directory, session=self.session)
        try:
            return Memory.open(self.cwd or ".", session=self.session)
        except FileNotFoundError as error:
            raise click.UsageError(
                "This directory is gone. Change into another, or name one with --cwd."
            ) from error

    @property
    def here(self) -> str:
        """The directory that paths are relative to."""
        return self.cwd or "."

    def command(self, *words: str) -> str:
        """Return a command line to suggest, which works on this same memory."""
        chosen = {"--directory": self.directory, "--cwd": self.cwd}
        options = [text for option, value in chosen.items() if value is not None for text in (option, value)]
        return shlex.join(["memdir", *options, *words])


def json_option(command: _Command) -> _Command:
    """Give a command the option that every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")(
        command
    )


def example(*lines: str) -> str:
    """Return the end of a help text: how the command is typed, kept from being wrapped."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
