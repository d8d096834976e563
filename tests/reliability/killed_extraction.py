"""Kill -9 of an extraction before every step that changes the disk; whoever looks next finishes it.

Run as `python killed_extraction.py STRIDE`, it prints a JSON list of [method, kills, problems]. A process of
its own, so that the many forks start small and nobody's threads are copied.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from memdir.conversation.cursors import Cursors
from memdir.disk import files
from memdir.memory import Memory
from memdir.models.protocol import ToolCall
from memdir.workers.queue import RequestQueue
from tests.flows.talks import TUESDAYS, memo, memory_in, scripted, transcript, write
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.harness.processes import environment
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.step_kill import kill_before

__all__ = ["extract_kill_figures"]

_MOST_STEPS = 400
"""No extraction takes a fifth of this; it ends the loop when the hook does not kill."""


def extract_kill_figures(effort: Effort) -> list[Figure]:
    """Return one figure a method, from a process that forks a child for each step, or for every few."""
    command = [sys.executable, __file__, str(effort.size(1, 9))]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=600, check=False
    )
    if done.returncode:
        return [Figure("kill -9 of an extraction", "", [done.stderr[-2000:]])]
    return [
        Figure(f"kill -9 of an extraction ({method}) before a step", f"{kills} kills", problems)
        for method, kills, problems in json.loads(done.stdout)
    ]


def _model(folder: Path) -> Memory:
    return memory_in(
        folder,
        model=scripted(
            write("project_deploys.md", memo("project", "deploys", "Deploys are on Tuesdays only.")),
            write("user_role.md", memo("user", "role", "The user is a data scientist."), "m3"),
            write("reference_wiki.md", memo("reference", "wiki", "Designs are in the wiki."), "m2"),
            ToolCall("f", "forget", {"path": "project_old.md", "message": "m1"}),
        ),
    )


_METHODS: dict[str, Callable[[Path], Memory]] = {"offline": memory_in, "model": _model}


def _every_step(method: str, stride: int) -> tuple[str, int, list[str]]:
    opened, problems, kills = _METHODS[method], list[str](), 0
    with scratch() as folder:
        start = Place(os.path.join(folder, "template"))
        _prepare(Path(start.root))
        whole = start.copied(os.path.join(folder, "whole"))
        opened(Path(whole.root)).jobs.work(30)
        wanted, old = _found(whole), _texts(start)
        for number in range(1, _MOST_STEPS, stride):
            place = start.copied(os.path.join(folder, str(number)))
            if not _killed_at(opened, place, number):
                break
            kills += 1
            problems += [f"step {number}: {problem}" for problem in _torn(place, old, _texts(whole))]
            opened(Path(place.root)).jobs.work(30)
            for what, found in _found(place).items():
                if found != wanted[what]:
                    problems.append(f"step {number}: {what} is {found} instead of {wanted[what]}")
    return method, kills, problems if kills else ["no step was seen"]


def _prepare(folder: Path) -> None:
    memory = memory_in(folder)
    memory.remember("The old cluster is gone.", kind="project", name="old")
    talk = folder / "00000000-0000-4000-8000-000000000000.jsonl"
    transcript(
        talk,
        ("user", TUESDAYS),
        ("assistant", "Designs are in the wiki."),
        ("user", "I am a data scientist by training."),
    )
    memory.jobs.turn_ended(talk)


def _found(place: Place) -> dict[str, object]:
    """Return all that has to be the same whether a process was killed or not."""
    memory = memory_in(Path(place.root))
    key = "00000000-0000-4000-8000-000000000000"
    cursor = Cursors(place.state).of(key)
    unfinished = os.path.join(place.state, "unfinished", "extract")
    return {
        "memory": {name: text for name, text in _texts(place).items() if name != "MEMORY.md"},
        "index": sorted(_texts(place)["MEMORY.md"].splitlines()),
        "inbox": [proposal.files for proposal in memory.inbox.list()],
        "cursor": cursor.line if cursor else None,
        "extractions": sum(entry.verb == "extract" for entry in memory.history.list()),
        "waiting": len(RequestQueue(place.state, "extract").waiting_requests()),
        "unfinished": os.listdir(unfinished) if os.path.isdir(unfinished) else [],
        "temporary": [name for name in os.listdir(place.directory) if name.startswith(".")],
    }


def _texts(place: Place) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(Path(place.directory).glob("*.md"))}


def _torn(place: Place, old: dict[str, str], new: dict[str, str]) -> list[str]:
    """Return the memories that are neither as before nor as after."""
    return [
        f"{name} is torn"
        for name, text in _texts(place).items()
        if name != "MEMORY.md" and text not in (old.get(name), new.get(name))
    ]


def _killed_at(opened: Callable[[Path], Memory], place: Place, number: int) -> bool:
    """Fork a child that kills itself before a step; tell whether it came to that."""
    child = os.fork()
    if not child:
        try:
            _work_and_die(opened, place, number)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _work_and_die(opened: Callable[[Path], Memory], place: Place, number: int) -> None:
    files.on_step = kill_before(number)
    opened(Path(place.root)).jobs.work(30)


if __name__ == "__main__":
    print(json.dumps([_every_step(method, int(sys.argv[1])) for method in _METHODS]))
