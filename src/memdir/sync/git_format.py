"""The texts that git reads and prints: streams of `fast-import` and `fast-export`, and logs."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from memdir.memories.change import file_bytes
from memdir.memories.topic import EPOCH
from memdir.sync.remote import Authorship, Outgoing, claimed_by, lines_without
from memdir.text.dates.calendar import utc_stamp
from memdir.text.numbers import count
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["LOG", "GitChange", "changes_in", "commit_stream", "file_command", "without_files"]

LOG = ("log", "--no-renames", "--name-status", "-z", "--format=%x1e%an <%ae>%x1f%aI%x1f%B%x1f")
"""The command whose output `changes_in` reads."""

_OURS = "refs/memdir/ours"
_FILES_A_COMMIT = 100
"""A commit names each of its files in its message, which should stay readable."""


def commit_stream(changes: Sequence[Outgoing], parent: str, within: str) -> bytes:
    """Return what `git fast-import` reads: a commit for each hundred files, and the question for its name."""
    before = f"from {parent}\n" if parent else ""
    parts = [f"reset {_OURS}\n{before}\n".encode()]
    for start in range(0, len(changes), _FILES_A_COMMIT):
        some = changes[start : start + _FILES_A_COMMIT]
        parts += [_commit(some, before), *(file_command(within + one.file, one.data) for one in some)]
        before = ""
    return b"".join([*parts, b"get-mark :1\n"])


def _commit(changes: Sequence[Outgoing], parent: str) -> bytes:
    by = changes[0].by
    name, _, address = by.who.rpartition("<") if "<" in by.who else (by.who, "", "")
    name, address = (re.sub(r"[<>\x00-\x1f]", "", text).strip() for text in (name, address))
    person = f"{name or 'unknown'} <{address}> {int(datetime.fromisoformat(by.at).timestamp())} +0000"
    rows = [{"file": change.file, "saved": change.saved_ns, **change.by.claims} for change in changes]
    subject = changes[0].file if len(changes) == 1 else count(len(changes), "memory")
    lines = [f"Sync {subject}", "", *(f"Memory: {json.dumps(row)}" for row in rows)]
    message = file_bytes(without_secrets("\n".join(lines)))
    head = f"commit {_OURS}\nmark :1\nauthor {person}\ncommitter {person}\ndata {len(message)}\n"
    return file_bytes(head) + message + b"\n" + parent.encode()


def file_command(path: str, data: bytes | None) -> bytes:
    """Return the line of a stream that puts a file into a commit; without data, that takes it out."""
    name = file_bytes(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    if data is None:
        return b'D "%b"\n' % name
    return b'M 100644 inline "%b"\ndata %d\n%b\n' % (name, len(data), data)


GitChange = tuple[str, bool, int, Authorship]
"""A file that a commit changed, whether it deleted it, the time of the text, and who wrote it."""


def changes_in(log: str, within: str) -> Iterator[GitChange]:
    """Yield each change that the commits of a log made to a file, whose path begins with `within`.

    Time and writer are as a line of the message says, else as the author of the commit is.
    """
    for row in log.split("\x1e")[1:]:
        head, _, names = row.rpartition("\x1f")
        who, _, rest = head.partition("\x1f")
        at, _, message = rest.partition("\x1f")
        try:
            moment = datetime.fromisoformat(at).astimezone(UTC)
        except (ValueError, OverflowError):  # no date, or one that is past the last year in UTC
            moment = EPOCH
        stamp = utc_stamp(moment)
        noted = dict(_memory_lines(message, stamp))
        author = int(moment.timestamp()) * 10**9, claimed_by(who, stamp)
        words = [word for word in names.replace("\n", "").split("\0") if word]
        for state, path in zip(words[::2], words[1::2], strict=False):
            file = path.removeprefix(within)
            yield file, state == "D", *noted.get(file, author)


def _memory_lines(message: str, at: str) -> Iterator[tuple[str, tuple[int, Authorship]]]:
    """Yield each file that a message tells about, with the time of its text and who wrote it."""
    for line in message.split("\n"):
        row: dict[str, object] = {}
        with suppress(ValueError, RecursionError):
            row = json.loads(line.removeprefix("Memory: ")) if line.startswith("Memory: {") else {}
        file, saved = row.get("file"), row.get("saved")
        if isinstance(file, str) and isinstance(saved, int):
            who, session, actor = (row.get(key, "") for key in ("who", "session", "actor"))
            yield file, (saved, claimed_by(who, at, session, actor))


def without_files(stream: bytes, paths: Collection[str], words: Collection[str]) -> bytes:
    """Return a stream of `git fast-export` without these paths, nor message lines with these words."""
    needles = [file_bytes(word) for word in words]
    made, at, is_commit = list[bytes](), 0, False
    while at < len(stream):
        end = stream.index(b"\n", at) + 1
        line, at = stream[at:end], end
        if line.startswith(b"data "):
            size = int(line[5:])
            data, at = stream[at : at + size], at + size
            if is_commit:
                left = lines_without(data, needles)
                data = left if left.strip() else b"memory\n"
            made.append(b"data %d\n%b" % (len(data), data))
        elif line[:2] not in (b"M ", b"D ") or _path(line) not in paths:
            is_commit = (is_commit and line != b"blob\n") or line.startswith(b"commit ")
            made.append(line)
    return b"".join(made)


def _path(line: bytes) -> str:
    """Return the path of a change in a stream; odd names stand in quotes, their bytes as octal numbers."""
    path = line.rstrip(b"\n").split(b" ", 3)[3] if line.startswith(b"M ") else line[2:].rstrip(b"\n")
    if path.startswith(b'"'):
        path = re.sub(rb"\\(\d{3}|.)", _unquote, path[1:-1])
    return path.decode("utf-8", "surrogateescape")


def _unquote(found: re.Match[bytes]) -> bytes:
    sign = found[1]
    return bytes([int(sign, 8)]) if len(sign) > 1 else {b"n": b"\n", b"t": b"\t"}.get(sign, sign)
