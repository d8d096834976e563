"""Kill -9 before every step of the write primitive, by its own hook: for machines without strace.

Run as `python killed_steps.py SCRIPT…`, it prints a JSON list of [script, kills, problems]. A process of its
own, so that the many forks start small and nobody's threads are copied.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from memdir.disk import files
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.processes import environment, outcome
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.step_kill import kill_before
from tests.reliability.harness.worker_process import main as work
from tests.reliability.killed_writer import SCRIPTS, Script, after, template

__all__ = ["step_kill_figures"]

_MOST_STEPS = 300
"""No operation takes a tenth of this; it ends the loop when the hook does not kill."""


def step_kill_figures(names: Sequence[str]) -> list[Figure]:
    """Return one figure a script, from a process that forks one child for each step."""
    command = [sys.executable, __file__, *names]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=600, check=False
    )
    if done.returncode:
        return [Figure("kill -9 at every step of the write primitive", "", [done.stderr[-2000:]])]
    return [
        Figure(f"kill -9 at every step of the write primitive: {name}", f"{kills} kills", problems)
        for name, kills, problems in json.loads(done.stdout)
    ]


def _every_step(script: Script) -> tuple[str, int, list[str]]:
    problems: list[str] = []
    with scratch() as folder:
        start = template(script, os.path.join(folder, "template"))
        number = 0
        while number < _MOST_STEPS:
            number += 1
            place = start.copied(os.path.join(folder, str(number)))
            status, said = _killed_at(script, place, number)
            if os.WIFEXITED(status) and len(outcome(0, said).acknowledged) == len(script.steps):
                break
            if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
                problems.append(f"step {number}: the process was not killed, its status is {status}")
            problems += [f"step {number}: {found}" for found in after(script, place, outcome(-9, said))]
    return script.name, number - 1, problems if number > 1 else ["no step was seen"]


def _killed_at(script: Script, place: Place, number: int) -> tuple[int, bytes]:
    """Fork a child that kills itself before a step; return how it ended and what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writing, 1)
        _work_and_die(script, place, number)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = pipe.read()
    return os.waitpid(child, 0)[1], said


def _work_and_die(script: Script, place: Place, number: int) -> None:
    try:
        work(place.directory, place.state, script.steps[:-1])
        files.on_step = kill_before(number)
        work(place.directory, place.state, script.steps[-1:], len(script.steps) - 1)
    finally:
        os._exit(0)


if __name__ == "__main__":
    chosen = [script for script in SCRIPTS if script.name in sys.argv[1:]]
    print(json.dumps([_every_step(script) for script in chosen]))
