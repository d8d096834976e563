"""The command that checks what memories claim about the project: verify."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import command, name_argument
from memdir.cli.failure import ExitCode
from memdir.cli.output import one_line, say, say_json, style, working
from memdir.cli.report import fields
from memdir.cli.target import Target

if TYPE_CHECKING:
    from memdir.verify.verdicts import ClaimVerdict, MemoryVerdict

__all__ = ["verify"]

_MISLEADING = ("stale", "passed")
_COLOURS = {"stale": "red", "passed": "yellow", "fresh": "green"}


@command("memdir verify", "memdir verify build-commands --json")
@name_argument("name", required=False, default="")
@click.option(
    "--exit-code", is_flag=True, help="End with 1 when a memory is stale or names a day that passed."
)
def verify(target: Target, name: str, exit_code: bool) -> int:
    """Check what memories claim about the project.

    Paths, symbols, commands, versions, branches, values and dates are looked up in the working tree and in
    git. `stale` would mislead, `passed` names a day that is over, `fresh` holds, `no claim` says nothing that
    can be checked. NAME is a memory's name or its file; without it all are checked and those that mislead are
    listed.
    """
    with working("Checking"):
        checked = target.memory().doctor.verify(name)
    claim = "claim.kind claim.text verdict now"
    say_json(
        {
            "memories": [
                {**fields(one, "file verdict"), "claims": [fields(judged, claim) for judged in one.claims]}
                for one in checked
            ]
        }
    )
    say(*_report(checked, everything=bool(name)))
    misleads = any(one.verdict in _MISLEADING for one in checked)
    return ExitCode.ERROR if exit_code and misleads else ExitCode.OK


def _report(checked: Sequence[MemoryVerdict], *, everything: bool) -> Iterator[str]:
    """Yield what misleads, and of one memory that was asked for everything; the rest is counted."""
    shown = [one for one in checked if everything or one.verdict in _MISLEADING]
    for one in shown:
        yield f"{style(one.verdict, fg=_COLOURS.get(one.verdict))}  {one_line(one.file)}"
        for judged in one.claims:
            if everything or judged.stale or judged.verdict.startswith("passed"):
                yield f"  {_line(judged)}"
    if not everything:
        counts = {verdict: sum(one.verdict == verdict for one in checked) for verdict in _SORTS}
        yield ", ".join(f"{count} {verdict}" for verdict, count in counts.items())


_SORTS = ("stale", "passed", "fresh", "no claim")


def _line(judged: ClaimVerdict) -> str:
    if judged.claim.kind == "date" and judged.verdict == "unchanged":
        return one_line(f"{judged.claim.text}: {judged.now}")
    now = f" ({'nearest now' if judged.verdict == 'gone' else 'now'}: {judged.now})" if judged.now else ""
    return one_line(f"{judged.claim.text}: {judged.verdict}{now}")
