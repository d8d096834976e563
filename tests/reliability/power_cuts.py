"""Power cuts modelled from the system calls of a worker: nothing acknowledged is lost, whatever survives."""

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.reliability.harness.expected_files import allowed, states
from tests.reliability.harness.figure import Effort, Figure, needs_strace, not_run
from tests.reliability.harness.inspection import text_problems, view_problems
from tests.reliability.harness.power_cut_disk import EVERYTHING, NOTHING, Disk, Survival, in_order, some
from tests.reliability.harness.processes import SECONDS, run, worker_command
from tests.reliability.harness.recovery import recovery_problems
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.worker_process import Step

__all__ = ["SERIES", "power_figures"]

SERIES: tuple[Step, ...] = (
    ("save", "alpha", 1),
    ("save", "beta", 1),
    ("save", "alpha", 2),
    ("many", "one", "two", "three"),
    ("forget", "beta"),
    ("undo",),
    ("rename", "alpha", "omega"),
    ("save", "omega", 3),
    ("forget", "two"),
    ("save", "last", 1),
)

_CALLS = (
    "open openat creat write pwrite64 writev rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir "
    "link linkat fsync fdatasync ftruncate lseek read truncate symlink symlinkat copy_file_range "
    "sendfile fallocate"
)
_TRACED = ",".join(f"?{name}" for name in _CALLS.split())
_RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)$")
_CALL = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_ANCHOR = re.compile(r"(?:^|, )(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>")


@dataclass(frozen=True, slots=True)
class Event:
    """One successful call: its name, the paths it is about, its bytes, the rest as strace shows it."""

    name: str
    paths: tuple[str, ...]
    data: bytes
    rest: str
    result: int


def power_figures(
    effort: Effort, series: Sequence[Step] = SERIES, *, luck: int = 3, sabotage: str = ""
) -> list[Figure]:
    """Return how many power cuts were modelled and what was lost; `sabotage` is code to run before it."""
    what = "power loss modelled from the system calls"
    if because := needs_strace():
        return [not_run(what, because)]
    with scratch() as folder:
        place = Place(os.path.join(folder, "disk"))
        events = _recorded(place, _command(place, series, sabotage), folder, len(series))
        return list(_Cuts(folder, series, events, effort, luck).figures(what))


def _command(place: Place, series: Sequence[Step], sabotage: str) -> list[str]:
    command = worker_command(place, series)
    if not sabotage:
        return command
    python, script, *arguments = command
    main = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    return [python, "-c", f"{sabotage}; {main}", script, *arguments]


def _recorded(place: Place, command: Sequence[str], folder: str, steps: int) -> list[Event]:
    os.mkdir(place.root)
    log = os.path.join(folder, "power.log")
    options = ["-f", "-y", "-xx", "-s", "4000000", "-e", f"trace={_TRACED}", "-e", "signal=none"]
    ended = run(["strace", *options, "-o", log, *command], seconds=2 * SECONDS)
    if len(ended.acknowledged) != steps:
        raise RuntimeError(f"the series does not work: {ended}")
    return list(_events(log))


class _Cuts:
    """Replays the events and cuts the power in between."""

    def __init__(
        self, folder: str, series: Sequence[Step], events: list[Event], effort: Effort, luck: int
    ) -> None:
        self._folder, self._events, self._effort, self._luck = folder, events, effort, luck
        self._ledgers = states(series)
        self._place = Place(os.path.join(folder, "disk"))
        self._cuts = self._recovered = 0
        self._problems: list[str] = []
        self._forgetful: list[str] = []

    def figures(self, what: str) -> Iterator[Figure]:
        """Yield the figures for memories and for history."""
        disk, acknowledged, operations = Disk(self._place.root), 0, list[str]()
        chosen = set(self._effort.some(range(len(self._events)), 60))
        for number, event in enumerate(self._events):
            said = event.data.decode("utf-8", "replace") if event.name == "writev" else ""
            _fed(disk, event)
            if said.startswith("ACK "):
                acknowledged += 1
                operations.append(_operation(said))
            if number in chosen or said.startswith("ACK "):
                self._cut(disk, number, acknowledged, operations, thorough=said.startswith("ACK "))
        yield Figure(
            what,
            f"{self._cuts} cuts at {len(chosen)} calls, {self._recovered} saved to again",
            self._problems,
        )
        yield Figure(
            f"{what}: history", "on a journalling file system, at each acknowledgement", self._forgetful
        )

    def _cut(self, disk: Disk, number: int, done: int, operations: list[str], *, thorough: bool) -> None:
        expected = allowed(self._ledgers, done, in_flight=True)
        for survival in self._survivals():
            place = self._left_over(disk, survival)
            found = text_problems(place.memory(), expected) + view_problems(place.memory())
            if thorough:
                found += [p for p in recovery_problems(place, expected) if p not in found]
                self._recovered += 1
            self._problems += [
                f"after {done} acknowledged, call {number} {self._events[number].name}: {p}" for p in found
            ]
        if thorough:
            place = self._left_over(disk, in_order(disk, self._effort.chance))
            found = recovery_problems(place, expected, [o for o in operations if o])
            self._forgetful += [f"after {done} acknowledged: {p}" for p in found]

    def _survivals(self) -> list[Survival]:
        chance = self._effort.chance
        return [NOTHING, EVERYTHING, *(some(random.Random(chance.random())) for _ in range(self._luck))]

    def _left_over(self, disk: Disk, survival: Survival) -> Place:
        self._cuts += 1
        place = Place(os.path.join(self._folder, "left"))
        shutil.rmtree(place.root, ignore_errors=True)
        os.mkdir(place.root)
        for path, data in disk.left_over(survival):
            full = os.path.join(place.root, path)
            if data is None:
                os.makedirs(full, exist_ok=True)
            else:
                with open(full, "wb", opener=_private) as file:
                    file.write(data)
        return place


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _operation(said: str) -> str:
    match = re.search(r'\["([0-9a-f]+)"', said)
    return match[1] if match else ""


