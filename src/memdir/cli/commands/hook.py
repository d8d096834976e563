"""The command that answers one event of a host where its launcher, `memdir-hook`, cannot be started."""

import sys

import click

from memdir.cli.target import example

__all__ = ["hook"]


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=example("memdir hook UserPromptSubmit < event.json"),
)
@click.argument("event")
def hook(event: str) -> None:
    """Answer one event of an agent, as `memdir-hook` does.

    An agent starts it and gives JSON on standard input; `memdir init` sets agents up to do so.
    """
    from memdir.hooks.entry import run

    sys.argv = ["memdir-hook", event]
    run()
