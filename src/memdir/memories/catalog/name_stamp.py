"""What changes whenever a file comes or goes in a memory directory, without a look at all its files."""

import os
from collections.abc import Iterable
from contextlib import suppress

from memdir.disk.files import Folder
from memdir.memories.names import INDEX_NAME

__all__ = ["name_stamp"]

_COARSE_NS = 20_000_000
"""By how much the time of a folder may lag behind: the longest tick of a kernel is 10 ms."""


def name_stamp(folder: Folder, below: Iterable[str]) -> tuple[int, ...]:
    """Return what differs once a name came or went, also in the folders below; nothing if in doubt.

    The directory's own time may be too coarse to tell two saves apart; the index is new after each. A folder
    below that is hardly older than the index may change once more and show the same time.
    """
    status = os.stat(folder.fd if folder.fd >= 0 else folder.path)
    index = folder.identity(INDEX_NAME)
    stamp = [status.st_mtime_ns, status.st_ino, *index]
    for name in sorted(below):
        with suppress(OSError):
            status = folder.at(os.lstat, name)
            if not index or status.st_mtime_ns + _COARSE_NS > index[2]:
                return ()
            stamp += [status.st_mtime_ns, status.st_ino]
    return tuple(stamp)
