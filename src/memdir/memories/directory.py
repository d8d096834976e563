"""Read a directory of memories with its index; `Writer` changes it.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from _thread import RLock  # that of threading, without the rest of it
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property

from memdir.disk.files import MAX_FILE_BYTES, Folder, make_folder, storage_errors
from memdir.errors import NoSuchMemory, Rejected, StorageError
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.names import leads_out, slug
from memdir.memories.topic import Header, Topic, saved_time, topic_from
from memdir.progress import count_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.memories.index.file import IndexCheck, IndexFile
    from memdir.memories.scan import Skipped

__all__ = [
    "MemoryDir",
    "claim_state",
    "refuse_unread",
    "unread_file",
]


class MemoryDir:
    """One memory directory; every verb opens it anew, so that several handles and processes agree."""

    def __init__(
        self,
        path: str,
        state: str,
        *,
        indexed: bool = True,
        root: str = "",
        admit: "Callable[[str, str], object] | None" = None,
    ) -> None:
        """Remember the places; the directory is made by the first save.

        `admit` raises for a file with a text that this directory must not hold.
        """
        self.admit = admit
        self.path, self.state, self.root = path, state, root
        self.catalog = Catalog(state)
        self.threads = RLock()
        self.indexed = indexed

    @cached_property
    def index(self) -> "IndexFile":
        """The index of this directory; a list of the newest memories does without."""
        from memdir.memories.index.file import IndexFile

        return IndexFile(self.state, enabled=self.indexed)

    def exists(self) -> bool:
        """Tell whether the directory was made yet."""
        return os.path.isdir(self.path)

    def full_path(self, file: str) -> str:
        """Return the absolute path of one memory file."""
        return os.path.join(self.path, file)

    def scan(self, limit: int | None = None, kind: str | None = None) -> list[Header]:
        """Return headers, newest first: all, the newest few, or those of one kind ("none": without one)."""
        if limit is not None and limit < 0:
            raise Rejected(f"The limit is {limit}, and fewer than none cannot be listed. Give 0 or more.")
        if kind is not None:
            from memdir.memories.refusals import required_kind

            wanted = None if kind == "none" else required_kind(kind)
            return [header for header in self.scan() if header.kind == wanted][:limit]
        with self.open_folder() as folder:
            if folder is None:
                return []
            if limit is not None and not len(self.catalog):
                return self.catalog.newest(folder, limit)
            self.catalog.refresh(folder)
            return self.catalog.headers()[:limit]

    def read(self, name: str) -> Topic:
        """Return one memory by its name or file; one that the catalog knows by its file is read at once."""
        if name in self.catalog:
            with suppress(StorageError, FileNotFoundError):
                return self.read_file(name)
        with self.open_folder() as folder:
            if folder is not None:
                self.catalog.refresh(folder)
            return self.read_file(self.file_of(name))

    def read_file(self, file: str) -> Topic:
        """Return one memory by its file alone."""
        with storage_errors(f"{file} could not be read"), Folder(self.path) as folder:
            data, status = folder.read(file, MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise Rejected(
                f"{file} is over {MAX_FILE_BYTES:,} bytes, too large for a memory. Open it yourself."
            )
        return topic_from(file, data.decode("utf-8", "replace"), saved_time(status.st_mtime_ns))

    def topics(self) -> Iterator[Topic]:
        """Yield every memory read whole, newest first; one that cannot be read is left out."""
        for header in count_progress(self.scan()):
            topic = None
            with suppress(Exception):  # whatever is wrong with one memory costs no other
                topic = self.read_file(header.file)
            if topic is not None:
                yield topic

    def view(self) -> str:
        """Return the index as it should be: every memory pointed at once, nothing that is gone."""
        with self.open_folder() as folder:
            if folder is None:
                return ""
            self.catalog.refresh(folder)
            return self.index.view(folder, self.catalog)

    def examine_index(self) -> "IndexCheck":
        """Compare the index on disk with the files."""
        from memdir.memories.index.file import IndexCheck

        with self.open_folder() as folder:
            if folder is None:
                return IndexCheck()
            self.catalog.refresh(folder)
            return self.index.look(folder, self.catalog)

    def file_of(self, name: str) -> str:
        """Return the file of a memory in the catalog by its file, its name, or words that make its name."""
        if name in self.catalog:
            return name
        words = slug(name) if name and not leads_out(name) else ""
        found = self.catalog.file_named(name) or (self.catalog.file_named(words) if words else None)
        if found is None:
            refuse_unread(self.catalog, self.path, name)
            raise NoSuchMemory(f"No memory is called {name!r}. `memdir list` shows what there is.")
        return found

    @contextmanager
    def open_folder(self) -> Iterator[Folder | None]:
        """Open the directory for reading; None when it was not made yet."""
        folder = None
        with storage_errors(f"{self.path} could not be read"):
            with suppress(FileNotFoundError, NotADirectoryError):
                folder = Folder(self.path)
            if folder is None:
                yield None
                return
            with folder, self.threads:
                yield folder


def refuse_unread(catalog: Catalog, path: str, name: str) -> None:
    """Raise when the memory is there and only cannot be read, which is not the same as gone."""
    if item := unread_file(catalog, name):
        how = "" if item.file in catalog.findings.unread else "is not read: "
        raise StorageError(0, f"{os.path.join(path, item.file)} is there and {how}{item.because}.")


def unread_file(catalog: Catalog, name: str) -> "Skipped | None":
    """Return the file that may be called so and is not read; None when there is none."""
    for item in catalog.findings.skipped:
        stem = item.file.rpartition("/")[2].removesuffix(".md")
        if name == item.file or slug(name) in (stem, stem.partition("_")[2]):
            return item
    return None


_OWNER = "directory"
"""In the state folder: its own path and that of the memory directory."""


def claim_state(state: str, directory: str) -> None:
    """Record which memory directory a state folder belongs to; raise if it is another that still exists.

    A directory that was moved does not exist at its old path. A copied state folder holds the path of the
    original, not its own, and so belongs to nobody yet. A state folder that cannot be written is not checked.
    """
    mark = f"{os.path.realpath(state)}\0{directory}"
    with suppress(OSError), make_folder(state) as folder:
        known = os.fsdecode(folder.read(_OWNER)[0]) if folder.exists(_OWNER) else ""
        if known == mark:
            return
        here, _, owner = known.partition("\0")
        same = os.path.isdir(owner) and os.path.isdir(directory) and os.path.samefile(owner, directory)
        if here == os.path.realpath(state) and os.path.isdir(owner) and not same:
            raise Rejected(
                f"{state} holds the history of {owner}, so it cannot hold that of {directory}, too. "
                "Name another state folder, or none."
            )
        folder.replace_cache(_OWNER, os.fsencode(mark))
