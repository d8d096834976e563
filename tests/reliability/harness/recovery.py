"""Opens a memory directory after a disaster and says what is wrong with it: nothing may need a hand."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from memdir.memory import Memory
from tests.reliability.harness.inspection import (
    leftover_files,
    pointer_problems,
    text_problems,
    view_problems,
)
from tests.reliability.harness.marked_bodies import body_of
from tests.reliability.harness.sandbox import Place

__all__ = ["NEXT_SAVE_SECONDS", "next_save", "recovery_problems", "unchanged"]

NEXT_SAVE_SECONDS = 10.0
"""How soon after a crash the next save must have been acknowledged."""

Expected = Mapping[str, set[str]]


def recovery_problems(
    place: Place, expected: Expected, operations: Sequence[str] = (), *, clean: bool = True
) -> list[str]:
    """Look first, then save, then look again; return everything that is not as it must be."""
    problems: list[str] = []
    with _telling(problems, "reading after the disaster"):
        memory = place.memory()
        problems += text_problems(memory, expected)
        problems += view_problems(memory)
    with _telling(problems, "the next save"):
        problems += next_save(place, expected)
    with _telling(problems, "history after the disaster"):
        problems += _history_problems(place.memory(), operations)
    return problems + (leftover_files(place) if clean else [])


def next_save(place: Place, expected: Expected) -> list[str]:
    """Save once more; it must be quick, be there, and leave every pointer right on disk."""
    began = time.monotonic()
    place.memory().remember(
        body_of("next", 1), kind="reference", name="next", description="Where the next stands"
    )
    seconds = time.monotonic() - began
    problems = [f"the next save took {seconds:.1f} s"] if seconds > NEXT_SAVE_SECONDS else []
    problems += text_problems(place.memory(), {**expected, "next": {"next/1"}})
    return problems + pointer_problems(place.directory)


def unchanged(folder: str) -> dict[str, tuple[int, bytes]]:
    """Return everything below a folder, to be compared with itself later: mode, and bytes or link."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = os.path.join(parent, name)
            status = os.lstat(path)
            found[os.path.relpath(path, folder)] = (status.st_mode, _content(path))
    return found


def _content(path: str) -> bytes:
    if os.path.islink(path):
        return os.fsencode(os.readlink(path))
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read(1 << 20)


def _history_problems(memory: Memory, operations: Sequence[str]) -> list[str]:
    known = [entry.id for entry in memory.history.list()]
    problems = [f"history lost the acknowledged operation {o}" for o in operations if o not in known]
    return problems + [f"history holds operation {o} twice" for o in set(known) if known.count(o) > 1]


@contextmanager
def _telling(problems: list[str], doing: str) -> Iterator[None]:
    """Turn whatever is raised into a problem: after a disaster nothing may raise."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - any error at all is a finding here
        problems.append(f"{doing}: {type(error).__name__}: {error}")
