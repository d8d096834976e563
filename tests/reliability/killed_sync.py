"""Kill -9 while a machine receives many memories: nothing is torn, and the next sync goes on.

Run as `python killed_sync.py KIND`, it prints a JSON list of the number of kills and the problems.
"""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from memdir.disk import files
from tests.conformance.remotes import Machine, Shared
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.processes import environment
from tests.reliability.harness.sandbox import scratch
from tests.reliability.harness.step_kill import kill_before

__all__ = ["receive_kill_figure"]

_COUNT = 60
"""Memories: enough that they are made durable all at once."""

_STRIDE = 17
"""A kill at each so manieth step: they fall into every part of it, of a file and of the whole."""

_FEW = 5


def receive_kill_figure(kind: str) -> Figure:
    """Return what kills of a receiving machine cost, from a process that forks one child for each."""
    command = [sys.executable, __file__, kind]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=600, check=False
    )
    title = f"kill -9 while {_COUNT} memories are received from a {kind} remote"
    if done.returncode:
        return Figure(title, "", [done.stderr[-2000:]])
    kills, problems = json.loads(done.stdout)
    return Figure(title, f"{kills} kills", problems)


def _all_kills(kind: str) -> tuple[int, list[str]]:
    problems, kills, midst = list[str](), 0, 0
    with scratch() as folder:
        shared = Shared(kind, Path(folder), lambda: datetime(2026, 11, 15, 9, 30, tzinfo=UTC))
        east = shared.machine("east")
        for number in range(_COUNT):
            east.write(f"note-{number}.md", f"Text {number}.\n")
        east.syncer.sync()
        while _killed(shared, f"west{kills}", 1 + kills * _STRIDE):
            west = shared.machine(f"west{kills}")
            midst = 1 + kills * _STRIDE if 0 < len(west.files()) < _COUNT else midst
            problems += [f"kill {kills}: {found}" for found in _after(west, east)]
            kills += 1
        _killed(shared, "edited", midst)
        problems += _after_an_edit(shared.machine("edited"), east)
    return kills, problems if kills > _FEW else [f"it was killed {kills} times only"]


def _killed(shared: Shared, name: str, step: int) -> bool:
    """Fork a child that kills itself before a step; tell whether it got there."""
    child = os.fork()
    if not child:
        try:
            files.on_step = kill_before(step)
            shared.machine(name).syncer.sync()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _after(west: Machine, east: Machine) -> list[str]:
    """Sync again after a kill, and say what is wrong."""
    before, whole = west.files(), east.files()
    wrong = [f"{file} is torn" for file, data in before.items() if data != whole.get(file)]
    result = west.syncer.sync()
    if result.conflicts or result.pushed or west.files() != whole:
        wrong.append(f"{len(west.files())} files after the next sync: {result.lines()}")
    index = Path(west.memory.directory, "MEMORY.md").read_text()
    wrong += [f"{file} is not in the index" for file in whole if file not in index]
    return wrong + [f"{one} is left" for one in os.listdir(west.memory.directory) if one.startswith(".")]


def _after_an_edit(west: Machine, east: Machine) -> list[str]:
    """Change a memory that arrived before a kill, sync, and say whether one of both texts was lost."""
    file, *others = sorted(west.files())
    if len(others) + 1 == _COUNT:
        return ["all had arrived before the kill, so the edit is an ordinary one"]
    theirs = west.files()[file]
    west.write(file, "Mine.\n")
    west.syncer.sync()
    east.syncer.sync()
    kept = b"".join(east.files().values())
    same = west.files() == east.files() and b"Mine." in kept and theirs in kept
    return [] if same else ["an edit after the kill, or the text that it replaced, was lost"]


if __name__ == "__main__":
    print(json.dumps(_all_kills(sys.argv[1])))
