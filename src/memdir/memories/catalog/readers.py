"""Further processes that read headers beside this one: what they do not find in time, this one reads itself.

They are given the open directory, look for its files on their own and send rows of the catalog through a
pipe. Nobody ever waits for them, nothing is ever written to them, and they end when nobody listens any more.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

from memdir.disk.files import Folder
from memdir.memories.catalog.row import Entry, entry_from_row, row_read
from memdir.memories.scan import Findings, topic_files

TYPE_CHECKING = False  # as in typing, which a reader does not wait for either
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Self

__all__ = ["Readers", "send_rows"]

_MOST = 4
"""Processes that read one directory at most, this one included."""

_ROWS_AT_ONCE = 100
"""Rows sent together: few enough that the end of a list waits for none."""

_PIPE_BYTES = 1 << 20
"""What a pipe should hold: some thousand rows, as many as are read while this process looks for files."""

_READ_BYTES = 1 << 16
"""What is taken in at a time: a few hundred rows, many more than are read between two looks."""

_LOOK_SECONDS = 1.0
"""How often a reader that nobody listens to asks whether its parent still lives."""

_CODE = (
    "import sys; sys.path.append(sys.argv[1]); from memdir.memories.catalog.readers import send_rows; "
    "send_rows(*map(int, sys.argv[2:]))"
)
"""What a reader runs, without the settings and packages of anybody: only the standard library and memdir."""


class Readers:
    """The processes that help with one directory."""

    def __init__(self, folder: Folder, count: int | None = None) -> None:
        """Start as many as the machine has further processors for; those that do not start are not missed."""
        self._begun: dict[Popen[bytes], bytes] = {}
        """Each with the beginning of a row whose end has not come yet."""
        if folder.fd < 0 or not _is_python(sys.executable):
            return
        shares = min(_MOST, _processors()) - 1 if count is None else count
        with suppress(OSError, ValueError, RuntimeError):
            for share in range(shares):
                self._begun[_started(folder.fd, share, shares)] = b""

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._begun]:
            self._end(process)

    def __len__(self) -> int:
        return len(self._begun)

    def answers(self) -> Iterator[tuple[list[Entry], bytes]]:
        """Yield what came since the last time, and its rows; one that is done or talks nonsense is let go."""
        for process, begun in [*self._begun.items()]:
            try:
                data = os.read(_outlet(process), _READ_BYTES)
                rows, self._begun[process] = _split(begun + data)
                entries = [
                    entry_from_row(text) for text in rows.decode("utf-8", "surrogatepass").split("\n")[:-1]
                ]
            except BlockingIOError:
                continue
            except (OSError, ValueError):
                data, rows, entries = b"", b"", []
            yield entries, rows
            if not data:
                self._end(process)

    def _end(self, process: "Popen[bytes]") -> None:
        del self._begun[process]
        process.kill()
        with process:
            pass  # its pipe is closed and it is waited for


def send_rows(directory: int, share: int, shares: int, parent: int) -> None:
    """Read every file of this share of an open directory and write the rows of the catalog to the output."""
    os.set_blocking(1, False)
    # Opened anew: two scans of one open directory take files away from each other.
    folder = Folder("", directory).below(".")
    rows: list[bytes] = []
    for number, (file, _) in enumerate(topic_files(folder, Findings())):
        if number % shares != share:
            continue
        try:
            rows.append(row_read(folder, file))
        except (OSError, ImportError):
            continue  # the parent sees why, or has what is missing here
        if len(rows) == _ROWS_AT_ONCE:
            _send(b"".join(rows), parent)
            rows.clear()
    _send(b"".join(rows), parent)


def _split(data: bytes) -> tuple[bytes, bytes]:
    """Return the rows that are complete, and the beginning of the next."""
    end = data.rfind(b"\n") + 1
    if len(data) - end > _PIPE_BYTES:
        raise ValueError("no row is that long")
    return data[:end], data[end:]


def _send(data: bytes, parent: int) -> None:
    from select import select

    while data:
        if select([], [1], [], _LOOK_SECONDS)[1]:
            data = data[os.write(1, data) :]
        elif os.getppid() != parent:
            raise SystemExit(1)


def _started(directory: int, share: int, shares: int) -> "Popen[bytes]":
    from subprocess import DEVNULL, PIPE, Popen

    package = os.path.abspath(__file__).rsplit(os.sep, 4)[0]
    process = Popen(
        [
            *(sys.executable, "-I", "-S", "-B", "-c", _CODE, package),
            *map(str, (directory, share, shares, os.getpid())),
        ],
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
        pass_fds=(directory,),
        bufsize=0,
    )
    os.set_blocking(_outlet(process), False)
    _widen(_outlet(process))
    return process


def _outlet(process: "Popen[bytes]") -> int:
    return process.stdout.fileno() if process.stdout else -1


def _widen(pipe: int) -> None:
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_python(program: str | None) -> bool:
    """Tell an interpreter from a program that has one built in and would do something else if started."""
    return os.path.basename(program or "").lower().startswith(("python", "pypy"))
