"""One space inside one transaction: who may enter it, its changes, and publishing with compare-and-swap.

`memdir.enter` in the database decides what a token allows; only hashes of tokens are kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from secrets import token_urlsafe
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from memdir.errors import MemdirError
from memdir.memories.history.git import blob_id
from memdir.memories.names import key_problem
from memdir.memories.topic import one_line
from memdir.sync.remote import MAX_REMOTE_BYTES, Authorship, claimed_by, text_problem
from memdir.text.value import field, value_class

__all__ = [
    "ENTER",
    "ENTER_BY_COOKIE",
    "ENTRY",
    "MAX_CALL_BYTES",
    "MAX_CHANGES",
    "SCOPES",
    "Changes",
    "Denied",
    "FileChange",
    "FileVersion",
    "Grant",
    "Moved",
    "PublishRefused",
    "Published",
    "SpaceSession",
    "TokenSession",
    "grant_from",
    "is_storable",
    "secret_hash",
]

SCOPES = ("read", "write", "admin")
"""Each includes those before it."""

ENTRY = "denied, token, space, name, scopes"
"""The columns of `memdir.enter`, as `grant_from` reads them."""

ENTER = "FROM memdir.enter(%s, %s, %s)"
"""Its call, with the hash of a token, the name of a space or none, and a scope."""

ENTER_BY_COOKIE = "FROM memdir.enter(memdir.signed_in(%s), %s, %s)"
"""The same with the hash of a browser's cookie."""

MAX_CHANGES = 500
"""Files of one call: published, listed or read."""

MAX_CALL_BYTES = 3 << 20
"""Bytes of text that one call reads or publishes: in base64 they make 4 MiB."""

_PURGED = "it was removed for good by somebody who shares it; remove it here too"

_DENIALS = {
    "token": (401, "This token is not valid: it is wrong, expired or revoked. Ask for a new one."),
    "space": (404, "There is no such space, or this token is not for it. Check the address."),
    "scope": (403, "This token may not do that. Ask for one with the scope {scope}."),
}


@value_class(frozen=True, slots=True)
class Grant:
    """What a valid token allows."""

    token: UUID
    space: UUID
    name: str
    """Of the space."""
    scopes: tuple[str, ...]


class Denied(MemdirError):
    """A token that may not do what it was sent for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status."""


def grant_from(row: Sequence[Any] | None, scope: str) -> Grant:
    """Return what a token allows, by what `memdir.enter` found; `Denied` where it may not."""
    if row is None or row[0]:
        status, message = _DENIALS[row[0] if row else "token"]
        raise Denied(status, message.format(scope=scope))
    _, token, space, name, scopes = row[:5]
    return Grant(token, space, name, tuple(scopes))


def is_storable(text: str) -> bool:
    """Tell whether PostgreSQL can keep a text: it has no NUL, and no half of a character."""
    return not re.search("[\0\ud800-\udfff]", text)


