"""A file that one process leaves and another takes: whoever is first is the only one."""

import os

from memdir.disk.files import temp_name
from memdir.text.suppress import suppress

__all__ = ["taken"]


def taken(folder: str, name: str) -> bytes:
    """Return the bytes of a file and remove it; nothing when there is none, or another process has it."""
    mine = os.path.join(folder, temp_name())
    with suppress(OSError):
        os.rename(os.path.join(folder, name), mine)
        with open(mine, "rb") as file:
            os.unlink(mine)
            return file.read()
    return b""
