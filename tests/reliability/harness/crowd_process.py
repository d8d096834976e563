"""One process of a crowd on one memory directory: it saves, updates, counts or reads until it is done.

Run as `python crowd_process.py ROLE DIRECTORY STATE NAME COUNT`; it prints a line per acknowledged step.
"""

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from memdir.errors import Conflict, MemdirError
from memdir.memory import Memory
from tests.reliability.harness.marked_bodies import body_of, torn

__all__ = ["GO", "ROLES", "STOP"]

GO, STOP = "go", "stop"
"""Files beside the directory: all wait for the first, readers end with the second."""

_KINDS = ("reference", "user", "feedback", "project")
_POINTER = re.compile(r"- \[[^\]]+\]\((?:\.\./)?([^)]+\.md)\)(?: — .+)?")
_COUNTER = re.compile(r"The counter stands at (\d+)\.")


def _save(memory: Memory, name: str, count: int) -> None:
    for number in range(count):
        own = f"{name}-{number}"
        saved = memory.remember(
            body_of(own, 1),
            kind=_KINDS[number % 4],
            name=own,
            description=f"What {own} wants to be known for",
        )
        _say(own, saved.file)


def _update(memory: Memory, name: str, count: int) -> None:
    for number in range(count):
        version = int(name) + number
        saved = memory.remember(
            body_of("shared", version), kind="reference", name="shared", description="Ours"
        )
        _say(f"shared/{version}", saved.operation)


def _count(memory: Memory, name: str, count: int) -> None:
    """Add one so many times, reading and writing as an editor does: a lost update would be a lost number."""
    done = 0
    while done < count:
        topic = memory.read("counter")
        present = int(_COUNTER.findall(topic.text)[0])
        try:
            memory.edit(topic, _COUNTER.sub(f"The counter stands at {present + 1}.", topic.text))
        except Conflict:
            continue
        done += 1
        _say(name, str(present + 1))


def _read(memory: Memory, name: str, count: int) -> None:
    """Read files as any other program would, until told to stop, and tell what was torn."""
    chance, looks, problems = random.Random(name), 0, list[str]()
    while not os.path.exists(os.path.join(os.path.dirname(memory.directory), STOP)):
        looks += 1
        time.sleep(0.002)  # two readers must not keep the writers from both cores
        files = [name for name in _names(memory.directory) if name.endswith(".md") and name != "MEMORY.md"]
        for file in chance.sample(files, min(count, len(files))):
            if torn(_text(memory, file)):
                problems.append(f"{file} is torn")
        problems += _index_problems(memory)
        if looks % 20 == 0 and len(memory.list()) < len(files):
            problems.append("a reader's list is shorter than the directory was before")
    _say(str(looks), json.dumps(problems[:20]))


def _watch(memory: Memory, name: str, _: int) -> None:
    """List and read one memory that others keep replacing: it is there at every moment."""
    looks, problems = 0, list[str]()
    while not os.path.exists(os.path.join(os.path.dirname(memory.directory), STOP)):
        looks += 1
        try:
            if [header.name for header in memory.list()] != [name]:
                problems.append("the list misses a memory that is being replaced")
            if torn(memory.read(name).text):
                problems.append("a read is torn")
            if memory.context.index().content.count("](") != 1:
                problems.append(f"the view shows {memory.context.index().content!r}")
        except MemdirError as error:
            problems.append(f"{type(error).__name__}: {error}")
    _say(str(looks), json.dumps(problems[:20]))


def _save_many(memory: Memory, name: str, count: int) -> None:
    """Replace one memory over and over as an editor does, without memdir and without a pause."""
    path = os.path.join(memory.directory, memory.read(name).header.file)
    text, temp = _text(memory, path), os.path.join(os.path.dirname(memory.directory), "next")
    for _ in range(count):
        with open(temp, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temp, path)


def _index_problems(memory: Memory) -> list[str]:
    hubs = _names(os.path.join(memory.directory, "hubs"))
    names = [f"hubs/{name}" for name in hubs if name[0] != "."]
    problems = []
    for name in ("MEMORY.md", *names):
        text = _text(memory, name)
        if text and not text.endswith("\n"):
            problems.append(f"{name} ends within a line")
        for line in text.split("\n"):
            match = _POINTER.fullmatch(line)
            if line.startswith("- ") and match is None:
                problems.append(f"{name} has the torn line {line!r}")
            elif match and not os.path.exists(os.path.join(memory.directory, match[1])):
                problems.append(f"{name} points at {match[1]} before it is there")
    return problems


def _names(folder: str) -> list[str]:
    return os.listdir(folder) if os.path.isdir(folder) else []


def _text(memory: Memory, file: str) -> str:
    try:
        with open(os.path.join(memory.directory, file), encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""


def _say(*words: str) -> None:
    os.write(1, (" ".join(words) + "\n").encode())


ROLES: dict[str, Callable[[Memory, str, int], None]] = {
    "save": _save,
    "update": _update,
    "count": _count,
    "read": _read,
    "watch": _watch,
    "flood": _save_many,
}


if __name__ == "__main__":
    role, directory, state, name, count = sys.argv[1:]
    while not os.path.exists(os.path.join(os.path.dirname(directory), GO)):
        time.sleep(0.005)
    ROLES[role](Memory.at(directory, state=state), name, int(count))
