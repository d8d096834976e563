"""One kernel lock per directory: it goes with the process that holds it, so a crash leaves none behind."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from memdir.errors import LockTimeout

try:
    import fcntl
except ImportError:  # Windows has no flock; filelock in the state folder serves there
    fcntl = None  # type: ignore[assignment]

__all__ = ["HAS_FLOCK", "LOCK_SECONDS", "locked"]

HAS_FLOCK = fcntl is not None

LOCK_SECONDS = 30.0
"""How long a save waits: a holder needs milliseconds, so half a minute means that something is wrong."""

_FIRST_PAUSE, _LEAST_PAUSE, _IMPATIENCE = 0.003, 0.0003, 0.0005
"""A newcomer looks every three milliseconds, the length of a save; whoever waits looks more often with every
second, so that the longest waiter comes next even among thirty."""

_NO_FLOCK = {errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL}


@contextmanager
def locked(path: str, fallback: str, *, seconds: float = LOCK_SECONDS) -> Iterator[int | None]:
    """Hold the directory `path` alone; where it cannot be locked, the file `fallback` stands for it.

    Yields the descriptor that holds the lock: a child that inherits it holds the lock until it ends too.
    """
    fd = None if fcntl is None else _flocked(path, seconds)
    if fd is None:
        with _file_locked(path, fallback, seconds):
            yield None
        return
    try:
        yield fd
    finally:
        os.close(fd)  # releases the lock: this descriptor was opened for it alone


def _flocked(path: str, seconds: float) -> int | None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _wait_for(fd, path, seconds)
    except OSError as error:
        os.close(fd)
        if error.errno in _NO_FLOCK:
            return None
        raise
    except BaseException:
        os.close(fd)
        raise
    return fd


def _wait_for(fd: int, path: str, seconds: float) -> None:
    begun = time.monotonic()
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - begun
            if waited >= seconds:
                raise LockTimeout(_too_long(path, seconds)) from None
        else:
            return
        time.sleep(max(_LEAST_PAUSE, _FIRST_PAUSE - waited * _IMPATIENCE))


@contextmanager
def _file_locked(path: str, fallback: str, seconds: float) -> Iterator[None]:
    import filelock

    os.makedirs(os.path.dirname(fallback), mode=0o700, exist_ok=True)
    try:
        with filelock.FileLock(fallback, timeout=seconds):
            yield
    except filelock.Timeout:
        raise LockTimeout(_too_long(path, seconds)) from None


def _too_long(path: str, seconds: float) -> str:
    return (
        f"Another process has kept {path} locked for {seconds:g} seconds. "
        "Nothing was written; try again, or end the process that `fuser` names for that directory."
    )
