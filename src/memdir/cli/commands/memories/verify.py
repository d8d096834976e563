"""The command that checks what memories claim about the project: verify."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import example, json_option, name_argument
from memdir.cli.failure import ExitCode
from memdir.cli.output import one_line, say, say_json, style, working

if TYPE_CHECKING:
    from memdir.verify.verdicts import ClaimVerdict, MemoryVerdict

__all__ = ["verify"]

_MISLEADING = ("stale", "passed")
_COLOURS = {"stale": "red", "passed": "yellow", "fresh": "green"}


@click.command(epilog=example("memdir verify", "memdir verify build-commands --json"))
@name_argument("name", required=False, default="")
@click.option(
    "--exit-code", is_flag=True, help="End with 1 when a memory is stale or names a day that passed."
)
@json_option
@click.pass_context
def verify(context: click.Context, name: str, exit_code: bool, as_json: bool) -> None:
    """Check what memories claim about the project.

    Paths, symbols, commands, versions, branches, values and dates are looked up in the working tree and in
    git. `stale` would mislead, `passed` names a day that is over, `fresh` holds, `no claim` says nothing that
    can be checked. NAME is a memory's name or its file; without it all are checked and those that mislead are
    listed.
    """
    memory = context.obj.memory()
    with working("Checking"):
        checked = memory.doctor.verify(name)
    if as_json:
        say_json({"memories": [_shape(one) for one in checked]})
    else:
        say(*_report(checked, everything=bool(name)))
    misleads = any(one.verdict in _MISLEADING for one in checked)
    context.exit(ExitCode.ERROR if exit_code and misleads else ExitCode.OK)


def _shape(one: MemoryVerdict) -> dict[str, Any]:
    claims = [
        {"kind": judged.claim.kind, "text": judged.claim.text, "verdict": judged.verdict, "now": judged.now}
        for judged in one.claims
    ]
    return {"file": one.file, "verdict": one.verdict, "claims": claims}


def _report(checked: Sequence[MemoryVerdict], *, everything: bool) -> Iterator[str]:
    """Yield what misleads, and of one memory that was asked for everything; the rest is counted."""
    shown = [one for one in checked if everything or one.verdict in _MISLEADING]
    for one in shown:
        yield f"{style(one.verdict, fg=_COLOURS.get(one.verdict))}  {one_line(one.file)}"
        yield from (f"  {_line(judged)}" for judged in one.claims if everything or _matters(judged))
    if not everything:
        counts = {verdict: sum(one.verdict == verdict for one in checked) for verdict in _SORTS}
        yield ", ".join(f"{count} {verdict}" for verdict, count in counts.items())


_SORTS = ("stale", "passed", "fresh", "no claim")


def _matters(judged: ClaimVerdict) -> bool:
    return judged.stale or judged.verdict.startswith("passed")


def _line(judged: ClaimVerdict) -> str:
    if judged.claim.kind == "date" and judged.verdict == "unchanged":
        return one_line(f"{judged.claim.text}: {judged.now}")
    now = f" ({'nearest now' if judged.verdict == 'gone' else 'now'}: {judged.now})" if judged.now else ""
    return one_line(f"{judged.claim.text}: {judged.verdict}{now}")
