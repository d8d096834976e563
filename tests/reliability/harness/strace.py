"""System calls of a process as strace shows them, and the same process killed or refused at one of them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.reliability.harness.processes import Outcome, run

__all__ = ["CHANGING", "Call", "Point", "calls", "changing_points", "injected", "traced"]

CHANGING = (
    "write", "writev", "pwrite64", "pwritev", "pwritev2", "sendfile", "copy_file_range", "fallocate",
    "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat",
    "symlink", "symlinkat", "fsync", "fdatasync", "truncate", "ftruncate", "chmod", "fchmod", "fchmodat",
    "utimensat", "futimesat", "openat", "open", "creat", "mknod", "mknodat",
)  # fmt: skip
"""Calls that change a disk; of those that open, only the ones that may create."""

_TRACED = ",".join(f"?{name}" for name in (*CHANGING, "fork", "vfork", "clone", "clone3"))
_LINE = re.compile(r"(?:(\d+) +)?(\w+)\((.*)\) += (-?\w+)(.*)$", re.DOTALL)
_CUT_OFF = re.compile(r"(?:(\d+) +)?(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += \? *)$", re.DOTALL)
_OPENING = frozenset({"open", "openat", "creat"})
_SPAWNING = frozenset({"fork", "vfork", "clone", "clone3"})


@dataclass(frozen=True, slots=True)
class Call:
    """One system call."""

    name: str
    arguments: str
    result: str
    ordinal: int
    """How many calls of this name the process has made, this one included: what `when=` counts."""
    where: str = ""
    """What strace says after the result: for an opened file its path."""


@dataclass(frozen=True, slots=True)
class Point:
    """A call at which to strike: its name, its ordinal, and what it was about, for the report."""

    name: str
    ordinal: int
    arguments: str
    number: int
    """Which changing call of the process it is since the mark, from 1."""

    def __str__(self) -> str:
        return f"{self.name}#{self.number} {self.arguments[:120]}"


def traced(command: Sequence[str], log: str, *options: str) -> Outcome:
    """Run a command under strace; injection never fires with a seccomp filter, so there is none."""
    return run(["strace", "-y", "-o", log, "-e", f"trace={_TRACED}", *options, *command])


def injected(command: Sequence[str], log: str, point: Point, tampering: str, *, last: str = "") -> Outcome:
    """Run a command and tamper with one of its calls, or with that and all later ones (`last="+"`)."""
    tamper = f"inject={point.name}:{tampering}:when={point.ordinal}{last}"
    return traced(command, log, "-e", tamper)


def calls(log: str) -> Iterator[Call]:
    """Yield the calls of one process in order; the one in which it was killed has no result."""
    counted: Counter[str] = Counter()
    with open(log, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            match = _LINE.match(line.rstrip("\n")) or _CUT_OFF.match(line.rstrip("\n"))
            if match:
                counted[match[2]] += 1
                result, where = match.group(4, 5) if match.re is _LINE else ("", "")
                yield Call(match[2], match[3], result, counted[match[2]], where)


def changing_points(log: str, mark: str = "") -> list[Point]:
    """Return the changing calls after a mark was written, the acknowledgement itself included."""
    points: list[Point] = []
    marked = not mark
    for call in calls(log):
        if marked and _changes(call):
            points.append(Point(call.name, call.ordinal, call.arguments, len(points) + 1))
        marked = marked or (call.name == "writev" and f'"{mark}' in call.arguments)
    return points


def _changes(call: Call) -> bool:
    if call.name in _OPENING:
        return "O_CREAT" in call.arguments or call.name == "creat"
    return call.name in CHANGING or call.name in _SPAWNING
