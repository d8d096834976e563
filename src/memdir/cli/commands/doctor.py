"""Commands about the state of a memory directory: doctor, status."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from memdir.cli import json_shapes as shapes
from memdir.cli.clock import moment
from memdir.cli.commands.hosts import host_lines, hosts_shape
from memdir.cli.commands.remember import undo_lines
from memdir.cli.failure import ExitCode
from memdir.cli.findings import SHOWN, report_lines
from memdir.cli.output import columns, hint, say, say_json
from memdir.cli.printable import one_line
from memdir.cli.progress import working
from memdir.cli.target import Target, example, json_option
from memdir.errors import Rejected
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES

if TYPE_CHECKING:
    from memdir.conversation.logs import Load
    from memdir.doctor.status import Status
    from memdir.memory import Memory

__all__ = ["doctor", "status"]


@click.command(epilog=example("memdir doctor --fix"))
@click.option("--fix", is_flag=True, help="Mend what can be mended; where words change, it can be undone.")
@click.option(
    "--all", "everything", is_flag=True, help=f"List every finding: not {SHOWN} of a sort, advice not folded."
)
@json_option
@click.pass_context
def doctor(context: click.Context, fix: bool, everything: bool, as_json: bool) -> None:
    """Look for what is wrong or could be better.

    Ends with 1 when problems are left; advice alone ends with 0.
    """
    target: Target = context.obj
    memory = target.memory()
    may_mend = _may_mend(target, memory)
    if fix and not may_mend:
        raise Rejected(
            f"Nothing was mended: {memory.directory} has no MEMORY.md, and memdir never saved there, so its "
            "files may be no memories. If they are, make an empty MEMORY.md there."
        )
    with working("Examining"):
        report = memory.doctor.examine(fix=fix)
    if as_json:
        findings = [shapes.finding(found) for found in report.findings]
        say_json({"ok": report.ok, "findings": findings, "operations": list(report.operations)})
    else:
        say(*report_lines(report.findings, datetime.now(UTC), everything=everything, fix=fix))
        if not fix and may_mend and any(found.fixable for found in report.findings):
            say("", f"Mend what can be mended: {target.command('doctor', '--fix')}")
        if undo := undo_lines(target, memory, *report.operations):
            say("", *undo)
    context.exit(ExitCode.OK if report.ok else ExitCode.ERROR)


@click.command(epilog=example("memdir status"))
@json_option
@click.pass_context
def status(context: click.Context, as_json: bool) -> None:
    """Show where memory lives, whether it is on, its figures, and which agents use it."""
    target: Target = context.obj
    memory = target.memory()
    with working("Counting"):
        figures = memory.doctor.status()
    if as_json:
        say_json(_shape(memory, figures))
    else:
        say(*columns(list(_figures(memory, figures, target.here)), whole=True))
    for notice in figures.notices:
        hint(notice)
    context.exit(ExitCode.OK if memory.verdict.on else ExitCode.OFF)


def _may_mend(target: Target, memory: "Memory") -> bool:
    """Tell whether files may be rewritten: those of a directory that was only named may be anything."""
    from memdir.config.location import is_kept

    return target.directory is None or is_kept(memory.directory, memory.state)


def _figures(memory: "Memory", figures: "Status", here: str) -> Iterator[tuple[str, str]]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in figures.kinds.items())
    yield "memory", f"{'on' if memory.verdict.on else 'off'} because {one_line(memory.verdict.because)}"
    yield "directory", one_line(figures.directory) + ("" if figures.exists else " (made by the first save)")
    yield "memories", f"{figures.memories}{f' ({kinds})' if kinds else ''}"
    yield "index", f"{figures.index_lines} of {INDEX_LINES} lines, {_share(figures.index_characters)}"
    if figures.last_load is not None:
        yield "loaded", one_line(_load(figures.last_load))
    yield "history", _history(figures)
    yield "trash", f"{figures.trash} forgotten"
    yield "state", one_line(figures.state)
    yield from (("hosts", line) for line in host_lines(memory, figures.last_event, here))
    yield from (("not read", one_line(skipped)) for skipped in figures.skipped)


def _share(characters: int) -> str:
    return f"{characters / 1024:.1f} of {INDEX_CHARACTERS / 1024:.1f} KB"


def _load(load: "Load") -> str:
    index = f"index {load.lines} of {INDEX_LINES} lines, {_share(load.characters)}"
    told = f"rule: {load.rule}" if load.kind == "off" else index
    over = f", over the limit of {load.limit.replace(',', ' and ')}" if load.limit else ""
    return f"{moment(load.at) if load.at else 'once'}: {load.kind}, {told}{over}"


def _history(figures: "Status") -> str:
    waiting = f", {figures.waiting} waiting to be recorded" if figures.waiting else ""
    return f"{'kept' if figures.history else 'none yet'}{waiting}"


def _shape(memory: "Memory", figures: "Status") -> dict[str, object]:
    verdict, load = memory.verdict, figures.last_load
    return {
        "on": verdict.on,
        "because": verdict.because,
        "rule": verdict.rule,
        "directory": figures.directory,
        "state": figures.state,
        "exists": figures.exists,
        "memories": figures.memories,
        "kinds": figures.kinds,
        "index_lines": figures.index_lines,
        "index_characters": figures.index_characters,
        "skipped": list(figures.skipped),
        "loaded": load and {name: getattr(load, name) for name in load.__match_args__},
        "waiting": figures.waiting,
        "history": figures.history,
        "trash": figures.trash,
        "notices": list(figures.notices),
        "hosts": hosts_shape(memory, figures.last_event),
    }