def secret_hash(secret: str) -> bytes:
    """Return what is kept of a token: it is random, so a plain hash cannot be guessed from."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


@value_class(frozen=True, slots=True)
class FileVersion:
    """One version of one file in a space, without its text."""

    file: str
    seq: int
    content: str
    """The hash of its bytes, as git names them; empty for a deletion."""
    size: int
    saved_ns: int
    by: Authorship

    @property
    def deleted(self) -> bool:
        """Whether the file was deleted by it."""
        return not self.content


@value_class(frozen=True, slots=True)
class Changes:
    """The newest versions of the files that changed after a number."""

    seq: int
    """All changes up to this number are here; ask again from it."""
    versions: tuple[FileVersion, ...]
    more: bool


@value_class(frozen=True, slots=True)
class FileChange:
    """One file to publish; without data it is deleted."""

    file: str
    base: int
    """The version that it replaces; 0 where there should be no file."""
    data: bytes | None
    content: str
    saved_ns: int
    by: Authorship
    was: int = 0
    """The version that the text comes from, where the file was deleted since; 0 where nobody knew one."""


@value_class(frozen=True, slots=True)
class Published:
    """What one call of `publish` stored; a repeated request gets the same answer."""

    seq: int
    files: Mapping[str, int] = field(default_factory=dict)
    """The new version of each file."""
    said: Any = None
    """What the caller wanted to be kept with the request."""


class Moved(MemdirError):
    """Somebody else changed files meanwhile: look again, then publish again."""

    def __init__(self, files: Mapping[str, int]) -> None:
        super().__init__("Files of this space changed meanwhile. Read them, merge, and publish again.")
        self.files = dict(files)
        """The present version of each, 0 where there is none."""


class PublishRefused(MemdirError):
    """Files that are not taken, and why; nothing was stored."""

    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__("Nothing was stored: some files cannot be taken. Change them, or leave them out.")
        self.files = dict(files)


class SpaceSession:
    """A space while its transaction is open: everything that is read or written is of this space alone."""

    def __init__(
        self, connection: Connection, space: UUID, token: UUID | None = None, locked: Any = None
    ) -> None:
        """Take a connection whose transaction has the space set, and the token in whose name it writes.

        `locked` is the state of the space where it was locked at once.
        """
        self.connection, self.space, self.token, self._locked = connection, space, token, locked

    def changes(self, since: int, limit: int = MAX_CHANGES) -> Changes:
        """Return the newest version of each file that changed after a number, in order of number."""
        found = self._query("memdir.changes(%s, %s)", [since, limit])
        columns = found["changes"]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return Changes(found["seq"], tuple(map(_version, rows)), found["more"])

    def read(self, seqs: Sequence[int]) -> dict[int, bytes | None]:
        """Return the bytes of versions, None for one that has none; what does not fit is left out."""
        found = self._query("memdir.read(%s::bigint[], %s)", [list(seqs), MAX_CALL_BYTES])["files"]
        return {int(seq): None if data is None else b64decode(data) for seq, data in found.items()}

    def json_of(self, call: str, *values: Any) -> str:
        """Return the JSON of a function of the database, as the interface sends it."""
        return str(self._query(f"memdir.{call}::text", values))

    def newest_common(self, known: Mapping[int, UUID]) -> int:
        """Return the newest of the known versions that this space has, too; 0 where it has none.

        A caller that knows newer ones read them before the space was restored from a backup.
        """
        known_columns = [list(known), list(known.values())]
        return int(self._query("memdir.meeting(%s::bigint[], %s::uuid[])", known_columns))

    def publish(self, changes: Sequence[FileChange], request: UUID, said: Any = None) -> Published:
        """Store changes, all or none, and what is to be kept with the request.

        The same request again answers as the first time and stores nothing. `Moved` where a file is not the
        version that its change names; `PublishRefused` where one must not be stored.
        """
        if refused := _problems(changes):
            raise PublishRefused(refused)
        rows, texts = json.dumps([_row(one) for one in changes]), [one.data for one in changes]
        call = "memdir.publish(%s, %s, %s::json, %s::bytea[])"
        answer = self._query(call, [request, Jsonb(said), rows, texts])
        if "moved" in answer:
            raise Moved(answer["moved"])
        if "purged" in answer:
            raise PublishRefused(dict.fromkeys(answer["purged"], _PURGED))
        return Published(**answer)

    def state(self) -> tuple[int, str]:
        """Return the newest number, and the identity of the database, which changes when it is restored."""
        seq, identity = self._query("memdir.state()") or (0, "")
        return seq, identity

    def lock(self) -> tuple[int, str]:
        """Keep all others from changing the space until the transaction ends; return its state."""
        self._locked = self._locked or self._query("memdir.locked()") or (0, "")
        seq, identity = self._locked
        return seq, identity

    def pruned_to(self) -> int:
        """Return the highest number among the versions that were removed because of their age."""
        return int(self._query("(SELECT coalesce(max(seq), 0) FROM memdir.pruning)"))

    def texts_of(self, files: Sequence[str]) -> list[tuple[str, str]]:
        """Return every text that these files ever had, each with its file."""
        query = "SELECT file, data FROM memdir.version WHERE file = ANY(%s) AND data IS NOT NULL"
        rows = self.connection.execute(query, [list(files)]).fetchall()
        return [(file, bytes(data).decode("utf-8", "surrogateescape")) for file, data in rows]

    def purge(self, files: Sequence[str], contents: Sequence[str], words: Sequence[str]) -> dict[str, Any]:
        """Remove texts for good: all of these files, by their hashes, and whatever holds any of the words.

        Nobody can send such a text again. Files that were there are deleted by a new version. Return how
        many versions, answers, records and jobs were cleaned, in how many rows of each table the words are
        `found` then, and the files that are `left` because they say the same today.
        """
        wanted = [list(files), list(contents), list(words)]
        cleaned: dict[str, Any] = self._query("memdir.purge(%s::text[], %s::text[], %s::text[])", wanted)
        return cleaned

    def create_token(self, name: str, scope: str, expires_at: datetime | None = None) -> str:
        """Make a token for this space and return it: nobody can see it again."""
        secret, scopes = f"memdir_{token_urlsafe(32)}", list(SCOPES[: SCOPES.index(scope) + 1])
        values = [one_line(name)[:100], secret_hash(secret), scopes, expires_at]
        self._query("memdir.create_token(%s, %s, %s::text[], %s::timestamptz)", values)
        return secret

    def revoke_token(self, token: UUID) -> bool:
        """Revoke a token of this space at once, on every node; tell whether there is one."""
        return bool(self._query("memdir.revoke_token(%s)", [token]))

    def earlier_answer(self, request: UUID) -> Published | None:
        """Return what a request was answered, None for one that was not."""
        answer = self._query("memdir.answered(%s)", [request])
        return None if answer is None else Published(**answer)

    def _query(self, call: str, values: Sequence[Any] = ()) -> Any:
        """Return what one function of the database gives."""
        row = self.connection.execute(f"SELECT {call}".encode(), values, prepare=True).fetchone()
        return row[0] if row else None


class TokenSession(SpaceSession):
    """The space of a token: each call is a transaction of its own, in which the token is checked first.

    `Denied` where the token may not. `space` and `token` are known after the first call.
    """

    def __init__(self, connection: Connection, secret: str, name: str | None, scope: str) -> None:
        super().__init__(connection, UUID(int=0))
        self._entry = (secret_hash(secret), name, scope)

    def _query(self, call: str, values: Sequence[Any] = ()) -> Any:
        query = f"SELECT {ENTRY}, CASE WHEN denied IS NULL THEN {call} END {ENTER}".encode()
        row = self.connection.execute(query, [*values, *self._entry], prepare=True).fetchone()
        grant = grant_from(row, self._entry[2])
        self.space, self.token = grant.space, grant.token
        return row[-1] if row else None


def _row(change: FileChange) -> dict[str, Any]:
    """Return a change without its text, as the database reads it."""
    row = {name: getattr(change, name) for name in ("file", "base", "was", "content", "saved_ns")}
    return row | claimed_by(*change.by.words).claims


def _version(row: Mapping[str, Any]) -> FileVersion:
    by = Authorship(row["who"], row["at"], row["session"], row["actor"])
    return FileVersion(row["file"], row["seq"], row["content"], row["size"], row["saved_ns"], by)


def _problems(changes: Sequence[FileChange]) -> dict[str, str]:
    """Return the files that cannot be stored, each with the reason."""
    often = Counter(change.file for change in changes)
    found = [(one.file, "it is there twice" if often[one.file] > 1 else _problem(one)) for one in changes]
    return {file: problem for file, problem in found if problem}


def _problem(change: FileChange) -> str | None:
    """Return why one change cannot be stored: the checks of every remote, and that it is what it says."""
    if problem := key_problem(change.file):
        return problem
    if not all(0 <= number < 2**62 for number in (change.base, change.was, change.saved_ns)):
        return "its number or time is out of range"
    if change.data is None:
        return "it has no data but a content" if change.content else None
    if len(change.data) > MAX_REMOTE_BYTES:
        return f"it is over {MAX_REMOTE_BYTES:,} bytes"
    if change.content != blob_id(change.data):
        return "its content is not the hash of its data"
    return text_problem(change.file, change.data.decode("utf-8", "surrogateescape"))
