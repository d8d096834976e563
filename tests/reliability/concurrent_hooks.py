"""A thousand hook calls in parallel batches: every one ends well, and nothing of them is left behind."""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from memdir import Memory
from memdir.disk.files import TEMP_PREFIX
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.harness.sandbox import scratch

__all__ = ["hook_figure", "hook_problems"]

_HOOK = os.path.join(os.path.dirname(sys.executable), "memdir-hook")
_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "PostCompact",
    "SessionEnd",
)
_AT_ONCE = 8
_WORKERS_END = 60.0
"""Seconds that workers behind the hooks get to come to their end by themselves."""


def hook_figure(effort: Effort) -> Figure:
    """Call every event many times, eight processes at once, over a few conversations."""
    calls = effort.size(1_000, 60)
    with scratch() as folder:
        problems = hook_problems(Path(folder), calls)
    return Figure(
        f"{calls:,} hook calls, {_AT_ONCE} at once", "no process, lock or temporary file left", problems
    )


def hook_problems(folder: Path, calls: int) -> list[str]:
    """Return what went wrong or was left over."""
    env = {
        "HOME": str(folder / "home"),
        "PATH": os.environ["PATH"],
        "MEMDIR_WEIGHTS": os.environ.get("MEMDIR_WEIGHTS", ""),
    }
    project = folder / "project"
    project.mkdir(parents=True)
    Memory.open(project, env).remember("Deploys go through the blue pipeline.", name="deploys")
    problems = [line for batch in _batches(calls) for line in _called(batch, project, folder, env)]
    end = time.monotonic() + _WORKERS_END
    while (left := _processes(env["HOME"])) and time.monotonic() < end:
        time.sleep(0.1)
    return [*problems, *[f"still running: {one}" for one in left], *_leftover_files(folder)]


def _batches(calls: int) -> Iterator[list[int]]:
    numbers = iter(range(calls))
    while batch := list(itertools.islice(numbers, _AT_ONCE)):
        yield batch


def _called(batch: list[int], project: Path, folder: Path, env: Mapping[str, str]) -> Iterator[str]:
    running = []
    for number in batch:
        event = _EVENTS[number % len(_EVENTS)]
        given = folder / f"{number % _AT_ONCE}.json"
        given.write_text(json.dumps(_said(number, project, folder)))
        with given.open("rb") as stdin:
            process = subprocess.Popen(
                [_HOOK, event], env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        running.append((event, process))
    for event, process in running:
        _, errors = process.communicate(timeout=60)
        if process.returncode or errors:
            yield f"{event} ended with {process.returncode}: {errors.decode()[-300:]}"


def _said(number: int, project: Path, folder: Path) -> dict[str, object]:
    session = f"conversation-{number % 5}"
    transcript = folder / f"{session}.jsonl"
    said = {"role": "user", "content": f"remember that rule {number} says to keep the change log short"}
    with transcript.open("a") as file:
        file.write(json.dumps(said) + "\n")
    return {
        "session_id": session,
        "transcript_path": str(transcript),
        "cwd": str(project),
        "prompt": "which pipeline do deploys go through?",
        "source": "startup",
        "tool_name": "Bash",
        "tool_input": {"command": "ls -la"},
    }


def _processes(home: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environ = (process / "environ").read_bytes()
            command = (process / "cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " ")
        except OSError:
            continue
        if f"HOME={home}\0".encode() in environ:
            found.append(f"{process.name} {command}")
    return found


def _leftover_files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.name.startswith(TEMP_PREFIX) or path.name.endswith((".lock", ".taken", ".waiting")):
            yield f"left behind: {path.relative_to(folder)}"
