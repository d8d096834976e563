"""Starts worker processes on a place, bounded in time, and reads what they acknowledged."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import memdir
from tests.reliability.harness import worker_process
from tests.reliability.harness.sandbox import Place

__all__ = ["Outcome", "environment", "in_parallel", "outcome", "run", "worker_command"]

T = TypeVar("T")
R = TypeVar("R")

SECONDS = 120
"""No single child needs more than a few seconds; a child that hangs must not hang the suite."""

CORES = 2
"""Jobs at a time: what every machine of the project has."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a worker ended and what it had said until then."""

    status: int
    """As subprocess has it: negative for the signal that ended it."""
    acknowledged: dict[int, list[str]]
    """By the number of the step: the operation and what belongs to it."""
    refused: dict[int, tuple[bool, str]]
    """By the number of the step: whether the error is one of ours, and what it says."""
    marked: int
    """The last step that was begun, -1 if none was."""
    errors: str


def worker_command(place: Place, steps: Sequence[worker_process.Step]) -> list[str]:
    """Return the command that does these steps in a process of its own."""
    return [sys.executable, worker_process.__file__, place.directory, place.state, json.dumps(steps)]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of every child: the source under test first, nothing random, no settings."""
    source = os.path.dirname(os.path.dirname(memdir.__file__ or ""))
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR", "MEMDIR_WEIGHTS") if name in os.environ
    }
    return {**kept, "PYTHONPATH": source, "PYTHONHASHSEED": "0", "HOME": os.path.abspath(os.sep), **more}


def run(command: Sequence[str], *, seconds: float = SECONDS, **more: str) -> Outcome:
    """Run a worker to its end and read what it said."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**more),
    ) as child:
        try:
            said, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            said, errors = child.communicate()
            errors += b"\nended by the test: it took too long"
    return outcome(child.returncode, said, errors.decode("utf-8", "replace"))


def outcome(status: int, said: bytes, errors: str = "") -> Outcome:
    """Read the lines of a worker; a line that a kill cut off counts as not said."""
    acknowledged: dict[int, list[str]] = {}
    refused: dict[int, tuple[bool, str]] = {}
    marked = -1
    for line in said.decode("utf-8", "replace").split("\n")[:-1]:
        word, number, rest = (*line.split(" ", 2), "")[:3]
        if word == "MARK":
            marked = int(number)
        elif word == "ACK":
            acknowledged[int(number)] = json.loads(rest)
        elif word == "NAK":
            ours, message = json.loads(rest)
            refused[int(number)] = (ours, message)
    return Outcome(status, acknowledged, refused, marked, errors)


def in_parallel(job: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Do one job for each item, as many at a time as there are cores, and keep the order."""
    with ThreadPoolExecutor(CORES) as pool:
        return list(pool.map(job, items))
