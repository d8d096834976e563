"""Changes to several files that become visible in one order: topics, then index, then journal."""

import errno
import hashlib
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from memdir.disk.files import Folder, Staged
from memdir.memories.history.journal import Change, Operation, Version
from memdir.memories.topic import Provenance
from memdir.memories.write.change import Write
from memdir.text.dates.calendar import utc_stamp

__all__ = ["operation_of", "put_in_place", "staged", "version_of"]


def staged(folder: Folder, writes: Sequence[Write]) -> list[Staged]:
    """Make every new text durable under a temporary name, or none of them."""
    _refuse_folders(folder, writes)
    done: list[Staged] = []
    try:
        done.extend(folder.stage(w.file, w.data, saved_ns=w.saved_ns) for w in writes if w.text is not None)
    except BaseException:
        for item in done:
            item.drop()
        raise
    return done


def put_in_place(folder: Folder, items: Sequence[Staged], removed: Sequence[str] = ()) -> None:
    """Rename staged files to their names, take others away, and sync every folder touched."""
    folders = {id(item.folder): item.folder for item in items}
    for item in items:
        item.place()
    for file in removed:
        folder.remove(file)
        holder, _ = folder.holder(file)
        folders[id(holder)] = holder
    for touched in folders.values():
        touched.sync()


def operation_of(
    verb: str, by: Provenance, now: datetime, changes: Sequence[Change], *, undoes: str = ""
) -> Operation:
    """Give a set of changes its identity."""
    return Operation(os.urandom(4).hex(), utc_stamp(now), verb, by, tuple(changes), undoes)


def version_of(folder: Folder, write: Write) -> Version | None:
    """Return a written file as history keeps it: the bytes that we wrote, whoever changed them since."""
    if write.text is None:
        return None
    stamp = folder.identity(write.file)
    return Version(write.text, stamp[2] if stamp else 0, hashlib.sha256(write.data).hexdigest())


def _refuse_folders(folder: Folder, writes: Sequence[Write]) -> None:
    """Raise where a folder stands in the way: found at the rename, other files would be in place already."""
    for write in writes:
        holder, name = folder.holder(write.file, make=write.text is not None)
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(holder.at(os.lstat, name).st_mode):
                raise IsADirectoryError(errno.EISDIR, f"a folder is called {write.file}")
