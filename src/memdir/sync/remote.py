"""A remote: versions of memory files elsewhere, with their writers; and the record of the common state."""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from memdir.disk.files import Folder
from memdir.errors import RemoteError
from memdir.memories.change import file_bytes
from memdir.memories.names import key_problem
from memdir.memories.scan import MAX_DEPTH, Skipped
from memdir.memories.topic import one_line
from memdir.text.secrets.fast_search import may_hold_secret
from memdir.text.secrets.search import secret_names
from memdir.text.value import field, value_class

__all__ = [
    "MAX_REMOTE_BYTES",
    "MAX_REMOTE_FILES",
    "PURGED",
    "RECORD",
    "Authorship",
    "FileState",
    "Outgoing",
    "Pending",
    "PurgeTarget",
    "Record",
    "Remote",
    "RemoteMoved",
    "Snapshot",
    "claimed_by",
    "folded_name",
    "folder_called",
    "folder_problem",
    "lines_without",
    "load_record",
    "store_record",
    "text_problem",
    "unusable_remote",
    "usable_files",
    "with_changes",
]

MAX_REMOTE_BYTES = 250_000
"""Bytes of one file that is sent or taken."""

MAX_REMOTE_FILES = 20_000
"""Files that are taken from one remote folder: more is not a memory that anybody keeps."""

PURGED = "it was removed for good by somebody who shares it; `memdir forget --purge` removes it here too"
"""Why a text is neither sent nor taken any more."""

RECORD = "record.json"
"""In the folder of one remote; its time is that of the last sync that found something new."""

_MOST_BYTES = 1 << 26


class RemoteMoved(RemoteError):
    """Somebody else changed the remote meanwhile: look again, then publish again."""


def unusable_remote(what: str, advice: str) -> RemoteError:
    """Return the error of a remote that cannot be used now: what happened, what to do, what is not lost."""
    safe = "What is here is safe, and goes there with the next sync that works."
    return RemoteError(" ".join(filter(None, (f"{what.rstrip('.')}.", advice, safe))))


@value_class(frozen=True, slots=True)
class Authorship:
    """Who wrote a text, as the remote records it: a claim of whoever may write there."""

    who: str = ""
    """A person: `Name <address>`, or a name."""
    at: str = ""
    """When it was sent: UTC, seconds, `Z`."""
    session: str = ""
    """The conversation in which it was written, where one is known."""
    actor: str = ""
    """user, host, extractor, dream, sync or outside, on the machine where it was written."""

    @property
    def words(self) -> tuple[str, str, str, str]:
        """All of it, in the order in which it is taken."""
        return self.who, self.at, self.session, self.actor

    @property
    def claims(self) -> dict[str, str]:
        """What the writer's machine says about itself; a remote knows when the text was sent."""
        return {"who": self.who, "session": self.session, "actor": self.actor}


def claimed_by(*words: object) -> Authorship:
    """Return who wrote a text as somebody else says it: each word in one line and not too long."""
    return Authorship(*(one_line(str(word))[:300] for word in words))


@value_class(frozen=True, slots=True)
class FileState:
    """One memory file as it is here or in a remote, without its text."""

    content: str
    """The hash of its bytes, as git names them; empty for a file that was deleted."""
    version: str
    """The name by which the remote finds this version again; empty for a file here."""
    saved_ns: int
    """When the text was saved, in nanoseconds."""
    by: Authorship = Authorship()


def with_changes(
    files: Mapping[str, FileState], changes: Mapping[str, FileState | None]
) -> dict[str, FileState]:
    """Return files with changes on top; None, or a state without content, takes a file away."""
    return {file: one for file, one in {**files, **changes}.items() if one and one.content}


@value_class(frozen=True, slots=True)
class Outgoing:
    """One file to publish; without data it was deleted."""

    file: str
    data: bytes | None
    content: str
    saved_ns: int
    by: Authorship

    def stored_as(self, version: str) -> FileState:
        """Return the file as the remote has it once it is published under a version."""
        return FileState("" if self.data is None else self.content, version, self.saved_ns, self.by)


@value_class(frozen=True, slots=True)
class PurgeTarget:
    """What is to vanish: the files that a memory ever had, and its words."""

    files: tuple[str, ...]
    words: tuple[str, ...]
    contents: tuple[str, ...] = ()
    """The git hash of every text that it ever had: no machine may send these again."""

    def is_in(self, data: bytes) -> bool:
        """Tell whether bytes hold any of it, plain or as JSON writes it."""
        return any(needle in data for needle in self._needles())

    def scrub(self, data: bytes) -> bytes:
        """Return the lines that hold nothing of it."""
        return lines_without(data, self._needles())

    def _needles(self) -> list[bytes]:
        plain = [file_bytes(word) for word in (*self.files, *self.words)]
        coded = [json.dumps(word)[1:-1].encode() for word in (*self.files, *self.words)]
        return [*dict.fromkeys(plain + coded)]


def lines_without(data: bytes, needles: Collection[bytes]) -> bytes:
    """Return the lines that hold none of these."""
    lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines if not any(needle in line for needle in needles))


@value_class(frozen=True, slots=True)
class Pending:
    """Changes that were about to be published: those that the remote has by now are common."""

    revision: str = ""
    files: Mapping[str, FileState] = field(default_factory=dict)
    refused: tuple[Skipped, ...] = ()
    """What the remote did not take."""


