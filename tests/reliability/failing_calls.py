"""Every call on the way of an operation answers with every error, once and from then on."""

import os
from collections.abc import Iterator, Sequence

from tests.reliability.harness.figure import Effort, Figure, needs_strace, not_run
from tests.reliability.harness.processes import Outcome, in_parallel, worker_command
from tests.reliability.harness.refusal_check import judged, with_prose
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.strace import Point, calls, injected, traced
from tests.reliability.killed_writer import SCRIPTS, Script, template

__all__ = ["injection_figures"]

_ERRORS = {
    "write": ("ENOSPC", "EIO"),
    "fsync": ("EIO", "ENOSPC"),
    "openat": ("EMFILE", "ENOSPC", "EACCES", "EROFS", "EIO"),
    "renameat": ("EIO", "EROFS", "EACCES", "ENOSPC"),
    "rename": ("EIO", "EROFS", "EACCES", "ENOSPC"),
    "unlinkat": ("EIO", "EROFS", "EACCES"),
    "unlink": ("EIO", "EROFS", "EACCES"),
    "mkdirat": ("ENOSPC", "EROFS", "EACCES"),
    "mkdir": ("ENOSPC", "EROFS", "EACCES"),
    "fchmod": ("EIO", "EROFS"),
    "utimensat": ("EIO", "EROFS"),
}
"""Which calls may answer what."""

_RUNS = ("warm", "counted", "recounted", "again")
"""Runs that count the calls: the first leaves compiled modules behind, of the others the shortest counts."""

_Try = tuple[Point, str, str]
"""A call, the error it answers with, and "+" if every later one of its name does too."""


def injection_figures(
    effort: Effort, scripts: Sequence[Script] = SCRIPTS, *, count: int = 40
) -> Iterator[Figure]:
    """Yield one figure a script; a sample tries so many of the calls and errors."""
    what = "ENOSPC, EIO, EROFS, EACCES, EMFILE injected"
    if because := needs_strace():
        yield not_run(what, because)
        return
    for script in scripts:
        yield _figure(f"{what}: {script.name}", script, effort, count)


def _figure(what: str, script: Script, effort: Effort, count: int) -> Figure:
    with scratch() as folder:
        start = with_prose(template(script, os.path.join(folder, "template")))
        tries = [
            (point, error, last)
            for point in _points(script, start, folder, _RUNS[: effort.size(4, 2)])
            for error in _ERRORS[point.name]
            for last in ("", "+")
        ]
        chosen = effort.some(tries, count)
        found = in_parallel(lambda each: _refused(script, start, folder, each), chosen)
    acknowledged = sum(outcome for outcome, _ in found)
    figure = f"{len(chosen)} of {len(tries)} refusals, {acknowledged} of them survived by the save"
    problems = [problem for _, each in found for problem in each]
    return Figure(what, figure, problems if tries else ["no call was seen"])


def _points(script: Script, start: Place, folder: str, runs: Sequence[str]) -> list[Point]:
    """Return the calls after the mark that are about our place, reading ones included."""
    counted: list[list[Point]] = []
    for name in runs:
        place = start.copied(os.path.join(folder, name))
        log = os.path.join(folder, f"{name}.log")
        traced(worker_command(place, script.steps), log)
        counted.append(list(_seen(log, f'"MARK {len(script.steps) - 1}', place.root)))
    return min(counted[1:], key=len)


def _seen(log: str, mark: str, root: str) -> Iterator[Point]:
    marked, number = False, 0
    for call in calls(log):
        if marked and call.name in _ERRORS and root in f"{call.arguments}{call.where}":
            number += 1
            yield Point(call.name, call.ordinal, call.arguments, number)
        marked = marked or (call.name == "writev" and mark in call.arguments)


def _refused(script: Script, start: Place, folder: str, each: _Try) -> tuple[bool, list[str]]:
    point, error, last = each
    name = f"{point.name}-{point.ordinal}-{error}{last}"
    place, log = start.copied(os.path.join(folder, name)), os.path.join(folder, f"{name}.log")
    ended = injected(worker_command(place, script.steps), log, point, f"error={error}", last=last)
    problems = _not_refused(log, ended, len(script.steps))
    acknowledged = len(script.steps) - 1 in ended.acknowledged
    problems += judged(script, place, acknowledged=acknowledged)
    return acknowledged, [f"{name} {point.arguments[:90]}: {problem}" for problem in problems]


def _not_refused(log: str, ended: Outcome, steps: int) -> list[str]:
    """Say when the error was never answered, or when what came of it was no error of ours."""
    with open(log, encoding="utf-8", errors="replace") as file:
        if "(INJECTED)" not in file.read():
            return ["nothing was injected"]
    if steps - 1 not in ended.acknowledged and steps - 1 not in ended.refused:
        return [f"the worker ended with {ended.status}: {ended.errors[-300:]}"]
    ours, message = ended.refused.get(steps - 1, (True, ""))
    # A module that is loaded when it is first needed cannot be loaded then either, and nobody can help that.
    return [] if ours or message.endswith(".py'") else [f"the save raised {message}"]
