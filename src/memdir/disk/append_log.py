"""Append-only logs: add a line in one write, and rotate a large log to `<name>.1`.

A host waits for this module: it imports late.
"""

import os

__all__ = ["add_quick_line", "rotate"]

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
for _flag in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
    _APPEND |= getattr(os, _flag, 0)


def add_quick_line(folder: str, name: str, line: str, largest: int) -> None:
    """Append a line in one write, not durably; rotate a large log first. Never raises OSError."""
    path = os.path.join(folder, name)
    try:
        fd = os.open(path, _APPEND, 0o600)
        try:
            if os.fstat(fd).st_size > largest:
                os.replace(path, f"{path}.1")
                os.close(fd)
                fd = os.open(path, _APPEND, 0o600)
            os.write(fd, f"{line}\n".encode("utf-8", "replace"))
        finally:
            os.close(fd)
    except OSError:
        return


def rotate(folder: str, name: str, largest: int) -> None:
    """Rename a large log to `<name>.1`, which replaces the older one.

    If another process holds the lock, nothing is done: the next writer rotates it.
    """
    from memdir.disk.lock import DirectoryLock
    from memdir.errors import LockTimeout

    path = os.path.join(folder, name)
    try:
        if os.stat(path).st_size <= largest:
            return
        with DirectoryLock(folder, f"{path}.lock", seconds=0):
            if os.stat(path).st_size > largest:  # else another process was first
                os.replace(path, f"{path}.1")
    except (LockTimeout, FileNotFoundError):
        return
