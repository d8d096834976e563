"""How commands are made, and what they share: text with dashes, names that shells complete, ids, --json."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from memdir.cli.output import one_line, show_progress
from memdir.cli.target import Target
from memdir.errors import Rejected

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from memdir.memory import Memory

__all__ = [
    "TextCommand",
    "command",
    "completed_argument",
    "example",
    "flag",
    "group",
    "id_argument",
    "limit_option",
    "name_argument",
    "option",
    "piped_data",
    "port_option",
    "yes_flag",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MARK = "\0"
"""Before a word that is no option though it begins with a dash: no word of a command line can hold it."""


class TextCommand(click.Command):
    """A command that takes text: "- one point" and "-- so" are text, because no option has a blank in it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words with such text kept from being taken for options."""
        options = {spelling for parameter in self.get_params(ctx) for spelling in parameter.opts}
        rest = super().parse_args(ctx, [_MARK + word if _is_text(word, options) else word for word in args])
        ctx.params = {name: _remove_mark(value) for name, value in ctx.params.items()}
        return rest


def command(
    *examples: str, of: click.Group | None = None, name: str | None = None, doing: str = "", **how: Any
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Make a command with --json: its function is given the target and may return an exit code.

    What it is doing is shown while it runs, until it prints something.
    """

    def decorate(function: Callable[..., int | None]) -> click.Command:
        @wraps(function)
        def run(*, as_json: bool, **given: Any) -> int | None:
            del as_json  # `wants_json` says it
            context = click.get_current_context()
            if context.invoked_subcommand:
                return None
            with show_progress(doing):
                return function(context.obj, **given)

        maker = of.command if of else click.command
        made = maker(name, epilog=example(*examples), **how)(run)
        made.params.append(click.Option(["--json", "as_json"], is_flag=True, help=_JSON))
        return made

    return decorate


_JSON = "Print one JSON object instead of text."


def group(*examples: str, doing: str = "") -> Callable[[Callable[..., int | None]], click.Group]:
    """Make a group of commands that itself runs where none of these is named."""
    made = command(*examples, doing=doing, cls=click.Group, invoke_without_command=True)
    return cast("Callable[[Callable[..., int | None]], click.Group]", made)


def option(names: str, text: str, **how: Any) -> Callable[[_Command], _Command]:
    """Give a command an option: its names as click takes them, and its help."""
    return click.option(*names.split(), help=text, **how)


def flag(names: str, text: str, **how: Any) -> Callable[[_Command], _Command]:
    """Give a command an option that takes no value."""
    return option(names, text, is_flag=True, **how)


limit_option = option("--limit", "Only the newest so many.", type=click.IntRange(min=1))

yes_flag = flag("--yes", "Do not ask.")


def name_argument(*parameter: str, **how: Any) -> Callable[[_Command], _Command]:
    """Give a command an argument that is a memory's name, which shells complete."""

    def names(memory: Memory) -> Iterable[tuple[str, str]]:
        return ((header.address, header.description) for header in memory.list())

    return completed_argument(*parameter, words=names, **how)


def completed_argument(
    *parameter: str, words: Callable[[Memory], Iterable[tuple[str, str]]], **how: Any
) -> Callable[[_Command], _Command]:
    """Give a command an argument that shells complete, from words of the memory with what each means."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        given = context.find_root().params
        try:
            known = list(words(Target(given.get("directory"), given.get("cwd")).memory()))
        except Exception:  # noqa: BLE001 - a person who presses a key wants words or nothing
            return []
        found = [(word, meaning) for word, meaning in known if word.startswith(begun)]
        return [CompletionItem(one_line(word), help=one_line(meaning)) for word, meaning in found]

    return click.argument(*parameter, shell_complete=complete, **how)


def port_option(names: str, text: str, **how: Any) -> Callable[[_Command], _Command]:
    """Give a command an option that is a port."""
    return option(names, text, metavar="PORT", type=click.IntRange(0, 65535), **how)


def id_argument(command: _Command) -> _Command:
    """Give a command the id that may be left out; an empty one is rather a shell variable that is not set."""

    def not_empty(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value == "":
            raise click.UsageError("The ID is empty. Name one, or leave it out for the newest.")
        return value

    return click.argument("named", metavar="[ID]", required=False, callback=not_empty)(command)


def example(*lines: str) -> str:
    """Return the end of a help text: how the command is typed, kept from being wrapped."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def piped_data(most: int, advice: str) -> bytes:
    """Return what is piped in; more bytes than these are refused, so that an endless pipe is too."""
    data = b"" if sys.stdin is None else sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise Rejected(f"More than {most:,} bytes were piped. {advice}")
    return data


def _is_text(word: str, options: set[str]) -> bool:
    first, *more = word.split(None, 1) or [""]
    return word.startswith("-") and bool(more) and first.partition("=")[0] not in options


def _remove_mark(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_remove_mark, value))
    return value.removeprefix(_MARK) if isinstance(value, str) else value
