"""Run a pipe of read-only programs without a shell, within limits of time and output."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from threading import Event, Thread

from memdir.models.protocol import Cancel, Message
from memdir.workers.file_tools import MAX_RESULT, failure, success

__all__ = ["SHELL_SECONDS", "run_pipeline"]

SHELL_SECONDS = 10.0
"""Seconds that a command may take; a longer one reads too much or waits for something."""

_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
_MOST_BYTES = 4 * MAX_RESULT
_TICK = 0.02


def run_pipeline(
    stages: Sequence[Sequence[str]], folder: str, *, seconds: float, cancel: Cancel | None = None
) -> Message:
    """Return what the last program of a pipe says; the others feed it. All have ended when this returns."""
    if os.name != "posix":
        return failure("There is no such shell on this system. Use read, grep and glob.")
    programs: list[subprocess.Popen[bytes]] = []
    done, late = Event(), Event()
    try:
        _start(programs, stages, folder)
        Thread(target=_watch, args=(programs, done, late, cancel, seconds), daemon=True).start()
        data = _output(programs[-1])
    except OSError as error:
        return failure(f"{stages[len(programs)][0]} could not be run: {error.strerror}. Use read and grep.")
    finally:
        done.set()
        for program in programs:
            with program:  # which waits, and closes its output
                program.kill()
    if late.is_set():
        return failure(f"The command was ended after {seconds:g} seconds or called off. Look at less.")
    text = data.decode("utf-8", "replace")
    # With 1 grep says that it found nothing; a program that we ended has a negative code.
    wrong = programs[-1].returncode > (stages[-1][0] == "grep")
    return failure(text or "The command failed.") if wrong else success(text)


def _start(programs: list[subprocess.Popen[bytes]], stages: Sequence[Sequence[str]], folder: str) -> None:
    """Start the programs, each reading what the one before it says."""
    for number, words in enumerate(stages):
        before = programs[-1].stdout if programs else None
        programs.append(
            subprocess.Popen(
                list(words),
                stdin=before or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if number == len(stages) - 1 else subprocess.DEVNULL,
                cwd=folder,
                env=_ENVIRONMENT,
            )
        )
        if before is not None:
            before.close()


def _output(program: subprocess.Popen[bytes]) -> bytes:
    """Return what a program says, up to the bound; if that is all, wait to learn how it ended."""
    data = program.stdout.read(_MOST_BYTES + 1) if program.stdout else b""
    if len(data) <= _MOST_BYTES:
        program.wait()
    return data


def _watch(
    programs: list[subprocess.Popen[bytes]], done: Event, late: Event, cancel: Cancel | None, seconds: float
) -> None:
    """End the programs when the time is up or nobody wants the answer any more."""
    left = seconds
    while left > 0 and not (cancel is not None and cancel.is_set()):
        if done.wait(_TICK):
            return
        left -= _TICK
    late.set()
    for program in programs:
        program.kill()
