"""The commands about what a model is told: the prompt about memory, and the bill of the whole context."""

from typing import TYPE_CHECKING

import click

from memdir.cli import json_shapes as shapes
from memdir.cli.commands.bill import Screen
from memdir.cli.failure import ExitCode
from memdir.cli.output import hint, say, say_exactly, say_json
from memdir.cli.progress import working
from memdir.cli.target import Target, example, json_option
from memdir.text.tokens import tokens

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["context", "prompt"]


@click.command(epilog=example("memdir prompt --form compact"))
@click.option(
    "--mode",
    type=click.Choice(["private", "combined", "daily-log"]),
    help="In this mode instead of the one that settings ask for.",
)
@click.option("--form", type=click.Choice(["full", "compact"]), help="With examples, or the bare rules.")
@click.option("--index", "with_index", is_flag=True, help="With the index below it.")
@json_option
@click.pass_context
def prompt(ctx: click.Context, mode: str | None, form: str | None, with_index: bool, as_json: bool) -> None:
    """Print what a model is told about its memory.

    When memory is off that is nothing, and the exit code is 3.
    """
    memory = ctx.obj.memory()
    with working("Reading"):
        text = memory.context.prompt(mode=mode or "", form=form or "", with_index=with_index, preview=True)
    if as_json:
        say_json({"prompt": text, "characters": len(text), "tokens": tokens(text)})
    elif text:
        say_exactly(f"{text}\n")
    if not text:
        hint(_silence(memory))
        ctx.exit(ExitCode.OFF)


@click.command(epilog=example("memdir context", "memdir context --window 1000000"))
@click.option(
    "--window",
    metavar="TOKENS",
    type=click.IntRange(min=1),
    default=200_000,
    help="How many tokens the model's window has; 200,000 if left out.",
)
@click.option("--all", "everything", is_flag=True, help="List every section, file and proposal.")
@json_option
@click.pass_context
def context(ctx: click.Context, window: int, everything: bool, as_json: bool) -> None:
    """Show what a conversation here is told, what it costs, and what to trim.

    Tokens are estimated at four bytes each. When memory is off, the exit code is 3.
    """
    target: Target = ctx.obj
    memory = target.memory()
    with working("Reading"):
        bill = memory.context.bill(window)
    if as_json:
        say_json(shapes.bill(bill))
    else:
        say(*Screen(bill, target, everything=everything).lines())
    if not memory.verdict.on:
        hint(_silence(memory))
        ctx.exit(ExitCode.OFF)


def _silence(memory: "Memory") -> str:
    if memory.verdict.on:
        return "Nothing is said about memory here: a variable switches it off, or this is bare mode."
    return f"Nothing is said about memory: it is off because {memory.verdict.because}"
