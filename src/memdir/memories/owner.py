"""Which memory directory a state folder is about: the history of one is not taken for that of another."""

import os
from contextlib import suppress

from memdir.disk.files import folder_made
from memdir.errors import Rejected

__all__ = ["claim"]

_OWNER = "directory"
"""In the state folder: its own path and that of the memory directory."""


def claim(state: str, directory: str) -> None:
    """Record whose records these are; raise when they are those of another directory that is still there.

    One that was moved left nothing behind, and records that were copied with theirs say that they lie
    elsewhere. Where nothing can be recorded, there is nothing to mix.
    """
    mark = f"{os.path.realpath(state)}\0{directory}"
    with suppress(OSError), folder_made(state) as folder:
        known = os.fsdecode(folder.read(_OWNER)[0]) if folder.exists(_OWNER) else ""
        if known == mark:
            return
        here, _, owner = known.partition("\0")
        if here == os.path.realpath(state) and os.path.isdir(owner) and not _is_same(owner, directory):
            raise Rejected(
                f"{state} holds the history of {owner}, so it cannot hold that of {directory}, too. "
                "Name another state folder, or none."
            )
        folder.replace_cache(_OWNER, os.fsencode(mark))


def _is_same(one: str, other: str) -> bool:
    return os.path.isdir(other) and os.path.samefile(one, other)
