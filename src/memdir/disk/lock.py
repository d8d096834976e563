"""One kernel lock per directory. It ends with the process that holds it, so a crash leaves no lock.

A host waits for this module: it imports late and does without `typing`.
"""

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memdir.errors import LockTimeout

try:
    import fcntl
except ImportError:  # Windows has no flock; filelock in the state folder serves there
    fcntl = None  # type: ignore[assignment]

__all__ = ["HAS_FLOCK", "LOCK_SECONDS", "DirectoryLock"]

HAS_FLOCK = fcntl is not None

LOCK_SECONDS = 30.0
"""How long a save waits: a holder needs milliseconds, so half a minute means that something is wrong."""

_NO_FLOCK = {errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL}


class DirectoryLock:
    """Holds the directory `path` alone; where it cannot be locked, the file `fallback` stands for it.

    All who lock one folder share one lock, whatever their fallbacks. Git holds the state folder for seconds:
    use no lock on it that a person or a host waits for. `with` gives the descriptor that holds the lock; a
    child process that inherits it keeps the lock until it ends too.
    """

    def __init__(self, path: str, fallback: str, *, seconds: float = LOCK_SECONDS) -> None:
        """Remember what to lock; nothing is done yet."""
        self._path, self._fallback, self._seconds = path, fallback, seconds
        self._fd: int | None = None
        self._file: AbstractContextManager[object] | None = None

    def __enter__(self) -> int | None:
        self._fd = None if fcntl is None else _flock(self._path, self._seconds)
        if self._fd is None:
            self._file = _file_locked(self._path, self._fallback, self._seconds)
        return self._fd

    def __exit__(self, *raised: object) -> None:
        if self._fd is not None:
            os.close(self._fd)  # releases the lock: this descriptor was opened for it alone
        if self._file is not None:
            self._file.__exit__(None, None, None)


def _flock(path: str, seconds: float) -> int | None:
    """Return a descriptor that holds the lock; None where the file system has no locks."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not _Queued(fd).wait_for_lock(seconds):
            raise _too_long(path, seconds) from None
    except OSError as error:
        os.close(fd)
        if error.errno not in _NO_FLOCK:
            raise
        return None
    return fd


class _Queued:
    """Waits for flock in a thread, in the kernel's queue: with polling, newcomers overtake old waiters."""

    def __init__(self, fd: int) -> None:
        import threading  # a lock that is free, as it nearly always is, needs none

        self._fd, self._mutex = fd, threading.Lock()
        self._has_it, self._given_up = threading.Event(), False
        self._failed: OSError | None = None

    def wait_for_lock(self, seconds: float) -> bool:
        """Tell whether the lock came in time; if not, the thread gives it back as soon as it has it."""
        from threading import Thread

        if seconds <= 0:
            os.close(self._fd)
            return False
        Thread(target=self._wait, daemon=True).start()
        try:
            self._has_it.wait(seconds)
        except BaseException:  # the user, or an alarm, called the wait off
            self._give_up(also_if_it_came=True)
            raise
        if self._failed:
            raise self._failed
        return not self._give_up()

    def _give_up(self, *, also_if_it_came: bool = False) -> bool:
        """Have the thread release the lock when it gets it; tell whether it was still waiting."""
        with self._mutex:
            self._given_up = not self._has_it.is_set()
            if also_if_it_came and not self._given_up and not self._failed:
                os.close(self._fd)
            return self._given_up

    def _wait(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX)
        except OSError as error:
            self._failed = error
        with self._mutex:
            if self._given_up or self._failed:
                os.close(self._fd)
            if not self._given_up:
                self._has_it.set()


def _file_locked(path: str, fallback: str, seconds: float) -> "AbstractContextManager[object]":
    import filelock

    os.makedirs(os.path.dirname(fallback), mode=0o700, exist_ok=True)
    lock = filelock.FileLock(fallback, timeout=seconds)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise _too_long(path, seconds) from None
    return lock


def _too_long(path: str, seconds: float) -> "LockTimeout":
    from memdir.errors import LockTimeout

    return LockTimeout(
        f"Another process has kept {path} locked for {seconds:g} seconds. "
        "Nothing was written; try again, or end the process that `fuser` names for that directory."
    )
