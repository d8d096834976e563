"""The commands about rules that agents are held to: which there are, whose they are, and approvals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir.cli.arguments import command, completed_argument, group
from memdir.cli.output import columns, one_line, say, say_json, wants_json
from memdir.cli.report import fields, hint_at_rules
from memdir.cli.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["rules"]


def _names(memory: Memory) -> Iterator[tuple[str, str]]:
    return ((rule.memory, rule.text) for rule in memory.rules.list())


_name_argument = completed_argument("name", words=_names)


@group("memdir rules", "memdir rules approve no-deploys")
def rules(target: Target) -> None:
    """Show the rules that agents are held to here.

    Rules come from memories that were saved with --enforce. One that you did not write yourself asks, until
    you approve it.
    """
    memory = target.memory()
    found = memory.rules.list()
    if wants_json():
        say_json({**_shape(found, memory), "hooks": memory.hosts.setup().has_hooks()})
    elif found:
        approved = memory.rules.list_approved()
        rows = [("binds", "memory", "rule")]
        for rule in found:
            binds = "approved" if rule in approved else "yes" if rule.bound else "asks"
            rows.append((binds, one_line(rule.memory), one_line(rule.text)))
        say(*columns(rows))
        hint_at_rules(memory, found)
    else:
        say('No rules yet. Make one: memdir remember "..." --enforce "Bash: git push * main"')


@command("memdir rules approve no-deploys", of=rules)
@_name_argument
def approve(target: Target, name: str) -> None:
    """Let the rules of a memory bind that somebody else wrote.

    NAME is the memory, as `memdir rules` shows it. The approval is kept in your own folder, for exactly these
    words.
    """
    memory = target.memory()
    approved = memory.rules.approve(name)
    say_json(_shape(approved, memory))
    say(*[f"Approved {one_line(rule.text)}" for rule in approved])
    say(f"Undo: {target.command('rules', 'withdraw', name)}")


@command("memdir rules withdraw no-deploys", of=rules)
@_name_argument
def withdraw(target: Target, name: str) -> None:
    """Take the approval of a memory's rules back: they ask again.

    NAME is the memory, as `memdir rules` shows it. Every rule here in the same words asks again too, unless
    you saved it yourself.
    """
    memory = target.memory()
    withdrawn = memory.rules.withdraw(name)
    say_json(_shape(withdrawn, memory))
    say(*[f"Withdrew the approval of {one_line(rule.text)}" for rule in withdrawn])
    say(f"Undo: {target.command('rules', 'approve', name)}")


def _shape(rules: Sequence[Rule], memory: Memory) -> dict[str, object]:
    approved, keys = memory.rules.list_approved(), "memory rule=text reason binds=bound"
    return {"rules": [{**fields(rule, keys), "approved": rule in approved} for rule in rules]}
