"""Kill -9 of git itself while it records a save, and git that lives on after the process that started it."""

import glob
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence

from tests.reliability.harness.expected_files import allowed
from tests.reliability.harness.figure import Effort, Figure, needs_strace, not_run
from tests.reliability.harness.processes import environment, in_parallel, run, worker_command
from tests.reliability.harness.recovery import recovery_problems
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.strace import CHANGING, Point, changing_points
from tests.reliability.harness.worker_process import Step, done
from tests.reliability.killed_writer import SCRIPTS, Script, template

__all__ = ["git_kill_figures", "orphan_figures", "replay_figure"]

_STEPS: tuple[Step, ...] = (("save", "fresh", 1),)
_TRACED = ",".join(f"?{name}" for name in CHANGING)
_SHIM = """#!/bin/sh
case " $* " in
*" {verb} "*) {then} ;;
*) exec {git} "$@" ;;
esac
"""


def git_kill_figures(effort: Effort, *, count: int = 8) -> list[Figure]:
    """Return one figure for each git command on the way of a save."""
    what = "kill -9 of git at every changing call"
    because = needs_strace() or ("" if shutil.which("git") else "needs git")
    if because:
        return [not_run(what, because)]
    first, later = SCRIPTS[0], SCRIPTS[1]
    return [
        _figure(f"{what}: init", "init", Script("first", first.before, _STEPS), effort, count),
        _figure(f"{what}: fast-import", "fast-import", Script("later", later.before, _STEPS), effort, count),
    ]


def orphan_figures() -> list[Figure]:
    """Kill the process that started git and reopen while git is still at work."""
    what = "git outlives its killed parent"
    if not shutil.which("git"):
        return [not_run(what, "needs git")]
    with scratch() as folder:
        script = Script("orphan", SCRIPTS[1].before, _STEPS)
        place = template(script, os.path.join(folder, "orphan"))
        problems = _orphaned(script, place, folder)
    return [Figure(what, "1 orphan, its changes in history once", problems)]


def replay_figure() -> Figure:
    """Find the journal of a burst again after history has it, as a kill between the two leaves it."""
    with scratch() as folder:
        place = Place(folder)
        memory = place.memory()
        for name in ("alpha", "beta"):
            done(memory, ("save", name, 1))
        memory.history.list()
        for name in ("burst", "alpha", "beta"):
            _edited_outside(place, f"reference_{name}.md")
            done(memory, ("save", name, 2))
        shutil.copy(os.path.join(place.state, "journal"), os.path.join(folder, "journal"))
        before = [entry.id for entry in memory.history.list()]
        shutil.copy(os.path.join(folder, "journal"), os.path.join(place.state, "journal.closed"))
        after = [entry.id for entry in place.memory().history.list()]
    problems = [] if before == after else [f"history grew from {len(before)} to {len(after)} operations"]
    return Figure("a journal that history has already", f"{len(before)} operations, each once", problems)


def _edited_outside(place: Place, file: str) -> None:
    if os.path.exists(place.full(file)):
        with open(place.full(file), "a", encoding="utf-8") as opened:
            opened.write("Someone else was here.\n")


def _figure(what: str, verb: str, script: Script, effort: Effort, count: int) -> Figure:
    with scratch() as folder:
        start = template(script, os.path.join(folder, "template"))
        points = min((_points(start, folder, name, verb) for name in ("counted", "recounted")), key=len)
        chosen = effort.some(points, count)
        problems = in_parallel(lambda point: _killed(script, start, folder, verb, point), chosen)
    found = [problem for each in problems for problem in each]
    figure = f"{len(chosen)} of {len(points)} kills, {sum(map(bool, problems))} with anything wrong after"
    return Figure(what, figure, found if points else ["no changing call of git was seen"])


