"""Logs in two files, the newer and the older one: add a line at once, and set a large one aside.

A host waits for this module: it imports late.
"""

import os

__all__ = ["add_quick_line", "rotate"]

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
for _flag in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
    _APPEND |= getattr(os, _flag, 0)


def add_quick_line(folder: str, name: str, line: str, largest: int) -> None:
    """Add a line in one write, not durably; a large log becomes `<name>.1` first. Trouble stops nobody."""
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
    """Set a log that has grown large aside as `<name>.1`, in place of the one set aside before.

    Where somebody holds the folder, whoever adds the next line does it: nobody waits for this.
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
