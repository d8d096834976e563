"""A scratch directory with a memory directory and its state, to be filled, copied, broken and thrown away."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memdir.memory import Memory

__all__ = ["NOBODY", "Place", "quick_folder", "scratch"]

NOBODY = 65534
"""The user that root becomes for the cases in which permissions must bind."""


@dataclass(frozen=True, slots=True)
class Place:
    """One memory directory in a folder of its own; what lies beside it must never change."""

    root: str

    @property
    def directory(self) -> str:
        """Where the memories lie."""
        return os.path.join(self.root, "memory")

    @property
    def state(self) -> str:
        """Where memdir's own records lie."""
        return os.path.join(self.root, "state")

    @property
    def history(self) -> str:
        """Where the history lies."""
        return os.path.join(self.state, "history.git")

    def memory(self) -> Memory:
        """Open it anew, as another process would."""
        return Memory.at(self.directory, state=self.state)

    def copied(self, root: str) -> "Place":
        """Return the same content elsewhere, times and modes kept."""
        shutil.copytree(self.root, root, symlinks=True, dirs_exist_ok=True)
        return Place(root)

    def full(self, file: str) -> str:
        """Return the absolute path of a file of the memory directory."""
        return os.path.join(self.directory, file)


@contextmanager
def scratch(*, anybody: bool = False, disk: bool = False) -> Iterator[str]:
    """Give an empty folder, one that every user may enter if asked, and remove it afterwards.

    It lies in memory where there is room: thousands of syncs would wait for a disk that shows nothing more.
    """
    folder = os.path.realpath(
        tempfile.mkdtemp(prefix="memdir-reliability-", dir=None if disk else quick_folder())
    )
    if anybody:
        os.chmod(folder, 0o777)  # noqa: S103 - another user works in it
    try:
        yield folder
    finally:
        _open_up(folder)
        shutil.rmtree(folder, ignore_errors=True)


def quick_folder() -> str | None:
    """Return a folder that lies in memory and has room for everything we make; None where there is none."""
    if not os.access(_IN_MEMORY, os.W_OK) or not hasattr(os, "statvfs"):
        return None
    room = os.statvfs(_IN_MEMORY)
    return _IN_MEMORY if room.f_bavail * room.f_frsize > _ROOM else None


_IN_MEMORY = "/dev/shm"  # noqa: S108 - made unguessable by mkdtemp
_ROOM = 4 << 30


def _open_up(folder: str) -> None:
    """Give back the permissions that a case took away, each folder's before it is entered."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
