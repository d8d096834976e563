"""Commits of a git remote: what is written into them about each memory file, and read out of them again."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from memdir.memories.topic import one_line
from memdir.sync.remote import Authorship, Outgoing
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["LOG_FORMAT", "authors_in", "changes_in", "commit_stream"]

LOG_FORMAT = "--format=%x1e%an <%ae>%x1f%aI%x1f%B%x1f"
"""With this and `-z --name-only`, `git log` prints what `authors_in` reads."""

_FILES_A_COMMIT = 100
"""A commit names each of its files in its message, which should stay readable."""


def commit_stream(changes: Sequence[Outgoing], parent: str, ref: str, folder: str) -> bytes:
    """Return what `git fast-import` reads: a commit for each hundred files, and the question for its name."""
    before = f"from {parent}\n" if parent else ""
    parts = [f"reset {ref}\n{before}\n".encode()]
    for start in range(0, len(changes), _FILES_A_COMMIT):
        some = changes[start : start + _FILES_A_COMMIT]
        parts += [_commit(some, before, ref), *(_file_command(one, folder) for one in some)]
        before = ""
    return b"".join([*parts, b"get-mark :1\n"])


def authors_in(log: str, within: str, files: "set[str]") -> dict[str, tuple[int, Authorship]]:
    """Return time of the text and writer of files, as the newest commit of each says.

    `within` begins their paths in the log.
    """
    told: dict[str, tuple[int, Authorship]] = {}
    for row in log.split("\x1e")[1:]:
        who, at, message, names = [*row.split("\x1f", 3), "", "", ""][:4]
        changed = {path.strip("\n").removeprefix(within) for path in names.split("\0")}
        if wanted := (changed & files) - told.keys():
            told |= _authors(who, at, message, wanted)
    return told


def changes_in(log: str, within: str) -> list[tuple[str, Authorship, bool]]:
    """Return each change of a file that commits made: who made it, and whether it deleted the file.

    The log is printed with `-z --name-status`.
    """
    found: list[tuple[str, Authorship, bool]] = []
    for row in log.split("\x1e")[1:]:
        head, _, names = row.rpartition("\x1f")
        words = [word for word in names.replace("\n", "").split("\0") if word]
        states = {
            path.removeprefix(within): state for state, path in zip(words[::2], words[1::2], strict=False)
        }
        listed = "\0".join(f"{within}{file}" for file in states)
        told = authors_in(f"\x1e{head}\x1f{listed}", within, {*states})
        files = [file for file in states if file in told and file.endswith(".md")]
        found += [(file, told[file][1], states[file] == "D") for file in files]
    return found


def _file_command(one: Outgoing, folder: str) -> bytes:
    path = f"{folder}/{one.file}" if folder else one.file
    name = path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    if one.data is None:
        return b'D "%b"\n' % name
    return b'M 100644 inline "%b"\ndata %d\n%b\n' % (name, len(one.data), one.data)


def _commit(changes: Sequence[Outgoing], parent: str, ref: str) -> bytes:
    by = changes[0].by
    name, _, address = by.who.rpartition("<") if "<" in by.who else (by.who, "", "")
    name, address = (re.sub(r"[<>\x00-\x1f]", "", text).strip() for text in (name, address))
    person = f"{name or 'unknown'} <{address}>"
    when = f"{int(datetime.fromisoformat(by.at).timestamp())} +0000"
    rows = [
        {"file": c.file, "saved": c.saved_ns, "who": c.by.who, "session": c.by.session, "actor": c.by.actor}
        for c in changes
    ]
    subject = changes[0].file if len(changes) == 1 else f"{len(changes)} memories"
    lines = [f"Sync {subject}", "", *(f"Memory: {json.dumps(row)}" for row in rows)]
    message = without_secrets("\n".join(lines)).encode("utf-8", "surrogateescape")
    head = f"commit {ref}\nmark :1\nauthor {person} {when}\ncommitter {person} {when}\ndata {len(message)}\n"
    return head.encode("utf-8", "surrogateescape") + message + b"\n" + parent.encode()


def _authors(who: str, at: str, message: str, files: "set[str]") -> dict[str, tuple[int, Authorship]]:
    """Return time and writer of files that one commit changed: as its lines say, else as its author is."""
    try:
        moment = datetime.fromisoformat(at).astimezone(UTC)
    except (ValueError, OverflowError):  # no date, or one that is past the last year in UTC
        moment = datetime.fromtimestamp(0, UTC)
    stamp = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    told = dict.fromkeys(files, (int(moment.timestamp()) * 10**9, Authorship(_plain(who), stamp)))
    for line in message.split("\n"):
        row = _row(line.removeprefix("Memory: ")) if line.startswith("Memory: {") else {}
        file, saved = row.get("file"), row.get("saved")
        if isinstance(file, str) and file in told and isinstance(saved, int):
            words = [_plain(str(row.get(key, ""))) for key in ("who", "session", "actor")]
            told[file] = saved, Authorship(words[0], stamp, words[1], words[2])
    return told


def _row(text: str) -> dict[str, object]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _plain(text: str) -> str:
    return one_line(text)[:300]
