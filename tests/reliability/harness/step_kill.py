"""Kill -9 of a process by itself, before a step of the write primitive."""

import os
import signal
from collections.abc import Callable

__all__ = ["kill_before"]


def kill_before(step: int) -> Callable[[str], None]:
    """Return a hook for `files.on_step` that kills the process before so manieth step."""
    left = step

    def kill(_: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill
