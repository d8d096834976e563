"""One line added to a log while a host waits: not durable, and without the modules that would make it so."""

import os

__all__ = ["add_quick_line"]

_APPEND = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def add_quick_line(folder: str, name: str, line: str, largest: int) -> None:
    """Add a line in one write; a log that has grown large becomes `<name>.1` first. Trouble stops nobody."""
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
