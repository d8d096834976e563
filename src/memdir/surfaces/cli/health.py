"""Commands about the state of a memory directory: doctor, status."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from memdir.core.clip import INDEX_CHARACTERS, INDEX_LINES
from memdir.surfaces.cli import shapes
from memdir.surfaces.cli.failure import ExitCode
from memdir.surfaces.cli.output import columns, hint, say, say_json, styled
from memdir.surfaces.cli.printable import cut, one_line
from memdir.surfaces.cli.progress import working
from memdir.surfaces.cli.target import Target, example, json_option

if TYPE_CHECKING:
    from memdir.doctor.finding import Finding
    from memdir.memory import Memory
    from memdir.store.status import Status

__all__ = ["doctor", "status"]

_SHOWN = 10
"""Findings of one sort that are listed before the rest is counted: a screen should hold the whole report."""

_LONGEST = 400
"""Columns of one finding: it may quote a line of any length from a file."""


@click.command(epilog=example("memdir doctor --fix"))
@click.option("--fix", is_flag=True, help="Mend what can be mended; that is a change which can be undone.")
@click.option("--all", "everything", is_flag=True, help=f"List every finding, not only {_SHOWN} of a sort.")
@json_option
@click.pass_context
def doctor(context: click.Context, fix: bool, everything: bool, as_json: bool) -> None:
    """Look for what is wrong or could be better.

    Ends with 1 when problems are left; advice alone ends with 0.
    """
    target: Target = context.obj
    memory = target.memory()
    with working("Examining"):
        report = memory.doctor(fix=fix)
    if as_json:
        say_json({"ok": report.ok, "findings": [shapes.finding(found) for found in report.findings]})
    else:
        say(*_report(report.findings, None if everything else _SHOWN))
        if not fix and any(found.fixable for found in report.findings):
            say("", f"Mend what can be mended: {target.command('doctor', '--fix')}")
    context.exit(ExitCode.OK if report.ok else ExitCode.ERROR)


@click.command(epilog=example("memdir status"))
@json_option
@click.pass_context
def status(context: click.Context, as_json: bool) -> None:
    """Show where memory lives, whether it is on, and its figures."""
    target: Target = context.obj
    memory = target.memory()
    with working("Counting"):
        figures = memory.status()
    if as_json:
        say_json(_shape(memory, figures))
    else:
        say(*columns(list(_figures(memory, figures))))
    for notice in figures.notices:
        hint(notice)
    context.exit(ExitCode.OK if memory.verdict.on else ExitCode.OFF)


def _report(findings: Sequence["Finding"], most: int | None) -> list[str]:
    groups = (
        ("Mended", [found for found in findings if found.fixed], "green"),
        ("Problems", [f for f in findings if not f.fixed and f.severity == "problem"], "red"),
        ("Advice", [f for f in findings if not f.fixed and f.severity != "problem"], "yellow"),
    )
    lines: list[str] = []
    for title, found, colour in groups:
        if found:
            lines += ["", styled(f"{title} ({len(found)})", fg=colour, bold=True), *_listed(found, most)]
    return lines[1:] or ["All is well."]


def _listed(findings: Sequence["Finding"], most: int | None) -> Iterator[str]:
    """List findings by code, each hint once below those that share it."""
    by_code: dict[tuple[str, str], list[Finding]] = {}
    for found in findings:
        by_code.setdefault((found.code, "" if found.fixed else found.hint), []).append(found)
    for (code, advice), group in by_code.items():
        alike = sorted(group, key=lambda found: found.file)
        yield from (f"  {code}: {_sentence(found)}" for found in alike[:most])
        if most is not None and len(alike) > most:
            yield f"  {code}: and {len(alike) - most} more; --all lists them"
        if advice:
            yield f"    -> {one_line(advice)}"


def _sentence(found: "Finding") -> str:
    """Return what was found, with the file it is about."""
    named = not found.file or found.file in found.message
    return cut(one_line(found.message if named else f"{found.file}: {found.message}"), _LONGEST)


def _figures(memory: "Memory", figures: "Status") -> Iterator[tuple[str, str]]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in figures.kinds.items())
    yield "memory", f"{'on' if memory.verdict.on else 'off'} because {one_line(memory.verdict.because)}"
    yield "directory", one_line(figures.directory) + ("" if figures.exists else " (made by the first save)")
    yield "memories", f"{figures.memories}{f' ({kinds})' if kinds else ''}"
    yield "index", f"{figures.index_lines} of {INDEX_LINES} lines, {_share(figures.index_characters)}"
    yield "history", _history(figures)
    yield "trash", f"{figures.trash} forgotten"
    yield "state", one_line(figures.state)
    yield from (("not read", one_line(skipped)) for skipped in figures.skipped)


def _share(characters: int) -> str:
    return f"{characters / 1024:.1f} of {INDEX_CHARACTERS / 1024:.1f} KB"


def _history(figures: "Status") -> str:
    waiting = f", {figures.waiting} waiting to be recorded" if figures.waiting else ""
    return f"{'kept' if figures.history else 'none yet'}{waiting}"


def _shape(memory: "Memory", figures: "Status") -> dict[str, object]:
    verdict = memory.verdict
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
        "waiting": figures.waiting,
        "history": figures.history,
        "trash": figures.trash,
        "notices": list(figures.notices),
    }
