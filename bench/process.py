"""Programs under measurement: run once and weighed, or kept running and asked one line at a time."""

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

__all__ = ["Finished", "Served", "run_once"]


@dataclass(frozen=True, slots=True)
class Finished:
    """What one process cost from start to end."""

    seconds: float
    cpu: float
    """User and system time of the process, in seconds."""
    output: str


def run_once(command: Sequence[str], env: Mapping[str, str], given: str = os.devnull) -> Finished:
    """Run a program to its end, with a file as its input; a failure is an error of the benchmark."""
    begun = time.perf_counter()
    with open(given, "rb") as stdin:
        process = subprocess.Popen(command, env=env, stdin=stdin, stdout=subprocess.PIPE, text=True)
    with process:
        output = process.stdout.read() if process.stdout else ""
        return _ended(process, begun, output)


class Served:
    """A running program that does one piece of work per line and answers with one line of JSON."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Start it; it waits for the first line."""
        self._begun = time.perf_counter()
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.finished: Finished | None = None

    def ask(self, verb: str, *words: object, **argument: Any) -> dict[str, Any]:
        """Have one piece of work done, with plain words or one JSON object, and return what it reports."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("The process was started without pipes.")
        parts = [verb, *map(str, words), *([json.dumps(argument)] if argument else [])]
        self._process.stdin.write(" ".join(parts) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{verb!r} was not answered: the measured program ended early.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let it come to its end by itself and keep what it cost."""
        if self._process.stdin:
            self._process.stdin.close()
        self.finished = _ended(self._process, self._begun, "")
        if self._process.stdout:
            self._process.stdout.close()


def _ended(process: "subprocess.Popen[str]", begun: float, output: str) -> Finished:
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{process.args!r} ended with {process.returncode}.")
    return Finished(seconds, usage.ru_utime + usage.ru_stime, output)
