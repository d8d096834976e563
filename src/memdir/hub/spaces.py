"""One space inside one transaction: its changes, its texts, and publishing with compare-and-swap."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from memdir.errors import MemdirError
from memdir.memories.history.git import blob_id
from memdir.memories.names import key_problem
from memdir.memories.topic import one_line
from memdir.sync.admission import text_problem
from memdir.sync.remote import MAX_REMOTE_BYTES, Authorship
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import field, value_class

__all__ = [
    "MAX_CALL_BYTES",
    "MAX_CHANGES",
    "Changes",
    "FileChange",
    "FileVersion",
    "Moved",
    "PublishRefused",
    "Published",
    "SpaceSession",
]

MAX_CHANGES = 500
"""Files of one call: published, listed or read."""

MAX_CALL_BYTES = 3 << 20
"""Bytes of text that one call reads or publishes: in base64 they make 4 MiB."""


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
    request: UUID
    """What published it: no other history of the space, such as one after a restore, has the same."""

    @property
    def deleted(self) -> bool:
        """Whether the file was deleted by it."""
        return not self.content


@value_class(frozen=True, slots=True)
class Changes:
    """The newest versions of the files that changed after a number."""

    seq: int
    """All changes up to this number are told; ask again from here."""
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


@value_class(frozen=True, slots=True)
class Published:
    """What one publishing made: the same again when the same request comes again."""

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


_CHANGES = """
SELECT s.seq, h.file, h.seq, v.content, coalesce(octet_length(v.data), 0), v.saved_ns,
       v.who, v.at, v.session, v.actor, v.request
