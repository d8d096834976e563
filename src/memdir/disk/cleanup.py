"""Remove temporary files of processes that ended, found by the process id in their names."""

import os
import shutil
from contextlib import suppress

from memdir.disk.files import TEMP_PREFIX

__all__ = ["sweep"]


def sweep(state: str) -> None:
    """Remove what processes that are gone left behind, there and in our folders below; others' stays."""
    if os.name != "posix":
        return
    work, jobs = os.path.join(state, "work"), list[str]()
    with suppress(OSError):
        jobs = [os.path.join(work, job) for job in os.listdir(work)]  # a job has a folder of its own
    for folder in (state, os.path.join(state, "inbox"), os.path.join(state, "conversations"), *jobs):
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith(TEMP_PREFIX) and not _is_running(name):
                    _remove(os.path.join(folder, name))


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
