"""Log files of our own: whole lines added at the end.

A host waits for this module: it imports late.
"""

import os

from memdir.disk.files import Folder, make_private, sync_file, write_all
from memdir.text.suppress import suppress

__all__ = ["append_lines", "rotate"]

_APPEND = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def append_lines(folder: Folder, name: str, data: bytes, *, durably: bool = True) -> None:
    """Add whole lines to the end of one of our own log files; a torn last line is closed first.

    What may be lost with the power need not be durable: it is then there at once, and costs no wait.
    """
    folder.step("append", name)
    fd = folder.at(os.open, name, flags=_APPEND, mode=0o600)
    try:
        make_private(fd)
        size = os.fstat(fd).st_size
        if size and os.pread(fd, 1, size - 1) != b"\n":
            data = b"\n" + data
        write_all(fd, data, folder.step)
        if durably:
            sync_file(fd)
    finally:
        os.close(fd)
    if durably and not size:
        folder.sync()


def rotate(folder: Folder, name: str, largest: int) -> None:
    """Set a log that has grown large aside as `<name>.1`, in place of the one set aside before.

    Where somebody holds the folder, whoever adds the next line does it: nobody waits for this.
    """
    path = os.path.join(folder.path, name)
    with suppress(FileNotFoundError):
        if os.stat(path).st_size <= largest:
            return
        from memdir.disk.lock import DirectoryLock
        from memdir.errors import LockTimeout

        with suppress(LockTimeout), DirectoryLock(folder.path, f"{path}.lock", seconds=0):
            if os.stat(path).st_size > largest:  # else another process was first
                os.replace(path, f"{path}.1")
