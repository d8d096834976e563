"""Runs code in a child of this process, as another user if asked: a start would be mostly imports."""

import importlib
import os
import pkgutil
import select
import signal
import sys
import time
from collections.abc import Callable
from functools import cache

import memdir

__all__ = ["forked", "loaded", "spawned"]

_OTHERS = ("memdir.__main__", "memdir.cli", "memdir.adapters", "memdir.mcp")
"""What no hook and no save loads."""


@cache
def loaded() -> None:
    """Load whatever a child may need: another user may not be able to read our interpreter."""
    for module in pkgutil.walk_packages(memdir.__path__, "memdir."):
        if not module.name.startswith(_OTHERS):
            importlib.import_module(module.name)
    for name in ("encodings.utf_16_le", "encodings.idna", "json", "filelock", "yaml"):
        importlib.import_module(name)


def forked(work: Callable[[], object], feed: bytes = b"", *, user: int = -1, seconds: float = 60) -> bytes:
    """Do some work in a child with this on its input, and return what it printed; nothing when too late."""
    ins, outs = os.pipe(), os.pipe()
    child = spawned(work, (ins[0], outs[1]), (ins[1], outs[0]), user=user)
    os.close(ins[0])
    os.close(outs[1])
    with open(ins[1], "wb") as stdin:
        stdin.write(feed)
    said, late = b"", time.monotonic() + seconds
    while select.select([outs[0]], [], [], max(0.0, late - time.monotonic()))[0]:
        piece = os.read(outs[0], 1 << 16)
        said += piece
        if not piece:
            break
    else:
        os.kill(child, signal.SIGKILL)
        said = b""
    os.close(outs[0])
    _, status = os.waitpid(child, 0)
    if status not in (0, signal.SIGKILL):
        raise RuntimeError(f"a child ended with {os.waitstatus_to_exitcode(status)}")
    return said


def spawned(
    work: Callable[[], object], streams: tuple[int, ...] = (), others: tuple[int, ...] = (), *, user: int = -1
) -> int:
    """Start a child that does some work with these as its input and output; return its number."""
    sys.stdout.flush()
    sys.stderr.flush()
    if child := os.fork():
        return child
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for other in (*streams, *others):
            os.close(other)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
        if user >= 0:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        work()
        sys.stdout.flush()
        code = 0
    except BaseException as error:  # noqa: BLE001 - a child must never go on as its parent
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(code)
