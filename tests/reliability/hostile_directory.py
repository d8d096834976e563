"""A memory directory full of traps: each costs at most itself, in bounded time and memory."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reliability.harness import visitor_process
from tests.reliability.harness.figure import Effort, Figure, needs_root, not_run
from tests.reliability.harness.marked_bodies import mark_in
from tests.reliability.harness.processes import environment, in_parallel
from tests.reliability.harness.recovery import unchanged
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.traps import SECRET, Trap, traps
from tests.reliability.killed_writer import SCRIPTS, Script, template

__all__ = ["hostile_tree_figures", "visited"]

_SCRIPT = Script("hostile tree", SCRIPTS[1].before, ())
_ASKED_FOR = ("../outside/secret.md", "MEMORY.md", "link.md", "hard.md", "folder/secret.md")
_RESIDENT_KB = 150_000
"""What the visitor may hold: an interpreter and a few copies of the largest file that is read whole."""


@dataclass(slots=True)
class Visited:
    """What a visit cost and what was wrong."""

    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    resident: int = 0


def hostile_tree_figures(effort: Effort) -> list[Figure]:
    """Return a figure for all traps one by one, and one for all of them together."""
    every = list(traps())
    possible = [trap for trap in every if not trap.needs_root or not needs_root()]
    chosen = effort.some(possible, 24)
    visits = in_parallel(lambda trap: visited([trap]), chosen)
    together = visited([trap for trap in possible if "index" not in trap.name and "hub" not in trap.name])
    figures = [
        _figure(f"hostile tree: {len(chosen)} of {len(possible)} traps, one by one", visits),
        _figure("hostile tree: all traps together", [together]),
    ]
    missing = [trap.name for trap in every if trap not in possible]
    return figures + [not_run(f"hostile tree: {name}", needs_root()) for name in missing]


def visited(planted: Sequence[Trap]) -> Visited:
    """Put traps among good memories, use every verb, and say what went wrong."""
    label = planted[0].name if len(planted) == 1 else "together"
    with scratch() as folder:
        place = template(_SCRIPT, os.path.join(folder, "place"))
        outside = _outside(folder)
        before = unchanged(outside)
        for trap in planted:
            trap.put(place.directory, outside)
        found = _visit(place, _ASKED_FOR)
        saves = not any(trap.stops_saves for trap in planted)
        problems = [p for p in found.problems if saves or not p.startswith("save raised StorageError")]
        problems += _costs(place, saves=saves) + _kept(place)
        if unchanged(outside) != before:
            problems.append("something outside was changed")
    return Visited([f"{label}: {problem}" for problem in problems], found.seconds, found.resident)


def _figure(what: str, visits: Sequence[Visited]) -> Figure:
    slowest, largest = max(v.seconds for v in visits), max(v.resident for v in visits)
    figure = f"slowest {slowest:.1f} s for all verbs, largest {largest / 1024:.0f} MB resident"
    return Figure(what, figure, [problem for each in visits for problem in each.problems])


def _outside(folder: str) -> str:
    outside = os.path.join(folder, "outside")
    os.mkdir(outside, 0o755)
    for name, mode in (("secret.md", 0o644), ("open.md", 0o666)):
        with open(os.path.join(outside, name), "w", encoding="utf-8") as file:
            file.write(f"---\nname: outside\ndescription: {SECRET}\n---\n\n{SECRET}\n")
        os.chmod(os.path.join(outside, name), mode)
    return outside


def _visit(place: Place, names: Sequence[str]) -> Visited:
    command = [sys.executable, visitor_process.__file__, place.directory, place.state, *names]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            env=environment(),
            timeout=2 * visitor_process.CPU_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Visited(["the visit took too long"])
    if done.returncode:
        return Visited(
            [f"the visitor ended with {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-500:]}"]
        )
    said = json.loads(done.stdout)
    found = Visited(list(said["raised"]), said["seconds"], said["resident"])
    if found.resident > _RESIDENT_KB:
        found.problems.append(f"the visit held {found.resident / 1024:.0f} MB")
    if SECRET in said["shown"] or SECRET in _log(place):
        at = said["shown"].find(SECRET)
        found.problems.append(
            f"bytes from outside were shown or kept: {said['shown'][max(0, at - 200) : at + 20]}"
        )
    return found


def _costs(place: Place, *, saves: bool) -> list[str]:
    """Say which good memories suffered."""
    problems = []
    for name, mark in _SCRIPT.ledgers[-1].items():
        with open(place.full(f"reference_{name}.md"), encoding="utf-8") as file:
            if mark_in(file.read()) != mark:
                problems.append(f"{name} is no longer whole")
    listed = {header.name for header in place.memory().list()}
    problems += [f"{name} is not listed" for name in _SCRIPT.ledgers[-1] if name not in listed]
    return problems + (["what was saved beside it is not there"] if saves and "visit" not in listed else [])


def _kept(place: Place) -> list[str]:
    """Say which of our own records hold bytes from outside."""
    problems = []
    for folder, _, names in os.walk(place.state):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                if SECRET.encode() in file.read():
                    problems.append(f"our record {name} holds bytes from outside")
    return problems


def _log(place: Place) -> str:
    command = ["git", "--git-dir", place.history, "log", "-p", "--all"]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
