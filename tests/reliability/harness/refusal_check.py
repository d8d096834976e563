"""Judges what a disk that said no left behind: no false success, and nothing old lost."""

import os
import subprocess

from memdir.errors import MemdirError
from tests.reliability.harness.expected_files import allowed
from tests.reliability.harness.inspection import marks
from tests.reliability.harness.recovery import recovery_problems
from tests.reliability.harness.sandbox import Place
from tests.reliability.harness.worker_process import done
from tests.reliability.killed_writer import Script

__all__ = ["judged", "prose_problems", "tried", "with_prose"]

_SENTENCE = "A sentence that a person wrote into the index."


def judged(script: Script, place: Place, *, acknowledged: bool) -> list[str]:
    """Say what is wrong after the last step of a script was acknowledged, or refused."""
    steps = len(script.steps)
    expected = allowed(script.ledgers, steps if acknowledged else steps - 1, in_flight=not acknowledged)
    problems = [] if acknowledged else _unfindable(script, place, steps)
    return problems + recovery_problems(place, expected) + prose_problems(place)


def tried(place: Place, name: str, version: int) -> str:
    """Save once; return why it was refused, or nothing. Only an error raised on purpose is a refusal."""
    try:
        done(place.memory(), ("save", name, version))
    except MemdirError as error:
        return str(error) or type(error).__name__
    return ""


def with_prose(place: Place) -> Place:
    """Put a person's words into the index, which no refusal may cost them."""
    path = place.full("MEMORY.md")
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# My own heading\n\n{_SENTENCE}\n\n{text}")
    return place


def prose_problems(place: Place) -> list[str]:
    """Say whether the view lost what a person wrote into the index."""
    shown = place.memory().context.index().content
    wanted = "beta" in shown  # the first save of all has no index to put prose into
    return ["a person's words are gone from the index"] if wanted and _SENTENCE not in shown else []


def _unfindable(script: Script, place: Place, steps: int) -> list[str]:
    """Say which old texts are neither in their files nor in history, though the change was refused."""
    old, found = script.ledgers[steps - 1], marks(place.memory())
    replaced = [mark for name, mark in old.items() if found.get(name) != mark]
    if not replaced:
        return []
    place.memory().history.list()
    log = subprocess.run(
        ["git", "--git-dir", place.history, "log", "-p", "--all"], capture_output=True, text=True, check=False
    )
    return [
        f"refused, and the old text {mark} is nowhere"
        for mark in replaced
        if f"BEGIN {mark}\n" not in log.stdout
    ]