FROM memdir.space s
LEFT JOIN LATERAL (
    SELECT space, file, seq FROM memdir.head WHERE space = s.id AND seq > %s ORDER BY seq LIMIT %s
) h ON true
LEFT JOIN memdir.version v ON v.space = h.space AND v.seq = h.seq
ORDER BY h.seq
"""

_READ = """
SELECT seq, bytes <= %(most)s, CASE WHEN bytes <= %(most)s THEN data END
FROM (
    SELECT seq, data, coalesce(sum(octet_length(data)) OVER (ORDER BY seq), 0) AS bytes
    FROM memdir.version WHERE seq = ANY(%(seqs)s)
) v
"""

_LOG = """
SELECT file, seq, content, coalesce(octet_length(data), 0), saved_ns, who, at, session, actor, request
FROM memdir.version WHERE seq < %s ORDER BY seq DESC LIMIT %s
"""

_MEETING = """
SELECT coalesce(max(v.seq), 0)
FROM unnest(%s::bigint[], %s::uuid[]) AS known (seq, request) JOIN memdir.version v USING (seq, request)
"""

_PUBLISH = """
SELECT memdir.publish(
    %s, %s, %s, %s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::bigint[],
    %s::text[], %s::text[], %s::text[]
)
"""


class SpaceSession:
    """A space while its transaction is open: everything that is read or written is of this space alone."""

    def __init__(self, connection: Connection, space: UUID, token: UUID | None = None) -> None:
        """Take a connection whose transaction has the space set, and the token in whose name it writes."""
        self.connection, self.space, self.token = connection, space, token

    def changes(self, since: int, limit: int = MAX_CHANGES) -> Changes:
        """Return the newest version of each file that changed after a number, in order of number."""
        rows = self.connection.execute(_CHANGES, [since, limit + 1]).fetchall()
        versions = tuple([_version(row[1:]) for row in rows if row[1] is not None])
        if len(versions) > limit:
            return Changes(versions[limit - 1].seq, versions[:limit], more=True)
        return Changes(rows[0][0] if rows else 0, versions, more=False)

    def read(self, seqs: Sequence[int]) -> dict[int, bytes | None]:
        """Return the bytes of versions, None for one that has none; what does not fit is left out."""
        cursor = self.connection.cursor(binary=True)
        rows = cursor.execute(_READ, {"seqs": list(seqs), "most": MAX_CALL_BYTES}).fetchall()
        left_out = {seq for seq, fits, _ in rows if not fits}
        found = {seq: data for seq, fits, data in rows if fits}
        return dict.fromkeys(set(seqs) - left_out) | found

    def log(self, before: int = 2**62, limit: int = MAX_CHANGES) -> list[FileVersion]:
        """Return the versions of all files, the newest first, before a number."""
        return [_version(row) for row in self.connection.execute(_LOG, [before, limit])]

    def publish(self, changes: Sequence[FileChange], request: UUID, said: Any = None) -> Published:
        """Store changes, all or none, and what is to be kept with the request.

        The same request again answers as the first time and stores nothing. `Moved` where a file is not the
        version that its change names; `PublishRefused` where one must not be stored.
        """
        if refused := dict(_problems(changes)):
            raise PublishRefused(refused)
        told = self._published(changes, request, said)
        if "moved" in told:
            raise Moved(told["moved"])
        return Published(told["seq"], told["files"], told["said"])

    def answered(self, request: UUID) -> Published | None:
        """Return what a request was answered, None for one that was not."""
        row = self.connection.execute("SELECT answer FROM memdir.request WHERE id = %s", [request]).fetchone()
        return Published(row[0]["seq"], row[0]["files"], row[0]["said"]) if row else None

    def meeting(self, known: Mapping[int, UUID]) -> int:
        """Return the newest of the versions that somebody knows which this history has; 0 where it has none.

        Whoever knows others than these saw a history that the space no longer has: it was restored.
        """
        row = self.connection.execute(_MEETING, [list(known), list(known.values())]).fetchone()
        return row[0] if row else 0

    def record(self, action: str, **detail: Any) -> None:
        """Write a line of the audit log; memory text never goes there."""
        self.connection.execute(
            "INSERT INTO memdir.audit (space, token, action, detail) VALUES (%s, %s, %s, %s)",
            [self.space, self.token, action, Jsonb(detail)],
        )

    def _published(self, changes: Sequence[FileChange], request: UUID, said: Any) -> dict[str, Any]:
        by = [
            [_plain(text) for text in texts]
            for texts in zip(*((c.by.who, c.by.session, c.by.actor) for c in changes), strict=True)
        ] or [[], [], []]
        columns = zip(*((c.file, c.base, c.content, c.data, c.saved_ns) for c in changes), strict=True)
        values = [list(column) for column in columns] or [[], [], [], [], []]
        row = self.connection.execute(
            _PUBLISH, [request, Jsonb(said), self.token, *values, *by], prepare=True
        ).fetchone()
        told: dict[str, Any] = row[0] if row else {}
        return told


def _version(row: Sequence[Any]) -> FileVersion:
    file, seq, content, size, saved_ns, who, at, session, actor, request = row
    by = Authorship(who, utc_stamp(at), session, actor)
    return FileVersion(file, seq, content, size, saved_ns, by, request)


def _problems(changes: Sequence[FileChange]) -> Iterator[tuple[str, str]]:
    """Yield the files that cannot be stored, each with the reason."""
    often = Counter(change.file for change in changes)
    for change in changes:
        problem = "it is there twice" if often[change.file] > 1 else _problem(change)
        if problem:
            yield change.file, problem


def _problem(change: FileChange) -> str | None:
    """Return why one change cannot be stored: the checks of every remote, and that it is what it says."""
    if problem := key_problem(change.file):
        return problem
    if not (0 <= change.base < 2**62 and 0 <= change.saved_ns < 2**62):
        return "its number or time is out of range"
    if change.data is None:
        return "it has no data but a content" if change.content else None
    if len(change.data) > MAX_REMOTE_BYTES:
        return f"it is over {MAX_REMOTE_BYTES:,} bytes"
    if change.content != blob_id(change.data):
        return "its content is not the hash of its data"
    return text_problem(change.file, change.data.decode("utf-8", "surrogateescape"))


def _plain(text: str) -> str:
    return one_line(text)[:300]
