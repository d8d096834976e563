"""Which memory a command works on: what the options before its name say."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memdir.text.value import value_class

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["Target"]


@value_class(frozen=True, slots=True)
class Target:
    """A memory directory named outright, or the project whose memory it is."""

    directory: str | None = None
    cwd: str | None = None
    session: str | None = None
    bare: bool = False
    clock: Callable[[], datetime] | None = None

    def memory(self) -> Memory:
        """Open the memory."""
        from memdir.config.world import utc_now  # the store is loaded by commands, not by `--help`
        from memdir.memory import Memory

        clock = self.clock or utc_now
        if self.directory is not None:
            place = _check_directory(self.directory)
            return Memory.at(place, session=self.session, bare=self.bare, clock=clock)
        try:
            return Memory.open(self.cwd or ".", session=self.session, bare=self.bare, clock=clock)
        except FileNotFoundError as error:
            raise click.UsageError(
                "This directory is gone. Change into another, or name one with --cwd."
            ) from error

    def warnings(self) -> Sequence[str]:
        """Return what is wrong with the settings that led to this memory, but not what a project may not."""
        from memdir.config.location import resolve
        from memdir.config.world import home_of

        if self.directory is not None:
            return ()
        env, cwd = os.environ, os.path.abspath(self.here)
        setup = resolve(env=env, cwd=cwd, home=home_of(env))
        return [warning for warning in setup.warnings if warning not in setup.settings.declined]

    @property
    def here(self) -> str:
        """The directory that paths are relative to."""
        return self.cwd or "."

    def command(self, *words: str) -> str:
        """Return a command line to suggest, which works on this same memory."""
        chosen = {"--directory": self.directory, "--cwd": self.cwd}
        options = [text for option, value in chosen.items() if value is not None for text in (option, value)]
        return shlex.join(["memdir", *options, *words])


def _check_directory(directory: str) -> str:
    """Return the directory that a person named, unless it is one that holds more than memories."""
    from memdir.config.location import named_directory
    from memdir.config.safe_path import Refused
    from memdir.config.world import home_of

    path = named_directory(directory, env=os.environ, home=home_of(os.environ))
    if not isinstance(path, Refused):
        return path
    raise click.UsageError(
        f"--directory cannot be {directory!r}: {path.because}. Name a folder that holds only memories; --cwd "
        "names a project instead, to work on its memory."
    )
