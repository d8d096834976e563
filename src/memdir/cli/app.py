"""The command line as a whole: its global options, its commands, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from itertools import chain, takewhile
from typing import Any

import click

from memdir.cli.arguments import example, flag, option
from memdir.cli.failure import SYNONYMS, ExitCode, failure_of, note_likely_names, report_failure
from memdir.cli.output import hint, steady_streams
from memdir.cli.target import WARNINGS, Target
from memdir.errors import MemdirError, NoSuchMemory

__all__ = ["GROUPS", "memdir", "run"]


GROUPS = {
    "Start here": ("demo", "init", "status", "ui", "uninstall"),
    "Memories": ("remember", "forget", "recall", "search", "list", "show", "edit", "rename", "index"),
    "Recall explained": ("why", "why-not", "stats", "verify"),
    "What a model is told": ("instructions", "rules", "prompt", "context"),
    "Kept up by itself": ("extract", "dream", "notes", "inbox"),
    "What was done": ("history", "diff", "undo", "restore"),
    "Shared and moved": ("sync", "team", "agent", "adopt", "import", "export"),
    "Health and cost": ("doctor", "cost", "models", "eval"),
    "The hub": ("serve", "hub"),
    "Started by agents": ("mcp", "hook"),
}
"""The commands as the help groups them."""

_MODULES = {
    "background.jobs": ("extract", "dream", "notes", "inbox"),
    "health.doctor": ("status", "doctor"),
    "health.models": ("cost", "models", "eval"),
    "hub.administration": ("serve", "hub"),
    "memories.edit": ("edit",),
    "memories.history": ("history", "diff", "undo", "restore"),
    "memories.recall": ("recall", "why", "why-not", "stats", "verify"),
    "memories.remember": ("remember", "forget", "rename"),
    "memories.show": ("search", "list", "show", "index"),
    "prompt.context": ("prompt", "context"),
    "prompt.instructions": ("instructions", "rules"),
    "setup.demo": ("demo", "ui"),
    "setup.hosts": ("init", "uninstall", "mcp", "hook"),
    "sharing.sync": ("sync", "team"),
    "sharing.transfer": ("agent", "adopt", "import", "export"),
}
"""The modules in `commands`, each with its commands."""

_WHERE = {name: module for module, names in _MODULES.items() for name in names}

_WORDS = "memdir.words"
"""Under which click's context keeps the words after the command."""

_NO_NAMES = ("why", "diff", "undo", "inbox", "agent")
"""Commands that take an id or the name of an agent type: no memory is meant."""


_WRITES = ("remember", "forget", "edit", "rename", "restore", "undo", "extract", "dream", "adopt", "import")
"""Commands that change memories: whoever meant another directory wants to know at once."""


class _LazyCommands(Mapping[str, click.Command]):
    """The commands by name; each is imported when it is asked for, so that a start pays for one of them."""

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"memdir.cli.commands.{_WHERE[name]}")
        return next(
            one for one in vars(module).values() if isinstance(one, click.Command) and one.name == name
        )

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(GROUPS.values())

    def __len__(self) -> int:
        return len(_WHERE)


class _CommandGroup(click.Group):
    """Commands whose reader may leave early, and whose help lists them in the order of use."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; when nobody reads its output any more, end quietly."""
        try:
            done = super().invoke(ctx)
        except BrokenPipeError:
            ctx.exit(ExitCode.READER_GONE)
        except NoSuchMemory as error:
            note_likely_names(error, ctx.meta.get(_WORDS, ()), ctx.obj)
            raise
        if ctx.invoked_subcommand in _WRITES and not done:
            hint(*ctx.meta.get(WARNINGS, ()))  # which settings were passed over
        return done

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and note the words that follow it: one may be a misspelled name."""
        ctx.meta[_WORDS] = args[1:] if args[0] not in _NO_NAMES else []
        if args[0] not in self.commands and (meant := SYNONYMS.get(args[0])):
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean `memdir {meant}`?", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names as they were added."""
        return list(self.commands)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by group, in the order of use."""
        width = max(map(len, _WHERE))
        for title, names in GROUPS.items():
            room = formatter.width - 6 - width
            rows = [(name.ljust(width), self.commands[name].get_short_help_str(room)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(
    cls=_CommandGroup,
    commands=_LazyCommands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example('memdir remember "Deploys go out on Tuesdays only."', "memdir list"),
)
@option(
    "--directory",
    "Work on this memory directory, whatever the settings say; the first save makes it.",
    metavar="DIR",
    type=click.Path(file_okay=False, readable=False),  # the doctor says more about one that is not readable
)
@option(
    "--cwd",
    "Work on the memory of the project in DIR instead of the one here.",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
)
@option("--session", "The conversation that a change or a recall belongs to.", metavar="ID")
@flag("--bare", "Work without memory, as a host in bare mode does.")
@click.version_option(package_name="memdir", message="%(prog)s %(version)s")
@click.pass_context
def memdir(
    context: click.Context, directory: str | None, cwd: str | None, session: str | None, *, bare: bool
) -> None:
    """Keep what an AI agent should remember, as plain Markdown files."""
    if directory is not None and not directory.strip():  # as an unset variable in a script leaves it
        raise click.UsageError("--directory is empty. Name a directory.", context)
    if directory is not None and cwd is not None:
        raise click.UsageError("--directory and --cwd exclude each other. Give one of them.", context)
    context.obj = Target(directory, cwd, session, bare, context.obj)


def run(arguments: Sequence[str], clock: Callable[[], datetime] | None = None) -> int:
    """Answer one command line, at the time of a clock or now, and return its exit code."""
    steady_streams()
    try:
        code = memdir.main(list(arguments), prog_name="memdir", standalone_mode=False, obj=clock)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return ExitCode.USAGE
    except (click.ClickException, click.Abort, MemdirError, OSError) as error:
        words = list(arguments)  # looked at themselves: they may be what could not be understood
        as_json = "--json" in takewhile(lambda word: word != "--", words)
        with memdir.make_context("memdir", words, resilient_parsing=True) as context:
            target = Target(context.params.get("directory"), context.params.get("cwd"))
        return report_failure(failure_of(error, target), as_json=as_json)
    return code if isinstance(code, int) else ExitCode.OK
