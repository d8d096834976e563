"""What one save asks of the disk, counted from its system calls: proof that the yardstick does the same."""

import re
import shutil
from collections import Counter
from dataclasses import dataclass

__all__ = ["Steps", "steps_of_last_save", "tracer"]

_CALLS = "read,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2"
_CALL = re.compile(r"^(\w+)\((\d+)?.*= (\d+)$")


@dataclass(frozen=True, slots=True)
class Steps:
    """The writes, fsyncs and renames between a request and its answer."""

    writes: int
    bytes: int
    fsyncs: int
    renames: int

    def __str__(self) -> str:
        return f"{self.writes} writes of {self.bytes:,} bytes, {self.fsyncs} fsyncs, {self.renames} renames"


def tracer(log: str) -> tuple[str, ...] | None:
    """Return the command to put in front of a program so that its calls are logged, None without strace."""
    strace = shutil.which("strace")
    return (strace, "-o", log, "-e", f"trace={_CALLS}", "-s", "8") if strace else None


def steps_of_last_save(log: str) -> Steps:
    """Count the calls from the last line `save …` on standard input to the answer on standard output."""
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    asked = max(number for number, line in enumerate(lines) if line.startswith('read(0, "save'))
    answered = next(number for number in range(asked, len(lines)) if lines[number].startswith("write(1,"))
    calls = [match for line in lines[asked + 1 : answered] if (match := _CALL.match(line))]
    names = Counter(call[1] for call in calls)
    return Steps(
        writes=names["write"] + names["pwrite64"],
        bytes=sum(int(call[3]) for call in calls if call[1] in {"write", "pwrite64"}),
        fsyncs=names["fsync"] + names["fdatasync"],
        renames=names["rename"] + names["renameat"] + names["renameat2"],
    )
