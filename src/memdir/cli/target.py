"""Which memory a command works on: what the options before its name say."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memdir.text.value import value_class

if TYPE_CHECKING:
    from memdir.config.world import World
    from memdir.memory import Memory

__all__ = ["WARNINGS", "Target"]

WARNINGS = "memdir.cli.warnings"
"""Where a click context keeps what is wrong with the settings, but not what a project may not set."""


@value_class(frozen=True, slots=True)
class Target:
    """A memory directory named outright, or the project whose memory it is."""

    directory: str | None = None
    cwd: str | None = None
    session: str | None = None
    bare: bool = False
    clock: Callable[[], datetime] | None = None

    def memory(self) -> Memory:
        """Open the memory; what is wrong with the settings that lead to it is noted for a hint."""
        from memdir.build import Options, directory_parts, project_parts  # commands load this, not `--help`
        from memdir.config.world import utc_now, world_in
        from memdir.memory import Memory

        options = Options(bare=self.bare)
        try:
            world = world_in(self.here, os.environ, self.session or "", self.clock or utc_now)
        except FileNotFoundError as error:
            raise click.UsageError(
                "This directory is gone. Change into another, or name one with --cwd."
            ) from error
        if self.directory is not None:
            return Memory(directory_parts(world, _check_directory(self.directory, world), None, options))
        parts = project_parts(world, options)
        if parts.setup and (context := click.get_current_context(silent=True)):
            declined = parts.setup.settings.declined
            context.meta[WARNINGS] = [one for one in parts.setup.warnings if one not in declined]
        return Memory(parts)

    @property
    def here(self) -> str:
        """The directory that paths are relative to."""
        return self.cwd or "."

    def command(self, *words: str) -> str:
        """Return a command line to suggest, which works on this same memory."""
        chosen = {"--directory": self.directory, "--cwd": self.cwd}
        options = [text for option, value in chosen.items() if value is not None for text in (option, value)]
        return shlex.join(["memdir", *options, *words])


def _check_directory(directory: str, world: World) -> str:
    """Return the directory that a person named, unless it is one that holds more than memories."""
    from memdir.config.location import named_directory
    from memdir.config.safe_path import Refused

    path = named_directory(directory, world)
    if not isinstance(path, Refused):
        return path
    raise click.UsageError(
        f"--directory cannot be {directory!r}: {path.because}. Name a folder that holds only memories; --cwd "
        "names a project instead, to work on its memory."
    )
