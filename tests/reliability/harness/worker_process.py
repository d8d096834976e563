"""A process that does what it is told to a memory directory and acknowledges each step on its output.

Run as `python worker_process.py DIRECTORY STATE STEPS`; the steps are a JSON list of [verb, argument…].
Before a step it writes `MARK <number>`, after it `ACK <number> <result>` or `NAK <number> <error>`, each in
one system call.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from memdir.errors import MemdirError
from memdir.memories.change import Saved
from memdir.memories.topic import Draft
from memdir.memory import Memory
from tests.reliability.harness.marked_bodies import body_of

__all__ = ["Step", "done", "main"]

Step = Sequence[object]
"""A verb and its arguments, as JSON carries them."""


def done(memory: Memory, step: Step) -> object:
    """Do one step and return what can be checked later: the operation and the files."""
    verb, *rest = step
    arguments = [str(argument) for argument in rest]
    if verb == "save":
        saved = _saved(memory, arguments[0], int(arguments[1]))
        return [saved.operation, saved.file]
    if verb == "many":
        drafts = [Draft(body_of(name, 1), "reference", name, _description(name, 1)) for name in arguments]
        return [saved.operation for saved in memory.transfer.remember_many(drafts)]
    if verb == "forget":
        return [memory.forget(arguments[0]).operation]
    if verb == "rename":
        return [memory.rename(arguments[0], arguments[1]).operation]
    if verb == "undo":
        return [memory.undo().operation]
    raise ValueError(f"{verb!r} is no step of this worker")


def main(directory: str, state: str, steps: Sequence[Step], first: int = 0) -> None:
    """Do the steps in order, each with a handle of its own, as one process after another would."""
    for number, step in enumerate(steps, first):
        memory = Memory.at(directory, state=state)
        _say(f"MARK {number}")
        try:
            result = done(memory, step)
        except Exception as error:  # noqa: BLE001 - whatever went wrong is reported, and judged by the case
            ours = isinstance(error, MemdirError)
            _say(f"NAK {number} {json.dumps([ours, f'{type(error).__name__}: {error}'])}")
        else:
            _say(f"ACK {number} {json.dumps(result)}")


def _say(line: str) -> None:
    # Not os.write: a case that refuses every write from a moment on must still hear from us.
    os.writev(1, [f"{line}\n".encode()])


def _saved(memory: Memory, name: str, version: int) -> Saved:
    return memory.remember(
        body_of(name, version), kind="reference", name=name, description=_description(name, version)
    )


def _description(name: str, version: int) -> str:
    return f"Where {name} stands at version {version}"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
