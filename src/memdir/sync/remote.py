"""What a remote is: versions of memory files elsewhere, with who wrote them; the record of what is common."""

import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from memdir.disk.files import Folder
from memdir.errors import RemoteError
from memdir.memories.names import key_problem
from memdir.memories.scan import MAX_DEPTH, Skipped
from memdir.text.secrets.fast_search import may_hold_secret
from memdir.text.secrets.search import find_secrets
from memdir.text.value import field, value_class

__all__ = [
    "DAMAGED",
    "MAX_REMOTE_BYTES",
    "MAX_REMOTE_FILES",
    "RECORD",
    "Authorship",
    "Judge",
    "Outgoing",
    "Pending",
    "Record",
    "Remote",
    "RemoteFile",
    "RemoteMoved",
    "Snapshot",
    "folded_name",
    "folder_called",
    "folder_problem",
    "load_record",
    "store_record",
    "text_problem",
    "usable_files",
]

MAX_REMOTE_BYTES = 250_000
"""Bytes of one file that is sent or taken."""

MAX_REMOTE_FILES = 20_000
"""Files that are taken from one remote folder: more is not a memory that anybody keeps."""

_SAME_NAME = "another file has this name but for the case or the form of letters"

RECORD = "record.json"
"""In the folder of one remote; its time is that of the last sync that found something new."""

_MOST_BYTES = 1 << 26

DAMAGED = (
    "The record of the last sync was damaged and is begun anew: nothing is lost, but a memory that was "
    "changed here and there since comes back as a conflict, and one that was deleted may come back."
)


class RemoteMoved(RemoteError):
    """Somebody else changed the remote meanwhile: look again, then publish again."""


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


@value_class(frozen=True, slots=True)
class RemoteFile:
    """One version of one memory file in a remote, without its text."""

    content: str
    """The hash of its bytes, as git names them."""
    version: str
    """By what the remote finds this version again."""
    saved_ns: int
    """The time of the text."""
    by: Authorship = Authorship()


@value_class(frozen=True, slots=True)
class Outgoing:
    """One file to publish; without data it was deleted."""

    file: str
    data: bytes | None
    content: str
    saved_ns: int
    by: Authorship


@value_class(frozen=True, slots=True)
class Pending:
    """What was about to be published when it was written down: if the remote has it, it is common."""

    revision: str = ""
    files: dict[str, RemoteFile | None] = field(default_factory=dict)
    refused: tuple[Skipped, ...] = ()
    """What the remote did not take."""


@value_class(frozen=True, slots=True)
class Record:
    """What was common to the directory and its remote at the last sync."""

    revision: str = ""
    """The state of the remote that was seen last."""
    base: dict[str, RemoteFile] = field(default_factory=dict)
    """Of each file the last version that both had."""
    ahead: dict[str, RemoteFile | None] = field(default_factory=dict)
    """What the remote had instead of the base at that revision, None for no such file."""
    pulling: dict[str, RemoteFile] = field(default_factory=dict)
    """Versions that were about to be written here: where a file holds one, that is its base."""
    pending: Pending = Pending()
    whole: bool = True
    """Whether all files of the remote at that revision are known here; if not, they are looked at again."""

    @property
    def remote(self) -> dict[str, RemoteFile]:
        """Return all files of the remote at the recorded revision."""
        files = self.base | self.ahead
        return {file: version for file, version in files.items() if version is not None}


