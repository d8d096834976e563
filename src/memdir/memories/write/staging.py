"""Write new texts durably under temporary names, then rename them all."""

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress

from memdir.disk.files import Folder, Staged
from memdir.memories.change import Edit, Version, file_bytes, version_of
from memdir.progress import counted

__all__ = ["put_in_place", "stage", "version_written"]


_MANY = 50
"""New files from which on the whole file system is synced once, instead of each file by itself."""


def stage(folder: Folder, edits: Sequence[Edit]) -> list[Staged]:
    """Make every new text durable under a temporary name, or none of them."""
    _refuse_folders(folder, edits)
    texts = [(edit, file_bytes(edit.after)) for edit in edits if edit.after is not None]
    one_by_one = len(texts) < _MANY
    done: list[Staged] = []
    try:
        done.extend(
            folder.stage(edit.file, data, saved_ns=edit.saved_ns, durable=one_by_one)
            for edit, data in counted(texts)
        )
        if not one_by_one and not folder.sync_everything():
            for item in done:
                item.sync()
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


def version_written(folder: Folder, edit: Edit) -> Version | None:
    """Return a written file as history keeps it: the bytes that we wrote, whoever changed them since."""
    if edit.after is None:
        return None
    stamp = folder.identity(edit.file)
    return version_of(file_bytes(edit.after), stamp[2] if stamp else 0)


def _refuse_folders(folder: Folder, edits: Sequence[Edit]) -> None:
    """Raise where a folder stands in the way: found at the rename, other files would be in place already."""
    for edit in edits:
        holder, name = folder.holder(edit.file, make=edit.after is not None)
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(holder.at(os.lstat, name).st_mode):
                raise IsADirectoryError(errno.EISDIR, f"a folder is called {edit.file}")
