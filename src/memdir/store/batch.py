"""Changes to several files that become visible in one order: topics, then index, then journal."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from memdir.core.topic import Provenance
from memdir.errors import StorageError
from memdir.store.files import Folder, Staged
from memdir.store.journal import Change, Operation, Version
from memdir.store.outside import version_on_disk

__all__ = ["Write", "operation_of", "put_in_place", "staged", "storage_errors", "version_of"]


@dataclass(frozen=True, slots=True)
class Write:
    """The wished content of one file; None removes it."""

    file: str
    text: str | None
    saved_ns: int | None = None
    """The time of the text, where it is older than its writing."""

    @property
    def data(self) -> bytes:
        """Return the text as bytes, half surrogates from damaged files included."""
        return (self.text or "").encode("utf-8", "surrogateescape")


def staged(folder: Folder, writes: Sequence[Write]) -> list[Staged]:
    """Make every new text durable under a temporary name, or none of them."""
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
    at = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Operation(os.urandom(4).hex(), at, verb, by, tuple(changes), undoes)


def version_of(folder: Folder, write: Write) -> Version | None:
    """Return a written file as history keeps it."""
    return None if write.text is None else version_on_disk(folder, write.file)


@contextmanager
def storage_errors(doing: str) -> Iterator[None]:
    """Turn what the disk says into a sentence that says what to do."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Check the directory and try again.")
        said = error.strerror or str(error)
        raise StorageError(
            error.errno or 0, f"{doing}: {said}. What was there before is still there. {advice}"
        ) from error


_ADVICE = {
    1: "The file system refuses this operation; check attributes and mount options.",
    13: "Make the directory writable for this user, or choose another with MEMDIR_DIRECTORY.",
    28: "Free some space and try again.",
    30: "The file system is read-only; remount it or choose another directory with MEMDIR_DIRECTORY.",
    24: "Too many files are open; raise `ulimit -n` or close other programs.",
    5: "The disk reported an error; check it before you go on.",
}
"""By errno: EPERM, EACCES, ENOSPC, EROFS, EMFILE, EIO."""