@value_class(frozen=True, slots=True)
class Snapshot:
    """All files of a remote at one moment."""

    revision: str
    files: Mapping[str, RemoteFile]
    base: Mapping[str, RemoteFile]
    """The recorded base, corrected where the remote was rewound or has what was pending."""
    refused: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know about the remote, a sentence each."""


class Remote(Protocol):
    """A place to sync with."""

    def fetch(self, record: Record) -> Snapshot:
        """Return what the remote holds now, compared with what was recorded."""
        ...

    def read(self, files: Sequence[RemoteFile]) -> list[bytes | None]:
        """Return the bytes of versions, None for one that the remote no longer has."""
        ...

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Add changes on top of a snapshot and return what the remote then has.

        `announce` is told just before they become visible. `RemoteMoved` where the snapshot is no longer the
        newest state; where that shows after a part was published, the part is returned.
        """
        ...

    def log(self, revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return the changes that led to a revision: file, writer, and whether it was deleted."""
        ...


Judge = Callable[[str, str], str | None]
"""Says why a text must not be shared under its file name; None when it may."""


def text_problem(file: str, text: str) -> str | None:
    """Return why no remote takes a text, and none is taken from it; None when it may be."""
    if found := [*find_secrets(text), *(find_secrets(file) if may_hold_secret(file) else ())]:
        return f"it holds what looks like a credential ({', '.join(sorted({one.rule for one in found}))})"
    return "it is not text" if "\0" in text else None


def usable_files(
    found: Mapping[str, RemoteFile], sizes: Mapping[str, int]
) -> tuple[dict[str, RemoteFile], list[Skipped]]:
    """Split what a remote offers into files that may be taken and refusals."""
    if len(found) > MAX_REMOTE_FILES:
        raise RemoteError(
            f"The remote holds {len(found):,} memories, and {MAX_REMOTE_FILES:,} is the limit. "
            "Nothing was changed; look whether it is the right one."
        )
    usable, refused, folded = dict[str, RemoteFile](), list[Skipped](), set[str]()
    for file in sorted(found):
        if problem := key_problem(file):
            refused.append(Skipped(file, problem))
        elif sizes.get(file, 0) > MAX_REMOTE_BYTES:
            refused.append(Skipped(file, f"it is over {MAX_REMOTE_BYTES:,} bytes"))
        elif file.count("/") > MAX_DEPTH:
            refused.append(Skipped(file, f"it lies in more than {MAX_DEPTH} folders"))
        elif (folded_file := folded_name(file)) in folded:
            refused.append(Skipped(file, _SAME_NAME))
        else:
            folded.add(folded_file)
            usable[file] = found[file]
    return usable, refused


def folded_name(file: str) -> str:
    """Return a name as disks compare it that know neither case nor the Unicode form of a letter."""
    return file.lower() if file.isascii() else unicodedata.normalize("NFD", file.casefold())


def folder_called(name: str) -> str:
    """Return the folder inside a remote for a project of this name: plain signs only."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "-" for sign in name)
    return plain.lstrip(".-")[:100] or "memory"


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
        return _from_json(json.loads(rows)) if int(check, 16) == zlib.crc32(rows) else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def store_record(folder: Folder, record: Record) -> None:
    """Replace the record durably."""
    content: dict[str, object] = {"revision": record.revision, "whole": record.whole}
    content |= {name: _rows(getattr(record, name)) for name in ("base", "ahead", "pulling")}
    content["pending"] = [record.pending.revision, _rows(record.pending.files)]
    rows = json.dumps(content, separators=(",", ":")).encode()
    folder.write(RECORD, b"%08x\n%b" % (zlib.crc32(rows), rows))


def _rows(files: Mapping[str, RemoteFile | None]) -> dict[str, object]:
    return {f: one and [one.content, one.version, one.saved_ns, *one.by.words] for f, one in files.items()}


def _from_json(row: dict[str, Any]) -> Record:
    revision, pending = row["pending"]
    base, ahead, pulling, sent = (
        {file: one and _file(*one) for file, one in rows.items()}
        for rows in (row["base"], row["ahead"], row["pulling"], pending)
    )
    return Record(row["revision"], base, ahead, pulling, Pending(revision, sent), row["whole"])


def _file(content: str, version: str, saved_ns: int, *by: str) -> RemoteFile:
    return RemoteFile(content, version, int(saved_ns), _authorship(*by))


_authorship = lru_cache(1_000)(Authorship)
"""Few people wrote many files."""
