"""The commands about instruction files and about rules: which there are, why, and approvals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, completed_argument, flag, group, option
from memdir.cli.output import answer, columns, one_line, short_path, style, wants_json
from memdir.cli.report import fields, hint_at_rules
from memdir.cli.target import Target
from memdir.text.clip import tokens
from memdir.text.numbers import count
from memdir.text.value import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memdir.instructions.records import Discovery, Instruction, LeftOut
    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["instructions", "rules"]


@group("memdir instructions", "memdir instructions --touched src/api/routes.ts", doing="Reading")
@option("--touched", "Show what touching this file adds.", metavar="PATH", multiple=True)
@flag("--externals", "Show also what awaits approval; that approves nothing.")
def instructions(target: Target, touched: tuple[str, ...], externals: bool) -> None:
    """Show which instruction files a conversation here gets.

    In the order they are loaded, imports below their importer; then what was left out, and why. With the
    global --session and --touched, the conversation is noted as having them: each is given once.
    """
    handle = target.memory().instructions
    found = handle.discover(touched, with_externals=externals)
    if touched and target.session:  # asked second, because from then on they count as given
        found = replace(found, loaded=tuple(handle.load(touched, with_externals=externals)))
    nothing = "Touching this adds nothing." if touched else "No instruction files are loaded here."
    lines = _tree(found.loaded, target.here) or [nothing]
    answer(_shape(found), *lines, *_left_out(found.left_out, target))


@command("memdir instructions approve ../shared/house-rules.md", of=instructions)
@click.argument("path")
def approve(target: Target, path: str) -> None:
    """Let this project import a file that lies outside.

    PATH is the file, as `memdir instructions` shows it. The approval is kept in your own folder, for this
    project alone.
    """
    real = target.memory().instructions.approve(path)
    approved = f"Approved {short_path(real, target.here)} for this project."
    answer({"path": real}, approved, f"Undo: {target.command('instructions', 'withdraw', path)}")


@command("memdir instructions withdraw ../shared/house-rules.md", of=instructions)
@click.argument("path")
def withdraw(target: Target, path: str) -> None:
    """Take such an approval back: this project no longer imports the file.

    PATH is the file, which need not be there any more. A conversation that was told of it already knows it.
    """
    real = target.memory().instructions.withdraw(path)
    withdrawn = f"Withdrew the approval of {short_path(real, target.here)} for this project."
    answer({"path": real}, withdrawn)


def _shape(found: Discovery) -> dict[str, Any]:
    loaded = [
        {
            **fields(one, "path layer"),
            "tokens": tokens(one.text),
            "lines": _lines(one),
            "cause": one.reason.cause.name.lower(),
            **fields(one, "reason=reason.words importer globs changed awaits_approval=external text"),
        }
        for one in found.loaded
    ]
    keys = "path because reason=words importer spelled globs"
    left_out = [{**fields(one, keys), "because": one.because.name.lower()} for one in found.left_out]
    return {"instructions": loaded, "left_out": left_out}


def _tree(loaded: Sequence[Instruction], here: str) -> list[str]:
    """List files in the order they are loaded, and sum them up."""
    if not loaded:
        return []
    depths: dict[str, int] = {}
    for one in loaded:
        depths[one.path] = depths[one.importer] + 1 if one.importer in depths else 0
    rows = [_row(one, depths[one.path], here) for one in loaded]
    given = [one for one in loaded if not one.external]
    lines, cost = sum(map(_lines, given)), sum(tokens(one.text) for one in given)
    figures = f"{count(len(given), 'file')}, {count(lines, 'line')}, about {count(cost, 'token')}"
    remark = "; * is not told as it stands on disk" if any(map(_differs, loaded)) else ""
    return [*columns([("layer", "file", "lines", "tokens", "why"), *rows]), figures + remark]


def _row(one: Instruction, depth: int, here: str) -> tuple[str, str, str, str, str]:
    name = f"{'  ' * depth}{short_path(one.path, here)}{' *' if _differs(one) else ''}"
    reason = replace(one.reason, subject=short_path(one.reason.subject, here) if one.reason.subject else "")
    why = f"Not loaded: it awaits approval. {reason.words}" if one.external else reason.words
    return one.layer, name, f"{_lines(one):>5,}", f"{tokens(one.text):>6,}", why


def _differs(one: Instruction) -> bool:
    """Tell whether more was taken away than blank space around the text, which nobody misses."""
    return one.raw is not None and one.raw.strip() != one.text.encode("utf-8", "surrogatepass")


def _lines(one: Instruction) -> int:
    return one.text.count("\n") + 1


def _left_out(left_out: Iterable[LeftOut], target: Target) -> list[str]:
    meant, here = [one for one in left_out if one.is_path], target.here
    if not meant:
        return []
    rows = columns([(f"    {short_path(one.path, here)}", _load_reason(one, here)) for one in meant])
    by_reason: dict[str, list[str]] = {}
    for one, row in zip(meant, rows, strict=True):
        lines = by_reason.setdefault(one.words, [])
        lines.append(row)
        if one.because.name == "EXTERNAL":
            near = os.path.relpath(one.path, os.path.realpath(here))
            approval = target.command("instructions", "approve", min(near, one.path, key=len))
            lines.append(f"      -> {one_line(approval)}")
    listed = [line for words, lines in by_reason.items() for line in (f"  {one_line(words)}", *lines)]
    return ["", style("Left out", bold=True), *listed]


def _load_reason(one: LeftOut, here: str) -> str:
    """Return what asks for a file: its importer, or the files that a rule is for."""
    if one.importer:
        return one_line(f"@{one.spelled} in {short_path(one.importer, here)}")
    return one_line(f"for {', '.join(one.globs)}") if one.globs else ""


_name_argument = completed_argument(
    "name", words=lambda memory: [(rule.memory, rule.text) for rule in memory.rules.list()]
)


@group("memdir rules", "memdir rules approve no-deploys")
def rules(target: Target) -> None:
    """Show the rules that agents are held to here.

    Rules come from memories that were saved with --enforce. One that you did not write yourself asks, until
    you approve it.
    """
    memory = target.memory()
    found, approved = memory.rules.list(), memory.rules.list_approved()
    rows = [("binds", "memory", "rule")]
    for rule in found:
        binds = "approved" if rule in approved else "yes" if rule.bound else "asks"
        rows.append((binds, one_line(rule.memory), one_line(rule.text)))
    nothing = 'No rules yet. Make one: memdir remember "..." --enforce "Bash: git push * main"'
    shape = {**_rules_shape(found, memory), "hooks": memory.hosts.setup().has_hooks()}
    answer(shape, *(columns(rows) if found else [nothing]))
    if found and not wants_json():
        hint_at_rules(memory, found)


@command("memdir rules approve no-deploys", of=rules, name="approve")
@_name_argument
def approve_rules(target: Target, name: str) -> None:
    """Let the rules of a memory bind that somebody else wrote.

    NAME is the memory, as `memdir rules` shows it. The approval is kept in your own folder, for exactly these
    words.
    """
    memory = target.memory()
    approved = memory.rules.approve(name)
    lines = [f"Approved {one_line(rule.text)}" for rule in approved]
    undo = f"Undo: {target.command('rules', 'withdraw', name)}"
    answer(_rules_shape(approved, memory), *lines, undo)


@command("memdir rules withdraw no-deploys", of=rules, name="withdraw")
@_name_argument
def withdraw_rules(target: Target, name: str) -> None:
    """Take the approval of a memory's rules back: they ask again.

    NAME is the memory, as `memdir rules` shows it. Every rule here in the same words asks again too, unless
    you saved it yourself.
    """
    memory = target.memory()
    withdrawn = memory.rules.withdraw(name)
    lines = [f"Withdrew the approval of {one_line(rule.text)}" for rule in withdrawn]
    undo = f"Undo: {target.command('rules', 'approve', name)}"
    answer(_rules_shape(withdrawn, memory), *lines, undo)


def _rules_shape(rules: Sequence[Rule], memory: Memory) -> dict[str, object]:
    approved, keys = memory.rules.list_approved(), "memory rule=text reason binds=bound"
    return {"rules": [{**fields(rule, keys), "approved": rule in approved} for rule in rules]}
