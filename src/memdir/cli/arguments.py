"""What a person types: text that begins with a dash, and names of memories that a shell completes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memdir.cli.printable import one_line
from memdir.cli.target import Target

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["TextCommand", "name_argument"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MARK = "\0"
"""Before a word that is no option though it begins with a dash: no word of a command line can hold it."""


class TextCommand(click.Command):
    """A command that takes text: "- one point" and "-- so" are text, because no option has a blank in it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words with such text kept from being taken for options."""
        options = {spelling for parameter in self.get_params(ctx) for spelling in parameter.opts}
        rest = super().parse_args(ctx, [_MARK + word if _is_text(word, options) else word for word in args])
        ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        return rest


def name_argument(*parameter: str, **how: Any) -> Callable[[_Command], _Command]:
    """Give a command an argument that is a memory's name, which shells complete."""
    return click.argument(*parameter, shell_complete=_names, **how)


def _names(ctx: click.Context, _: click.Parameter, begun: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    given = ctx.find_root().params
    try:
        headers = Target(given.get("directory"), given.get("cwd")).memory().list()
    except Exception:  # noqa: BLE001 - a person who presses a key wants names or nothing
        return []
    return [
        CompletionItem(one_line(header.name), help=one_line(header.description))
        for header in headers
        if header.name.startswith(begun)
    ]


def _is_text(word: str, options: set[str]) -> bool:
    first, *more = word.split(None, 1) or [""]
    return word.startswith("-") and bool(more) and first.partition("=")[0] not in options


def _unmarked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unmarked, value))
    return value.removeprefix(_MARK) if isinstance(value, str) else value
