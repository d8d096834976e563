"""A scratch directory with a memory directory and its state, to be filled, copied, broken and thrown away."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memdir.memory import Memory

__all__ = ["NOBODY", "Place", "scratch"]

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
def scratch(*, anybody: bool = False) -> Iterator[str]:
    """Give an empty folder, one that every user may enter if asked, and remove it afterwards."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="memdir-reliability-"))
    if anybody:
        os.chmod(folder, 0o777)  # noqa: S103 - another user works in it
    try:
        yield folder
    finally:
        _open_up(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _open_up(folder: str) -> None:
    """Give back the permissions that a case took away, each folder's before it is entered."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
