"""Read a small regular file; never block on a pipe or a device in its place."""

import os
import stat

from memdir.text.value import value_class

__all__ = ["Unread", "regular_bytes"]


@value_class(frozen=True, slots=True)
class Unread:
    """Why a file gave no bytes; a missing one is usually nothing to report."""

    because: str
    missing: bool = False


def regular_bytes(path: str, limit: int) -> bytes | Unread:
    """Return all bytes of the file, links followed, or why not: not regular, over the limit, unreadable."""
    try:
        # Asked before opening too: merely opening some devices makes them act.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return Unread("it is not a regular file")
        descriptor = os.open(path, _FLAGS)
        try:
            # A FIFO may have taken the file's place since; the flags keep even that from blocking.
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Unread("it is not a regular file")
            data = os.read(descriptor, min(status.st_size, limit) + 1)
            # The size may be wrong: somebody writes just now, or it is 0 as for the files of /proc.
            while len(data) not in (status.st_size, limit + 1) and (
                more := os.read(descriptor, limit + 1 - len(data))
            ):
                data += more
        finally:
            os.close(descriptor)
        return Unread(f"it is larger than {limit:,} bytes") if len(data) > limit else data
    except OSError as error:
        missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        return Unread((error.strerror or "the system gave no reason").lower(), missing)
    except ValueError:
        return Unread("its path is not one a file can have", missing=True)


_FLAGS = os.O_RDONLY
for _flag in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK"):
    _FLAGS |= getattr(os, _flag, 0)
