"""What is said about a command line that was not understood: plain words, and where a word belongs."""

import click

from memdir.cli.arguments import TextCommand

__all__ = ["SYNONYMS", "usage_hints", "usage_message"]

SYNONYMS = {
    "help": "--help",
    "version": "--version",
    "add": "remember",
    "save": "remember",
    "new": "remember",
    "delete": "forget",
    "remove": "forget",
    "rm": "forget",
    "log": "history",
    "ls": "list",
    "find": "search",
    "grep": "search",
    "cat": "show",
    "mv": "rename",
    "config": "status",
    "install": "init",
}
"""What other programs call a command of ours."""

_GLOBAL = ("--directory", "--cwd", "--session", "--bare")
"""Options that stand before the command."""


def usage_message(error: click.UsageError) -> str:
    """Return what was wrong with a command line."""
    if isinstance(error, click.NoSuchOption) and (place := _place(error)):
        return f"{error.message} {place}"
    if (
        isinstance(error, click.BadParameter)
        and not isinstance(error, click.MissingParameter)
        and error.param
    ):
        return f"Invalid value for {_parameter(error.param, error.ctx)}: {_correction(error, error.param)}"
    return error.format_message()


def usage_hints(error: click.UsageError) -> tuple[str, ...]:
    """Return where to read on."""
    if error.ctx is None:
        return ()
    path = error.ctx.command_path
    is_text = isinstance(error, click.NoSuchOption) and not error.possibilities
    is_text = is_text and isinstance(error.ctx.command, TextCommand)
    dashes = (f"Text that begins with a dash goes after two dashes: {path} -- ...",) if is_text else ()
    return (*dashes, f"`{path} --help` shows how it is used.")


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


def _parameter(parameter: click.Parameter, context: click.Context | None) -> str:
    """Return its name in quotes; the brackets around one that may be left out are not part of it."""
    return parameter.get_error_hint(context).replace("[", "").replace("]", "")


def _correction(error: click.BadParameter, parameter: click.Parameter) -> str:
    """Return what to write instead, where click speaks as a programmer would."""
    kind = parameter.type
    given = error.message.partition(" is not ")[0].partition(" does not match ")[0]
    if isinstance(kind, click.DateTime):
        return f"{given} is no day. Write one like 2030-12-31."
    if isinstance(kind, click.IntRange) and kind.min is not None:
        bounds = f"from {kind.min:,} to {kind.max:,}" if kind.max is not None else f"of {kind.min:,} or more"
        return f"{given} does not fit. Write a whole number {bounds}."
    return error.message
