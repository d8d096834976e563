"""A change of one memory file, the operation that makes it, and what a caller is told of it (`Saved`)."""

from __future__ import annotations

from hashlib import sha256

from memdir.disk.files import MAX_FILE_BYTES, Folder
from memdir.memories.topic import Header, Provenance
from memdir.text.value import value_class

__all__ = [
    "Change",
    "Forgotten",
    "Operation",
    "Saved",
    "Version",
    "change_between",
    "file_bytes",
    "shown_text",
    "version_of",
    "version_on_disk",
]


@value_class(frozen=True, slots=True)
class Version:
    """One text that a file held, and since when."""

    text: str
    saved_ns: int
    sha: str
    """SHA-256 of the bytes on disk; `text` differs from them only where a secret was masked."""


@value_class(frozen=True, slots=True)
class Change:
    """One file before and after, byte for byte; None stands for "not there"."""

    file: str
    before: str | None
    after: str | None
    saved_ns: int | None = None
    """When the new text was saved; None in a plan: the time at which it is written."""
    before_ns: int = 0
    """When the old text was saved; known once the change was made, like the hashes."""
    sha: str = ""
    before_sha: str = ""

    @property
    def verb(self) -> str:
        """Return what it does: create, edit, forget, or nothing when both texts are the same."""
        if self.before == self.after:
            return "nothing"
        return "create" if self.before is None else "forget" if self.after is None else "edit"

    @property
    def planned(self) -> tuple[str, str | None, str | None, int | None]:
        """Return the fields that a plan needs, in their order, to be kept as JSON."""
        return self.file, self.before, self.after, self.saved_ns

    @property
    def old(self) -> Version | None:
        """Return the text that was there, as history keeps it."""
        return None if self.before is None else Version(self.before, self.before_ns, self.before_sha)

    @property
    def new(self) -> Version | None:
        """Return the text that is there now, as history keeps it."""
        return None if self.after is None else Version(self.after, self.saved_ns or 0, self.sha)


@value_class(frozen=True, slots=True)
class Operation:
    """One acknowledged step: everything in it is undone together."""

    id: str
    at: str
    """UTC, seconds, `Z`."""
    verb: str
    by: Provenance
    changes: tuple[Change, ...]
    undoes: str = ""

    @property
    def files(self) -> list[str]:
        """Return the files it touched."""
        return [change.file for change in self.changes]


@value_class(frozen=True, slots=True)
class Saved:
    """One memory that is durable, with its pointer."""

    header: Header
    path: str
    created: bool
    operation: str
    """The id under which this can be undone; empty where nothing had to change."""
    warnings: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """Return the file below the memory directory."""
        return self.header.file

    @property
    def name(self) -> str:
        """Return the name by which it is found."""
        return self.header.name


@value_class(frozen=True, slots=True)
class Forgotten:
    """One memory that is gone from the directory and kept in trash and history."""

    file: str
    path: str
    operation: str
    warnings: tuple[str, ...] = ()


def change_between(file: str, old: Version | None, new: Version | None) -> Change:
    """Return the change from one version of a file to another; None stands for "not there"."""
    before, before_ns, before_sha = (old.text, old.saved_ns, old.sha) if old else (None, 0, "")
    after, saved_ns, sha = (new.text, new.saved_ns, new.sha) if new else (None, 0, "")
    return Change(file, before, after, saved_ns, before_ns, sha, before_sha)


def file_bytes(text: str) -> bytes:
    """Return a text as the bytes it was read from, also those that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def shown_text(text: str) -> str:
    """Return a text as it is shown: U+FFFD stands for bytes that are not UTF-8."""
    return text if text.isascii() else file_bytes(text).decode("utf-8", "replace")


def version_of(data: bytes, saved_ns: int) -> Version:
    """Return the bytes of a file as history keeps them."""
    return Version(data.decode("utf-8", "surrogateescape"), saved_ns, sha256(data).hexdigest())


def version_on_disk(folder: Folder, file: str) -> Version | None:
    """Read a file as history keeps it; None when there is no plain file, or none of a sane size."""
    found = folder.read_if_there(file, MAX_FILE_BYTES + 1)
    if found is None or len(found[0]) > MAX_FILE_BYTES:
        return None
    return version_of(found[0], found[1].st_mtime_ns)