def _events(log: str) -> Iterator[Event]:
    """Yield the calls that succeeded, in the order in which they ended."""
    begun: dict[str, str] = {}
    with open(log, encoding="ascii", errors="replace") as lines:
        for line in lines:
            text = line.rstrip("\n")
            if text.endswith("<unfinished ...>"):
                begun[text.split(" ", 1)[0]] = text.removesuffix("<unfinished ...>").rstrip()
                continue
            if resumed := _RESUMED.match(text):
                text = begun.pop(resumed[1], "") + resumed[2]
            if (match := _CALL.match(text)) and not match[4].startswith("-"):
                yield _event(match)


def _event(match: re.Match[str]) -> Event:
    name, arguments = match[2], match[3]
    strings = [_unhex(text) for text in _STRING.findall(arguments)]
    anchors = [os.fsdecode(_unhex(text)) for text in _ANCHOR.findall(arguments)]
    data = b"".join(strings) if name in {"write", "writev", "pwrite64"} else b""
    if name in {"open", "openat", "creat"}:
        paths = [os.fsdecode(_unhex(match[5] or ""))]
    elif (
        name
        in {"write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "lseek", "read", "fallocate"}
        or not strings
    ):
        paths = anchors
    elif anchors:
        paths = [os.path.join(a, os.fsdecode(s)) for a, s in zip(anchors, strings, strict=True)]
    else:
        paths = [os.fsdecode(text) for text in strings]
    return Event(name, tuple(paths), data, arguments.rpartition('"')[2] or arguments, int(match[4]))


def _unhex(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _fed(disk: Disk, event: Event) -> None:
    """Tell the disk about one event; a call that the model does not know must not go unseen."""
    effect = _EFFECTS.get(event.name)
    if effect is not None:
        effect(disk, event)
    elif any(path.startswith(disk.root + os.sep) for path in event.paths):
        raise RuntimeError(f"the model does not know {event}")


def _opened(disk: Disk, event: Event) -> None:
    how = event.rest
    disk.opened(event.paths[0], create="O_CREAT" in how, cut="O_TRUNC" in how, append="O_APPEND" in how)


_EFFECTS: dict[str, Callable[[Disk, Event], None]] = {
    "write": lambda disk, e: disk.written(e.paths[0], e.data[: e.result]),
    "writev": lambda disk, e: disk.written(e.paths[0], e.data[: e.result]),
    "pwrite64": lambda disk, e: disk.written(e.paths[0], e.data[: e.result], int(e.rest.rpartition(", ")[2])),
    "ftruncate": lambda disk, e: disk.cut(e.paths[0], int(e.rest.rpartition(", ")[2])),
    "fsync": lambda disk, e: disk.synced(e.paths[0]),
    "fdatasync": lambda disk, e: disk.synced(e.paths[0]),
    "rename": lambda disk, e: disk.linked(*e.paths, moved=True),
    "renameat": lambda disk, e: disk.linked(*e.paths, moved=True),
    "renameat2": lambda disk, e: disk.linked(*e.paths, moved=True),
    "link": lambda disk, e: disk.linked(*e.paths, moved=False),
    "linkat": lambda disk, e: disk.linked(*e.paths, moved=False),
    "unlink": lambda disk, e: disk.removed(e.paths[0]),
    "unlinkat": lambda disk, e: disk.removed(e.paths[0]),
    "rmdir": lambda disk, e: disk.removed(e.paths[0]),
    "mkdir": lambda disk, e: disk.made(e.paths[0]),
    "mkdirat": lambda disk, e: disk.made(e.paths[0]),
    "symlink": lambda disk, e: disk.opened(e.paths[1], create=True, cut=True, append=False),
    "lseek": lambda disk, e: disk.sought(e.paths[0], e.result),
    "read": lambda disk, e: disk.passed(e.paths[0], e.result),
    "open": _opened,
    "openat": _opened,
}
"""What each call does to the disk."""
