"""A visitor to a directory that may be hostile: uses every verb within limits and prints all it was shown.

Run as `python visitor_process.py DIRECTORY STATE NAME…`; the output is one JSON object.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from memdir.errors import MemdirError
from memdir.memory import Memory
from tests.reliability.harness.marked_bodies import body_of

__all__ = ["CPU_SECONDS", "MEMORY_BYTES"]

CPU_SECONDS = 60
"""A verb on a small directory needs milliseconds; this is only to end what would never end."""

MEMORY_BYTES = 700 << 20
"""Address space: an interpreter takes 100 MB of it, and no single hostile file may take the rest."""


def _everything(memory: Memory, names: list[str]) -> dict[str, object]:
    shown: list[str] = []
    raised: list[str] = []

    def tell(what: str, verb: Callable[[], object]) -> None:
        try:
            shown.append(f"{what}: {verb()!r}")
        except MemdirError as error:
            shown.append(f"{what}: {error}")
            if what in _NEVER_RAISE:
                raised.append(f"{what} raised {type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001 - the finding of this visit
            raised.append(f"{what} raised {type(error).__name__}: {str(error)[:300]}")

    tell("list", memory.list)
    tell("index", memory.context.index)
    for name in [*names, *(header.file for header in memory.list()[:60])]:
        tell(f"read {name}", partial(memory.read, name))
    tell("status", memory.doctor.status)
    tell("doctor", memory.doctor.examine)
    tell(
        "save",
        lambda: memory.remember(body_of("visit", 1), kind="reference", name="visit", description="Visit"),
    )
    tell("index", memory.context.index)
    tell("history", memory.history.list)
    if any(header.name == "visit" for header in memory.list()):
        tell("forget", lambda: memory.forget("visit"))
        tell("undo", lambda: memory.undo() if raised == [] else None)
    tell("diff", memory.history.diff)
    tell("fix", lambda: memory.doctor.examine(fix=True))
    tell("newest", lambda: memory.list(limit=5))
    return {"shown": "\n".join(shown), "raised": raised}


def _resident() -> int:
    """Return the most memory this program ever held, in KB; rusage alone counts what its parent held, too."""
    with suppress(OSError), open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


_NEVER_RAISE = {"list", "index", "status", "doctor", "history", "newest", "save"}


if __name__ == "__main__":
    directory, state, *asked = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    began = time.monotonic()
    found = _everything(Memory.at(directory, state=state), asked)
    found["seconds"] = time.monotonic() - began
    found["resident"] = _resident()
    print(json.dumps(found))
