"""Runs one function in a process that permissions bind: as it is, or as another user when we are root.

Run as `python somebody.py MODULE FUNCTION ARGUMENT USER`, it prints what the function returns as JSON.
Root's interpreter may lie where nobody else can read, so everything is imported before root is given up.
"""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.reliability.harness.processes import SECONDS, environment
from tests.reliability.harness.sandbox import NOBODY, Place, scratch
from tests.reliability.harness.worker_process import done

__all__ = ["as_somebody", "as_us"]


def as_somebody(function: Callable[[str], list[str]], argument: str) -> list[str]:
    """Return what a function finds when a user runs it whom permissions stop."""
    return _elsewhere(function, argument, str(NOBODY if _is_root() else -1))


def as_us(function: Callable[[str], list[str]], argument: str) -> list[str]:
    """Return what a function finds in a process of its own, as the user we are."""
    return _elsewhere(function, argument, "-1")


def _elsewhere(function: Callable[[str], list[str]], argument: str, user: str) -> list[str]:
    command = [sys.executable, __file__, function.__module__, function.__name__, argument, user]
    ended = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=SECONDS, check=False, cwd=os.sep
    )
    if ended.returncode:
        return [f"{function.__name__} ended with {ended.returncode}: {ended.stderr[-400:]}"]
    problems: list[str] = json.loads(ended.stdout.splitlines()[-1])
    return problems


def _is_root() -> bool:
    return os.geteuid() == 0


def _warm_up() -> None:
    """Load every module that a verb loads when it is first used."""
    with scratch() as folder:
        memory = Place(folder).memory()
        for step in (("save", "a", 1), ("save", "a", 2), ("rename", "a", "b"), ("forget", "b"), ("undo",)):
            done(memory, step)
        for verb in (
            memory.context.index,
            memory.history.list,
            memory.doctor.status,
            memory.history.diff,
            lambda: memory.doctor.examine(fix=True),
        ):
            verb()
        memory.history.restore("b")


def _become(user: int) -> None:
    if user >= 0:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


if __name__ == "__main__":
    module, name, argument, user = sys.argv[1:]
    found = getattr(importlib.import_module(module), name)
    _warm_up()
    _become(int(user))
    print(json.dumps(found(argument)))
