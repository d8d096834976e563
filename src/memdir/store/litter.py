"""Temporary files that a killed process left in the state folder, found by its number and removed."""

import os
import shutil
from contextlib import suppress

from memdir.store.files import TEMP_PREFIX

__all__ = ["sweep"]


def sweep(state: str) -> None:
    """Remove what processes that are gone left behind; those of running ones stay."""
    if os.name != "posix":
        return
    with suppress(OSError):
        for name in os.listdir(state):
            if name.startswith(TEMP_PREFIX) and not _is_running(name):
                _remove(os.path.join(state, name))


def _is_running(name: str) -> bool:
    try:
        os.kill(int(name.removeprefix(TEMP_PREFIX).partition("-")[0], 16), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _remove(path: str) -> None:
    with suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
