"""Kill -9 at every changing system call of save, update, forget and undo, and look at what is left."""

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.reliability.harness.expected_files import Ledger, allowed, states
from tests.reliability.harness.figure import Effort, Figure, needs_strace, not_run
from tests.reliability.harness.processes import Outcome, in_parallel, worker_command
from tests.reliability.harness.recovery import recovery_problems
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.strace import Point, changing_points, injected, traced
from tests.reliability.harness.worker_process import Step, done

__all__ = ["SCRIPTS", "Script", "after", "kill_figures", "template"]


@dataclass(frozen=True, slots=True)
class Script:
    """What was done before, and what one process does until it is killed in its last step."""

    name: str
    before: Sequence[Step]
    steps: Sequence[Step]

    @property
    def ledgers(self) -> list[Ledger]:
        """Return what must be there before and after each step of the process."""
        every = states([*self.before, *self.steps])
        return every[len(self.before) :]


_BASE: tuple[Step, ...] = (
    ("save", "alpha", 1),
    ("save", "beta", 1),
    ("save", "gamma", 1),
    ("save", "alpha", 2),
)
_RUNS = ("warm", "counted", "recounted", "again")
_PRIOR: Step = ("save", "prior", 1)

SCRIPTS = (
    Script("the first save", (), (("save", "alpha", 1),)),
    Script("save", _BASE, (_PRIOR, ("save", "fresh", 1))),
    Script("update", _BASE, (_PRIOR, ("save", "alpha", 3))),
    Script("forget", _BASE, (_PRIOR, ("forget", "beta"))),
    Script("undo of a save", _BASE, (("save", "fresh", 1), ("undo",))),
    Script("undo of an update", _BASE, (("save", "alpha", 3), ("undo",))),
    Script("undo of a forget", _BASE, (("forget", "beta"), ("undo",))),
    Script("save of many", _BASE, (_PRIOR, ("many", "one", "two", "three"))),
)


def kill_figures(effort: Effort, scripts: Sequence[Script] = SCRIPTS) -> Iterator[Figure]:
    """Yield one figure a script: how many kills, how many of them left anything wrong."""
    what = "kill -9 at every changing system call"
    if because := needs_strace():
        yield not_run(what, because)
        return
    for script in scripts:
        yield _figure(f"{what}: {script.name}", script, effort)


def template(script: Script, root: str) -> Place:
    """Return a place in which everything was done that comes before the script."""
    place = Place(root)
    os.mkdir(root)
    for step in script.before:
        done(place.memory(), step)
    return place


def after(script: Script, place: Place, ended: Outcome) -> list[str]:
    """Say what is wrong after a process was killed in the last step of a script."""
    expected = allowed(script.ledgers, len(ended.acknowledged), in_flight=True)
    operations = [str(said[0]) for said in ended.acknowledged.values()]
    return recovery_problems(place, expected, operations)


def _figure(what: str, script: Script, effort: Effort) -> Figure:
    with scratch() as folder:
        start = template(script, os.path.join(folder, "template"))
        points = _points(script, start, folder, _RUNS[: effort.size(4, 2)])
        chosen = effort.some(points, 12)
        problems = in_parallel(lambda point: _killed(script, start, folder, point), chosen)
    found = [problem for each in problems for problem in each]
    figure = f"{len(chosen)} of {len(points)} kills, {sum(map(bool, problems))} with anything wrong after"
    return Figure(what, figure, found if points else ["no changing call was seen"])


def _points(script: Script, start: Place, folder: str, runs: Sequence[str]) -> list[Point]:
    """Count the calls in runs of their own; the first leaves every compiled module in place.

    Of the others the shortest counts: names of git's objects are random, and now and then one makes it pack.
    """
    counted: list[list[Point]] = []
    for name in runs:
        place = start.copied(os.path.join(folder, name))
        log = os.path.join(folder, f"{name}.log")
        ended = traced(worker_command(place, script.steps), log)
        if len(ended.acknowledged) != len(script.steps):
            raise RuntimeError(f"{script.name} does not work even without a kill: {ended}")
        counted.append(changing_points(log, _mark(script)))
    return min(counted[1:], key=len)


def _killed(script: Script, start: Place, folder: str, point: Point) -> list[str]:
    """Kill one process at one point; a kill that did not happen there is a problem of its own."""
    problem = ""
    for attempt in range(3):
        root = os.path.join(folder, f"{point.number}-{attempt}")
        place, log = start.copied(root), f"{root}.log"
        ended = injected(worker_command(place, script.steps), log, point, "signal=KILL")
        problem = _not_killed(script, log, point, ended)
        if not problem:
            return [f"{point}: {found}" for found in after(script, place, ended)]
    return [f"{point}: {problem}"]


def _not_killed(script: Script, log: str, point: Point, ended: Outcome) -> str:
    seen = changing_points(log, _mark(script))
    if ended.status != -signal.SIGKILL:
        return f"the process was not killed, it ended with {ended.status} {ended.errors[-200:]}"
    if len(seen) != point.number or seen[-1].name != point.name:
        return f"the kill came at changing call {len(seen)} and not {point.number}"
    return ""


def _mark(script: Script) -> str:
    return f"MARK {len(script.steps) - 1}"