def _points(start: Place, folder: str, name: str, verb: str) -> list[Point]:
    place = start.copied(os.path.join(folder, name))
    _run(place, folder, name, verb, "")
    (log,) = glob.glob(os.path.join(folder, f"{name}.log.*"))
    return changing_points(log)


def _killed(script: Script, start: Place, folder: str, verb: str, point: Point) -> list[str]:
    """Kill git at one point; it may take another way now and then, so there are three attempts."""
    for attempt in range(3):
        name = f"{verb}-{point.number}-{attempt}"
        place = start.copied(os.path.join(folder, name))
        tampering = f"-e inject={point.name}:signal=KILL:when={point.ordinal}"
        acknowledged = _run(place, folder, name, verb, tampering)
        if not _was_killed(os.path.join(folder, f"{name}.log")):
            point = _aimed_again(point, os.path.join(folder, f"{name}.log"))
            continue
        if not acknowledged:
            return [f"{point}: the save was not acknowledged"]
        found = recovery_problems(place, allowed(script.ledgers, 1, in_flight=False), acknowledged)
        found += [f"a notice: {notice}" for notice in place.memory().doctor.status().notices]
        return [f"{point}: {problem}" for problem in found]
    return [f"{point}: git was not killed"]


def _aimed_again(point: Point, log: str) -> Point:
    """Return the same point as a run that was not killed passed it: how often git opens files varies."""
    for path in glob.glob(f"{log}.*"):
        for seen in changing_points(path):
            if (seen.number, seen.name) == (point.number, point.name):
                return seen
    return point


def _was_killed(log: str) -> bool:
    """Tell whether one of the gits was killed; the next try of the same save may get through."""
    for path in glob.glob(f"{log}.*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            if "killed by SIGKILL" in file.read():
                return True
    return False


def _run(place: Place, folder: str, name: str, verb: str, tampering: str) -> Sequence[str]:
    """Save once with a git that is traced, and killed if asked; return the acknowledged operations."""
    log = os.path.join(folder, f"{name}.log")
    strace = f'exec {shutil.which("strace")} -y -o {log}.$$ -e trace={_TRACED} {tampering} {_git()} "$@"'
    ended = run(worker_command(place, _STEPS), PATH=_shim(os.path.join(folder, f"{name}.bin"), verb, strace))
    return [str(said[0]) for said in ended.acknowledged.values()]


def _shim(folder: str, verb: str, then: str) -> str:
    """Put a git in a folder of its own that does something else for one command; return the folder."""
    os.mkdir(folder)
    path = os.path.join(folder, "git")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_SHIM.format(verb=verb, then=then, git=_git()))
    os.chmod(path, 0o755)  # noqa: S103 - a program
    return folder


def _orphaned(script: Script, place: Place, folder: str) -> list[str]:
    started, ended = os.path.join(folder, "started"), os.path.join(folder, "ended")
    slow = f'echo $$ > {started}; /bin/sleep 1; {_git()} "$@"; echo > {ended}'
    shim = _shim(os.path.join(folder, "bin"), "fast-import", slow)
    child = subprocess.Popen(
        worker_command(place, _STEPS),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(PATH=shim),
    )
    with child:
        was_started = _appears(started)
        child.send_signal(signal.SIGKILL)
        child.wait()
    expected = allowed(script.ledgers, 0, in_flight=True)
    problems = recovery_problems(place, expected, clean=False)
    if not (was_started and _appears(ended)):
        problems.append("git never ran as an orphan")
    time.sleep(0.1)
    return problems + recovery_problems(place, {**expected, "next": {"next/1"}}) + _unsound(place)


def _unsound(place: Place) -> list[str]:
    command = [_git(), "--git-dir", place.history, "fsck", "--strict", "--no-dangling"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [f"git fsck: {done.stderr[-300:]}"] if done.returncode else []


def _appears(path: str) -> bool:
    for _ in range(200):
        if os.path.exists(path):
            return True
        time.sleep(0.05)
    return False


def _git() -> str:
    return shutil.which("git") or "git"
