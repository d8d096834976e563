"""One kernel lock per directory: it goes with the process that holds it, so a crash leaves none behind."""

import errno
import os
import threading
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
    """Return a descriptor that holds the lock; None where directories cannot be locked."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not _Queued(fd).came(seconds):
            raise LockTimeout(_too_long(path, seconds)) from None
    except OSError as error:
        os.close(fd)
        if error.errno in _NO_FLOCK:
            return None
        raise
    return fd


class _Queued:
    """Waits in the kernel's own queue, in a thread: with polling, newcomers overtake old waiters."""

    def __init__(self, fd: int) -> None:
        self._fd, self._mutex = fd, threading.Lock()
        self._has_it, self._given_up = threading.Event(), False

    def came(self, seconds: float) -> bool:
        """Tell whether the lock came in time; if not, the thread gives it back as soon as it has it."""
        if seconds > 0:
            threading.Thread(target=self._wait, daemon=True).start()
            self._has_it.wait(seconds)
        with self._mutex:
            self._given_up = not self._has_it.is_set()
            if self._given_up and seconds <= 0:
                os.close(self._fd)
        return not self._given_up

    def _wait(self) -> None:
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._mutex:
            if self._given_up:
                os.close(self._fd)
            else:
                self._has_it.set()


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
