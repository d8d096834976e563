"""The commands about rules that agents are held to: which there are, whose they are, and approvals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import completed_argument, example, json_option
from memdir.cli.output import columns, one_line, say, say_json
from memdir.cli.report import hint_at_rules
from memdir.cli.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["rules"]


def _names(memory: Memory) -> Iterator[tuple[str, str]]:
    return ((rule.memory, rule.text) for rule in memory.rules.list())


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
    memory = target.memory()
    found = memory.rules.list()
    if as_json:
        say_json({**_shape(found, memory), "hooks": memory.hosts.setup().hooked()})
    elif found:
        say(*columns([("binds", "memory", "rule"), *_rows(found, memory)]))
        hint_at_rules(memory, found)
    else:
        say('No rules yet. Make one: memdir remember "..." --enforce "Bash: git push * main"')


@rules.command(epilog=example("memdir rules approve no-deploys"))
@completed_argument("name", words=_names)
@json_option
@click.pass_obj
def approve(target: Target, name: str, as_json: bool) -> None:
    """Let the rules of a memory bind that somebody else wrote.

    NAME is the memory, as `memdir rules` shows it. The approval is kept in your own folder, for exactly these
    words.
    """
    memory = target.memory()
    approved = memory.rules.approve(name)
    if as_json:
        say_json(_shape(approved, memory))
    else:
        say(*[f"Approved {one_line(rule.text)}" for rule in approved])
        say(f"Undo: {target.command('rules', 'withdraw', name)}")


@rules.command(epilog=example("memdir rules withdraw no-deploys"))
@completed_argument("name", words=_names)
@json_option
@click.pass_obj
def withdraw(target: Target, name: str, as_json: bool) -> None:
    """Take the approval of a memory's rules back: they ask again.

    NAME is the memory, as `memdir rules` shows it. Every rule here in the same words asks again too, unless
    you saved it yourself.
    """
    memory = target.memory()
    withdrawn = memory.rules.withdraw(name)
    if as_json:
        say_json(_shape(withdrawn, memory))
    else:
        say(*[f"Withdrew the approval of {one_line(rule.text)}" for rule in withdrawn])
        say(f"Undo: {target.command('rules', 'approve', name)}")


def _rows(rules: Sequence[Rule], memory: Memory) -> Iterator[tuple[str, str, str]]:
    approved = memory.rules.approved()
    for rule in rules:
        binds = "approved" if rule in approved else "yes" if rule.bound else "asks"
        yield binds, one_line(rule.memory), one_line(rule.text)


def _shape(rules: Sequence[Rule], memory: Memory) -> dict[str, object]:
    approved = memory.rules.approved()
    rows = [
        {
            "memory": rule.memory,
            "rule": rule.text,
            "reason": rule.reason,
            "binds": rule.bound,
            "approved": rule in approved,
        }
        for rule in rules
    ]
    return {"rules": rows}