@value_class(frozen=True, slots=True)
class Record:
    """What was common to the directory and its remote at the last sync."""

    revision: str = ""
    """The state of the remote that was seen last."""
    base: Mapping[str, FileState] = field(default_factory=dict)
    """Of each file the last version that both had."""
    files: Mapping[str, FileState] = field(default_factory=dict)
    """All files of the remote at that revision."""
    pulling: Mapping[str, FileState] = field(default_factory=dict)
    """Versions that were about to be written here: where a file holds one, that is its base."""
    pending: Pending = Pending()
    whole: bool = True
    """Whether all files of the remote at that revision are known here; if not, they are looked at again."""


@value_class(frozen=True, slots=True)
class Snapshot:
    """All files of a remote at one moment."""

    revision: str
    files: Mapping[str, FileState]
    base: Mapping[str, FileState]
    """The recorded base, corrected where the remote was rewound or has what was pending."""
    refused: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know about the remote, a sentence each."""


class Remote(Protocol):
    """A place to sync with."""

    def fetch(self, record: Record) -> Snapshot:
        """Return what the remote holds now, compared with what was recorded."""
        ...

    def read(self, files: Sequence[FileState]) -> list[bytes | None]:
        """Return the bytes of versions, None for one that the remote no longer has."""
        ...

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Add changes on top of a snapshot and return what the remote then has.

        `announce` is called just before they become visible. `RemoteMoved` where the snapshot is no longer
        the newest state; where that shows after a part was published, the part is returned.
        """
        ...


def text_problem(file: str, text: str) -> str | None:
    """Return why no remote takes a text, and none is taken from it; None when it may be."""
    if rules := secret_names(text, *([file] if may_hold_secret(file) else ())):
        return f"it holds what looks like a credential ({rules})"
    return "it is not text" if "\0" in text else None


def usable_files(
    found: Mapping[str, FileState], sizes: Mapping[str, int]
) -> tuple[dict[str, FileState], list[Skipped]]:
    """Split what a remote offers into files that may be taken and refusals."""
    if len(found) > MAX_REMOTE_FILES:
        raise RemoteError(
            f"The remote holds {len(found):,} memories, and {MAX_REMOTE_FILES:,} is the limit. "
            "Nothing was changed; look whether it is the right one."
        )
    usable, refused, folded = dict[str, FileState](), list[Skipped](), set[str]()
    for file in sorted(found):
        problem = key_problem(file)
        if not problem and sizes.get(file, 0) > MAX_REMOTE_BYTES:
            problem = f"it is over {MAX_REMOTE_BYTES:,} bytes"
        if not problem and file.count("/") > MAX_DEPTH:
            problem = f"it lies in more than {MAX_DEPTH} folders"
        if not problem and folded_name(file) in folded:
            problem = "another file has this name but for the case or the form of letters"
        if problem:
            refused.append(Skipped(file, problem))
        else:
            folded.add(folded_name(file))
            usable[file] = found[file]
    return usable, refused


def folded_name(file: str) -> str:
    """Return a name as disks compare it that know neither case nor the Unicode form of a letter."""
    return file.lower() if file.isascii() else unicodedata.normalize("NFD", file.casefold())


def folder_called(name: str) -> str:
    """Return the folder inside a remote for a project of this name: plain signs only."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", name).lstrip(".-")[:100] or "memory"


def folder_problem(folder: str) -> str | None:
    """Return why a folder inside a remote cannot be called so."""
    names = folder.removesuffix("/").split("/") if folder else []
    if all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", name) for name in names):
        return None
    return "its folder may have letters, digits, dots, dashes and underscores only"


def load_record(folder: Folder) -> Record | None:
    """Return what was recorded last, empty when nothing was; None when it is damaged."""
    if not folder.exists(RECORD):
        return Record()
    try:
        data, _ = folder.read(RECORD, _MOST_BYTES)
        check, _, rows = data.partition(b"\n")
        row: dict[str, Any] = json.loads(rows) if int(check, 16) == zlib.crc32(rows) else {}
        base, revision, pending = _states(row["base"]), row["pending"][0], _states(row["pending"][1])
        files = with_changes(base, _states(row["ahead"]))
        return Record(
            row["revision"], base, files, _states(row["pulling"]), Pending(revision, pending), row["whole"]
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def store_record(folder: Folder, record: Record) -> None:
    """Replace the record durably; of the remote it names only the files that differ from the base."""
    base, files = record.base, record.files
    ahead: dict[str, FileState | None] = {file: None for file in base if file not in files}
    ahead |= {f: one for f, one in files.items() if one is not base.get(f) and one != base.get(f)}
    content = {
        "revision": record.revision,
        "whole": record.whole,
        "base": _rows(base),
        "ahead": _rows(ahead),
        "pulling": _rows(record.pulling),
        "pending": [record.pending.revision, _rows(record.pending.files)],
    }
    rows = json.dumps(content, separators=(",", ":")).encode()
    folder.write(RECORD, b"%08x\n%b" % (zlib.crc32(rows), rows))


def _rows(files: Mapping[str, FileState | None]) -> dict[str, object]:
    return {f: one and [one.content, one.version, one.saved_ns, *one.by.words] for f, one in files.items()}


def _states(rows: dict[str, Any]) -> dict[str, FileState]:
    """Return states by file; a row that is null stands for a file that is not there."""
    return {
        file: FileState(row[0], row[1], int(row[2]), Authorship(*row[3:])) if row else FileState("", "", 0)
        for file, row in rows.items()
    }
