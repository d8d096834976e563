"""One listing, checked to be complete, and its yardstick: the C program that reads the same files."""

import os
import shutil
from dataclasses import dataclass

from bench.ground import Ground
from bench.process import Served, run_once
from bench.topics import NEWEST, Filled

__all__ = ["Listed", "checked_list", "fresh_listing", "reading_seconds", "without_state"]


@dataclass(frozen=True, slots=True)
class Listed:
    """What a fresh process needed to list memories."""

    seconds: float
    """Import of memdir, opening and the call: the whole process less a bare interpreter."""
    whole: float
    """From the start of the process to its end."""
    cpu: float
    """Processor time of that, with the processes that it started itself."""
    peak: int
    """Bytes resident at most."""


def reading_seconds(ground: Ground, memories: Filled) -> float:
    """Time the C program's whole run over a directory, less its run over an empty one right after."""
    empty = ground.path("empty")
    os.makedirs(empty, exist_ok=True)
    program = ground.program("yardstick_read")
    run = run_once([program, memories.directory], ground.env)
    if int(run.output.split()[0]) < memories.count:
        raise RuntimeError(f"The yardstick read {run.output!r} instead of {memories.count} files.")
    return run.seconds - run_once([program, empty], ground.env).seconds


def fresh_listing(ground: Ground, memories: Filled, state: str, limit: int | None, *before: str) -> Listed:
    """List in a process of its own, with what the state folder holds."""
    with ground.subject(memories.directory, state, *before) as subject:
        opening = float(subject.ask("open")["seconds"])
        seconds = checked_list(subject, memories, limit)
        peak = int(subject.ask("peak")["bytes"])
    if subject.finished is None:
        raise RuntimeError("The process was not weighed.")
    return Listed(opening + seconds, subject.finished.seconds, subject.finished.cpu, peak)


def checked_list(subject: Served, memories: Filled, limit: int | None = None) -> float:
    """Have a process list memories; every one must be there, newest first."""
    answer = subject.ask("list", limit=limit)
    if answer["digest"] != (memories.digest if limit is None else memories.newest):
        expected = memories.count if limit is None else NEWEST
        raise RuntimeError(f"The list is wrong: {answer['count']} headers where {expected} are right.")
    return float(answer["seconds"])


def without_state(state: str) -> str:
    """Return a state folder that holds nothing, so that no catalog can help."""
    shutil.rmtree(state, ignore_errors=True)
    return state
