"""The commands about rules that agents are held to: which there are, whose they are, and an approval."""

from typing import TYPE_CHECKING

import click

from memdir.surfaces.cli.output import columns, say, say_json
from memdir.surfaces.cli.printable import one_line
from memdir.surfaces.cli.target import Target, example, json_option

if TYPE_CHECKING:
    from memdir.core.enforce import Rule

__all__ = ["rules"]


@click.group(invoke_without_command=True, epilog=example("memdir rules", "memdir rules approve no-deploys"))
@json_option
@click.pass_context
def rules(context: click.Context, as_json: bool) -> None:
    """Show the rules that agents are held to here.

    Rules come from memories that were saved with --enforce. One that you did not write yourself asks, until
    you approve it.
    """
    if context.invoked_subcommand:
        return
    target: Target = context.obj
    found = target.memory().rules()
    if as_json:
        say_json({"rules": [_shape(rule) for rule in found]})
    elif found:
        say(*columns([("binds", "memory", "rule"), *[_row(rule) for rule in found]]))
    else:
        say('No rules yet. Make one: memdir remember "..." --enforce "Bash: git push * main"')


@rules.command(epilog=example("memdir rules approve no-deploys"))
@click.argument("name")
@json_option
@click.pass_obj
def approve(target: Target, name: str, as_json: bool) -> None:
    """Let the rules of a memory bind that somebody else wrote.

    NAME is the memory, as `memdir rules` shows it. The approval is kept in your own folder, for exactly these
    words.
    """
    approved = target.memory().approve_rules(name)
    if as_json:
        say_json({"rules": [_shape(rule) for rule in approved]})
    else:
        say(*[f"Approved {one_line(rule.text)}" for rule in approved])


def _row(rule: "Rule") -> tuple[str, str, str]:
    return "yes" if rule.bound else "asks", one_line(rule.memory), one_line(rule.text)


def _shape(rule: "Rule") -> dict[str, object]:
    return {"memory": rule.memory, "rule": rule.text, "reason": rule.reason, "binds": rule.bound}
