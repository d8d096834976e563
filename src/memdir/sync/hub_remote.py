"""A space of a hub as a remote: deltas by sequence number, compare-and-swap on versions, batches.

A version is named `number.request`: the sequence number that the hub gave it, and the random id of the
request that published it. A database that was restored from a backup gives numbers again, but never request
ids, so a client sees that the history it knows is no longer that of the hub. The names of the versions that
it replaced follow, as far as they are known: they tell where the two histories part.

A request id is recorded here before its batch is sent. Sent again, the hub answers as it did the first time;
after a crash the next sync asks what became of it. Nothing is published twice.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from memdir.errors import RemoteError
from memdir.memories.history.git import blob_id
from memdir.memories.scan import Skipped
from memdir.memories.topic import one_line
from memdir.sync.hub_client import HubClient
from memdir.sync.remote import (
    MAX_REMOTE_FILES,
    Authorship,
    FileState,
    Outgoing,
    Pending,
    PurgeTarget,
    Record,
    RemoteMoved,
    Snapshot,
    claimed_by,
    usable_files,
    with_changes,
)
from memdir.text.value import replace, value_class

__all__ = ["HubRemote"]

_BATCH = 500
"""Changes or texts in one request."""

_BATCH_BYTES = 3_000_000
"""Bytes of encoded texts in one request: a hub takes 4 MiB, names and times included."""

_PAGE = 1_000
_REWOUND = (
    "The space was restored to an earlier state; what it lost goes there again from here, and what was "
    "deleted since may come back."
)
_FORMER = 2
"""Replaced versions whose names are kept with that of the present one."""

_MOST_NAMES = MAX_REMOTE_FILES * 2
"""Names of versions in one question: what a hub takes."""

_CLEANED = ("versions", "answers", "records", "jobs")
"""What a purge counts: versions, answers to requests, records and jobs that held something of it."""

_PURGE = "purge"
"""Who deletes a file for good, as the hub says it."""
_PURGED = (
    "Removed for good by somebody who shares the space: {files}. The history of this machine may still "
    "hold the text; `memdir forget NAME --purge` removes it here too."
)

_HASH = re.compile(r"[0-9a-f]{40}")
_REQUEST = re.compile(r"[0-9a-f-]{36}")


@value_class(frozen=True, slots=True)
class _News:
    """What changed in a space since a revision."""

    revision: str
    changes: dict[str, FileState]
    """The newest of each file."""
    sizes: dict[str, int]
    published: dict[str, int]
    """The result of the request in question: the number of each file, empty if the hub never got it."""
    rewound: bool
    """Whether all files are listed because nobody knows what happened since the revision."""
    pruned: bool
    """Whether that is because old versions were removed."""


class HubRemote:
    """One space of one hub."""

    def __init__(self, client: HubClient) -> None:
        self._client = client

    def fetch(self, record: Record) -> Snapshot:
        """Return what the space holds now; only what changed since the record is transferred."""
        since = record.revision if record.whole else ""
        news = self._news(since, record.pending.revision)
        changes, known = news.changes, {} if news.rewound or not since else record.files
        files = with_changes(known, {file: _after(known.get(file), one) for file, one in changes.items()})
        usable, refused = usable_files(files, news.sizes) if changes else (files, [])
        base = record.base
        if news.pruned:  # a restored space lists nothing so new of a file that it has lost
            numbers = {file: _number(one.version) for file, one in changes.items()}
            base = {f: one for f, one in base.items() if numbers.get(f, 0) >= _number(one.version)}
        elif news.rewound:
            base = self._common(record, usable)
        arrived = _arrived_files(record.pending, news)
        notes = [_REWOUND] if news.rewound and not news.pruned and record.base else []
        gone = sorted(file for file, one in changes.items() if not one.content and file in record.base)
        if purged := [file for file in gone if changes[file].by.actor == _PURGE]:
            notes.append(_PURGED.format(files=", ".join(purged)))
        return Snapshot(news.revision, usable, with_changes(base, arrived), tuple(refused), tuple(notes))

    def read(self, files: Sequence[FileState]) -> list[bytes | None]:
        """Return the bytes of versions; None for bytes that do not match their hash."""
        left = sorted({_number(one.version) for one in files})
        found: dict[int, bytes] = {}
        while left:
            asked, left = left[:_BATCH], left[_BATCH:]
            got = _texts(self._client.post("read", {"seqs": asked}).body.get("files"))
            found |= got
            if got:  # what did not fit into the answer is asked for again
                left = [seq for seq in asked if seq not in got] + left
        texts = [found.get(_number(one.version)) for one in files]
        return [
            data if data is not None and blob_id(data) == one.content else None
            for one, data in zip(files, texts, strict=True)
        ]

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Send changes in batches, each whole or not at all, on top of the versions of the snapshot.

        Where somebody else was quicker with a later batch, what was published before is returned.
        """
        sent, refused = dict[str, FileState](), list[Skipped]()
        revision, waiting = snapshot.revision, list(_batches(changes))
        while waiting:
            batch, request = waiting.pop(0), str(uuid4())
            announce(Pending(request, {**sent, **{one.file: one.stored_as("") for one in batch}}))
            body = {"request": request, "changes": [_row(one, snapshot) for one in batch]}
            answer = self._client.post("publish", body, 409, 422)
            if answer.status == 409:
                if not sent:
                    raise RemoteMoved("Somebody else changed the space meanwhile.")
                break
            if answer.status == 422:
                problems = _refusals(answer.body, batch)
                refused += problems
                without = {one.file for one in problems}
                if rest := [one for one in batch if one.file not in without]:
                    waiting.insert(0, rest)
                continue
            with _check_answer():
                numbers = {one.file: int(answer.body["files"][one.file]) for one in batch}
            for one in batch:
                made = one.stored_as(f"{numbers[one.file]}.{request}")
                sent[one.file] = _after(snapshot.files.get(one.file), made)
            made_here, first = sorted(numbers.values()), _number(revision) + 1
            if made_here == list(range(first, first + len(made_here))):  # else others published in between
                revision = f"{made_here[-1]}.{request}"
        return Pending(revision, sent, tuple(refused))

    def log(self, revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return all versions up to a revision, newest first: file, writer, and whether it was deleted."""
        found, before = list[tuple[str, Authorship, bool]](), _number(revision) + 1
        while before > 1:
            rows = _rows(self._client.get("log", before=before, limit=_PAGE))
            if not rows:
                break
            found += [(file, one.by, not one.content) for file, one, _ in rows]
            before = min(_number(one.version) for _, one, _ in rows)
        return found

    def purge(self, wanted: PurgeTarget) -> str:
        """Remove all texts of files, texts by their hashes, and words from the space for good.

        Its token needs the scope admin. Say what was done.
        """
        cleaned, searched, left = dict.fromkeys(_CLEANED, 0), set[str](), set[str]()
        words = [word for word in wanted.words if word not in wanted.files]
        named = {"files": wanted.files, "contents": wanted.contents, "words": words}
        for at in range(0, max(map(len, named.values())), _BATCH):
            asked = {kind: list(some[at : at + _BATCH]) for kind, some in named.items()}
            answer = self._client.post("purge", asked).body
            cleaned = {kind: number + int(answer.get(kind, 0)) for kind, number in cleaned.items()}
            searched |= {one_line(str(table)) for table in answer.get("searched", ())}
            left |= {one_line(str(file)) for file in answer.get("left", ())}
        counts = [f"{number} {kind if number != 1 else kind[:-1]}" for kind, number in cleaned.items()]
        done = f"{', '.join(counts)} removed for good; nobody can send such a text again"
        done += f"; searched its tables {', '.join(sorted(searched))}" if searched else ""
        return done + (f"; these memories say the same and stay: {', '.join(sorted(left))}" if left else "")

    def _news(self, since: str, asked: str) -> _News:
        """Return what changed since a revision, all pages of it; everything where that is not known."""
        changes, sizes, published = dict[str, FileState](), dict[str, int](), dict[str, int]()
        more, at, rewound, pruned = True, since, False, False
        while more:
            number, _, mark = at.partition(".")
            answer = self._client.get("changes", since=number or 0, mark=mark, asked=asked, limit=_PAGE)
            if answer.get("rewound") and at:
                rewound, at, pruned, changes = True, "", answer.get("pruned") is True, {}
                continue
            if asked:
                with _check_answer():
                    files = (answer.get("published") or {}).items()
                    published, asked = {str(file): int(number) for file, number in files}, ""
            rows = _rows(answer)
            changes |= {file: one for file, one, _ in rows}
            sizes |= {file: size for file, _, size in rows}
            at = max((one.version for _, one, _ in rows), key=_number, default=at)
            more = bool(answer.get("more")) and bool(rows)
        return _News(at, changes, sizes, published, rewound, pruned and bool(changes))

    def _common(self, record: Record, present: Mapping[str, FileState]) -> dict[str, FileState]:
        """Return the base for a rewound space: the files as both histories had them before they parted."""
        known = (*record.base.values(), *record.files.values())
        names = {name for one in known for name in one.version.split()}
        newest = sorted(names, key=_number)[-_MOST_NAMES:]
        pairs = [[_number(name), name.partition(".")[2]] for name in newest]
        meeting = int(self._client.post("meeting", {"versions": pairs}).body.get("seq", 0))
        base: dict[str, FileState] = {}
        for file, one in record.base.items():
            if _number(one.version) <= meeting:
                base[file] = one
            elif file in present and _number(present[file].version) <= meeting:
                base[file] = present[file]  # an ancestor of what is here
        return base


def _arrived_files(pending: Pending, news: _News) -> dict[str, FileState]:
    """Return the pending files that the hub has received."""
    arrived: dict[str, FileState] = {}
    for file, one in pending.files.items():
        version = "" if news.rewound else one.version
        if file in news.published:
            version = f"{news.published[file]}.{pending.revision}"
        arrived |= {file: replace(one, version=version)} if version else {}
    return arrived


def _batches(changes: Sequence[Outgoing]) -> Iterator[list[Outgoing]]:
    batch, size = list[Outgoing](), 0
    for one in changes:
        length = len(one.data or b"") * 4 // 3 + 500
        if batch and (len(batch) == _BATCH or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += length
    if batch:
        yield batch


def _row(one: Outgoing, snapshot: Snapshot) -> dict[str, object]:
    base, was = snapshot.files.get(one.file), snapshot.base.get(one.file)
    return {
        "file": one.file,
        "data": None if one.data is None else base64.b64encode(one.data).decode("ascii"),
        "content": one.content,
        "saved_ns": one.saved_ns,
        "base": _number(base.version) if base else 0,
        "was": _number(was.version) if was and not base else 0,
        **one.by.claims,
    }


def _after(before: FileState | None, one: FileState) -> FileState:
    """Return a version whose name is followed by the names of the versions that it replaced."""
    former = before.version.split() if before else []
    former = [name for name in former if name != one.version][:_FORMER]
    return replace(one, version=" ".join([one.version, *former]))


def _number(version: str) -> int:
    number = version.partition(".")[0]
    return int(number) if number.isascii() and number.isdigit() else 0


@contextmanager
def _check_answer() -> Iterator[None]:
    """Say what to do where an answer is not as it should be; what a hub says is checked before it is used."""
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise RemoteError(
            "The hub answers what this memdir does not understand. Update the older of the two; "
            "what is here is safe."
        ) from error


def _rows(answer: Mapping[str, Any]) -> list[tuple[str, FileState, int]]:
    """Return the versions of an answer, each with its file and its size.

    In an answer to `changes` each property is a list, in one to `log` each version is an object.
    """
    with _check_answer():
        rows = answer["changes"]
        if isinstance(rows, dict):
            rows = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
        return [_version(row) for row in rows]


def _version(row: Mapping[str, Any]) -> tuple[str, FileState, int]:
    content, request = "" if row["deleted"] else str(row["content"] or ""), str(row["request"])
    if not _REQUEST.fullmatch(request) or not (row["deleted"] or _HASH.fullmatch(content)):
        raise ValueError(request)
    by = claimed_by(*(row[key] or "" for key in ("who", "at", "session", "actor")))
    version = FileState(content, f"{int(row['seq'])}.{request}", int(row["saved_ns"]), by)
    return str(row["file"]), version, int(row["size"] or 0)


def _refusals(answer: Mapping[str, Any], batch: Sequence[Outgoing]) -> list[Skipped]:
    """Return the files that the hub refuses, and why; an answer that names none of them refuses all."""
    given = answer.get("refused")
    reasons = given if isinstance(given, dict) else {}
    files = [one.file for one in batch if one.file in reasons]
    named = [Skipped(file, one_line(str(reasons[file]))[:300]) for file in files]
    return named or [Skipped(one.file, "the hub refuses it and does not say why") for one in batch]


def _texts(answer: Any) -> dict[int, bytes]:
    """Return texts by number; one that cannot be decoded is empty, and the check of its hash refuses it."""
    found: dict[int, bytes] = {}
    with _check_answer():
        for number, data in answer.items():
            found[int(number)] = b""
            with suppress(binascii.Error, ValueError):
                found[int(number)] = base64.b64decode(str(data), validate=True)
    return found
