"""Files and folders by their paths: moved, removed, made for a while.

What lies in a directory that others write to is for `Folder`, which follows no links and syncs.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

__all__ = ["make_temporary_folder", "move", "remove_if_empty", "remove_tree", "set_mode"]


def make_temporary_folder(base: str, prefix: str) -> str:
    """Make a new private folder where temporary files lie; return its path."""
    path = os.path.join(base, f"{prefix}{os.urandom(6).hex()}")
    os.mkdir(path, 0o700)
    return path


def move(path: str, new: str) -> None:
    """Give a file or folder another path on the same disk, in place of a file there; not durably."""
    os.replace(path, new)


def set_mode(path: str, mode: int) -> None:
    """Say who may read, write or enter what is at a path, links followed."""
    os.chmod(path, mode)


def remove_if_empty(path: str) -> None:
    """Remove a folder unless something is in it."""
    with suppress(OSError):
        os.rmdir(path)


def remove_tree(path: str) -> list[str]:
    """Remove a folder with all that is in it, as far as possible; return the files that are still there."""
    shutil.rmtree(path, ignore_errors=True)
    walked = () if os.path.islink(path) else os.walk(path)
    left = [os.path.join(place, name) for place, _, names in walked for name in names]
    return left or ([path] if os.path.lexists(path) else [])
