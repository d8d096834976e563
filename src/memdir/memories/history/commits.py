"""Every change ever made, in a bare git repository that plain `git log`, `diff` and `blame` can read.

It follows the acknowledgement: a save never waits for it, never fails because of it, and a damaged history is
set aside and begun anew. Files lie in 256 folders by the hash of their names, so that a commit costs a few
kilobytes and not a list of all memories.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Change, Operation, Version, change_between, file_bytes
from memdir.memories.history.git import Git, blob_id
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import Provenance, one_line, topic_from
from memdir.text.numbers import count
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import replace, value_class

__all__ = [
    "FOUND",
    "History",
    "HistoryEntry",
    "Mark",
    "file_after",
    "history_path",
    "moved_from",
    "renames",
]

FOUND = "found"
"""The verb for memories that are older than the history: `undo` removes them only by the id."""

_FOLDER, _BEFORE = "history.git", "before/"
"""The repository; and its folder for replaced texts of the index, because our own writes of the index have
no commit."""

_LARGE = 1 << 20
"""From so many bytes on, texts are stored uncompressed: that takes half the time, and somebody waits."""


@value_class(frozen=True, slots=True)
class Mark:
    """What a commit message says of one file: hash and time of its text after and before, empty if none."""

    sha: str = ""
    saved_ns: int = 0
    before_sha: str = ""
    before_ns: int = 0


@value_class(frozen=True, slots=True)
class HistoryEntry:
    """One operation as history lists it, without the texts."""

    id: str
    at: str
    verb: str
    by: Provenance
    files: tuple[str, ...]
    undoes: str = ""
    commit: str = ""
    marks: tuple[Mark, ...] = ()
    """One for each file."""

    def mark(self, file: str) -> Mark:
        """Return the mark of one of the files."""
        return self.marks[self.files.index(file)]

    def only(self, *files: str) -> HistoryEntry:
        """Return the operation as if it had changed these files alone: other texts are not asked for."""
        wanted, rows = frozenset(files), zip(self.files, self.marks, strict=True)
        kept = [(file, mark) for file, mark in rows if file in wanted]
        return replace(self, files=tuple(row[0] for row in kept), marks=tuple(row[1] for row in kept))


class History:
    """The history of one memory directory."""

    def __init__(self, state: str, program: str | None) -> None:
        """Remember where the repository lies; the first commit makes it."""
        self.git = Git(program, os.path.join(state, _FOLDER))

    def commit(self, operations: Sequence[Operation], *, recovering: bool = False) -> None:
        """Add operations in order; texts that history did not know they replaced are added before them."""
        has_commits = self.git.has_commits()
        if not has_commits and not self.git.exists():
            self.git.make()
        if recovering:
            self.git.clear_stale_locks()
            known = {entry.id for entry in self.entries()}
            operations = [operation for operation in operations if operation.id not in known]
        topics = [c for one in operations for c in one.changes if c.file != INDEX_NAME]
        replaced = [change.file for change in topics if change.before is not None]
        whole = self._with_outside_texts(operations, replaced) if replaced else operations
        parent = b"from refs/heads/main^0\n" if has_commits else b""
        commands = [_commit_command(one, b"" if number else parent) for number, one in enumerate(whole)]
        if not commands:
            return
        feed = b"".join([b"feature done\n", *commands, b"done\n"])
        depth, more = (("--depth=0",), ("core.compression=0",)) if len(feed) > _LARGE else ((), ())
        self.git.run("fast-import", "--quiet", *depth, feed=feed, more=more)
        self.git.settle()

    def entries(self, *, file: str = "", limit: int = 0) -> list[HistoryEntry]:
        """Return operations, newest first, all or those of one file."""
        if not self.git.has_commits():
            return []
        arguments = ["log", "main", "--format=%x1e%H%x1f%B", *([f"-{limit}"] if limit else [])]
        output = self.git.run(*arguments, *(["--", history_path(file), _BEFORE + file] if file else []))
        rows = output.decode("utf-8", "surrogateescape").split("\x1e")[1:]
        return [_entry(*row.split("\x1f", 1)) for row in rows]

    def entry(self, name: str) -> HistoryEntry:
        """Return one operation by its id or the beginning of it, or by its commit."""
        if not name:
            raise Rejected(
                "The id is empty. `memdir history` lists the ids; leave it out for the newest change."
            )
        matches = [e for e in self.entries() if e.id.startswith(name) or e.commit.startswith(name)]
        exact = [entry for entry in matches if name in {entry.id, entry.commit}]
        if len(exact or matches) != 1:
            many = "Several changes begin" if matches else "No change begins"
            raise NoSuchMemory(f"{many} with {name!r}. `memdir history` lists them.")
        return (exact or matches)[0]

    def operation(self, entry: HistoryEntry) -> Operation:
        """Return one operation with the texts before and after."""
        return self.operations([entry])[0]

    def operations(self, entries: Sequence[HistoryEntry]) -> list[Operation]:
        """Return operations with the texts before and after, in one question to git."""
        rows = [(e.commit, *row) for e in entries for row in zip(e.files, e.marks, strict=True)]
        # Git looks long for what is not there, and the marks say what is.
        wanted = [f"{commit}:{history_path(file)}" for commit, file, mark in rows if mark.sha]
        wanted += [_place_before(commit, file) for commit, file, mark in rows if mark.before_sha]
        texts = dict(zip(wanted, self.git.blobs(wanted), strict=True))
        return [Operation(e.id, e.at, e.verb, e.by, _recorded_changes(e, texts), e.undoes) for e in entries]

    def version(self, entry: HistoryEntry, file: str) -> Version | None:
        """Return the text that an operation left in one file."""
        return self.operations([entry.only(file)])[0].changes[0].new

    def newest_of(self, files: Sequence[str]) -> dict[str, Version]:
        """Return the newest text of each of these files that is not gone, in two questions to git."""
        wanted, newest = set(files), list[HistoryEntry]()
        for entry in self.entries() if files else ():
            if found := wanted.intersection(entry.files):
                newest.append(entry.only(*found))
                wanted -= found
        done = self.operations(newest)
        return {change.file: change.new for one in done for change in one.changes if change.new}

    def newest_contents(self) -> dict[str, str]:
        """Return each file's newest recorded content as git names it."""
        if not self.git.has_commits():
            return {}
        rows = self.git.run("ls-tree", "-r", "-z", "main").decode("utf-8", "surrogateescape").split("\0")
        tree = {path: entry.split(" ")[2] for entry, _, path in (row.partition("\t") for row in rows if row)}
        return {path.split("/", 1)[1]: name for path, name in tree.items() if not path.startswith(_BEFORE)}

    def began(self) -> int:
        """Return when the first operation was recorded, in nanoseconds; 0 where none was yet."""
        if not self.git.has_commits():
            return 0
        return int(self.git.run("log", "main", "--max-parents=0", "--format=%ct").split()[0]) * 10**9

    def _with_outside_texts(
        self, operations: Sequence[Operation], replaced: Sequence[str]
    ) -> Iterator[Operation]:
        """Yield operations, each after a record of the texts it replaced that history does not know."""
        known, newest = dict[str, str](), dict[str, Version | None]()
        if self.git.has_commits():
            names = self.git.blob_ids(f"main:{history_path(file)}" for file in replaced)
            known = dict(zip(replaced, names, strict=True))
        for operation in operations:
            topics = [c for c in operation.changes if c.old and c.file != INDEX_NAME]
            if unknown := [c for c in topics if _content_id(c.before) != known.get(c.file, "")]:
                earlier = [c.file for c in unknown if known.get(c.file) and c.file not in newest]
                was = {**self.newest_of(earlier), **newest}
                came = [change_between(c.file, was.get(c.file), c.old) for c in unknown]
                yield from _outside(operation, came)
            known.update((c.file, _content_id(c.after)) for c in operation.changes)
            newest.update((c.file, c.new) for c in operation.changes)
            yield operation


def history_path(file: str) -> str:
    """Return where a memory file lies in the history: one of 256 folders, then its own path."""
    return f"{hashlib.sha256(file_bytes(file)).hexdigest()[:2]}/{file}"


def _place_before(commit: str, file: str) -> str:
    """Return where git has the text that a commit replaced."""
    return f"{commit}:{_BEFORE}{file}" if file == INDEX_NAME else f"{commit}^:{history_path(file)}"


def _recorded_changes(entry: HistoryEntry, texts: Mapping[str, bytes | None]) -> tuple[Change, ...]:
    """Return the changes of an operation, given the texts that git has, by where they lie."""
    changes = list[Change]()
    for file, mark in zip(entry.files, entry.marks, strict=True):
        before, after = _place_before(entry.commit, file), f"{entry.commit}:{history_path(file)}"
        old = _version(texts.get(before), mark.before_ns, mark.before_sha)
        new = _version(texts.get(after), mark.saved_ns, mark.sha)
        changes.append(change_between(file, old, new))
    return tuple(changes)


def _content_id(text: str | None) -> str:
    return "" if text is None else blob_id(file_bytes(text))


def _outside(operation: Operation, changes: Sequence[Change]) -> Iterator[Operation]:
    """Yield records of the texts that others wrote and this operation replaced."""
    by = Provenance(actor="outside", source="", reason="changed outside memdir; seen when it was replaced")
    for verb, first in ((FOUND, True), ("outside", False)):
        if some := tuple(change for change in changes if (change.before is None) is first):
            yield replace(operation, id=f"{operation.id}-{verb}", verb=verb, by=by, changes=some, undoes="")


_TRAILERS = ("Operation", "Verb", "At", "Actor", "Source", "Method", "Session", "Undoes")
"""The lines at the end of a commit message, before those of the files."""


def _commit_command(operation: Operation, parent: bytes) -> bytes:
    """Return an operation for `fast-import`: its message, as `_entry` reads it, and its files."""
    by, files, commands = operation.by, operation.files, list[bytes]()
    writer = by.actor, by.source, by.method, by.session
    values = operation.id, operation.verb, operation.at, *writer, operation.undoes
    trailers = [f"{key}: {one_line(value)}" for key, value in zip(_TRAILERS, values, strict=True) if value]
    for change in operation.changes:
        new = "- -" if change.after is None else f"{change.sha} {change.saved_ns}"
        old = "- -" if change.before is None else f"{change.before_sha} {change.before_ns}"
        trailers.append(f"File: {new} {old} {change.file}")
        commands.append(_file_command(history_path(change.file), change.after))
        if change.file == INDEX_NAME:
            commands.append(_file_command(_BEFORE + change.file, change.before))
    subject = f"{operation.verb} {files[0] if len(files) == 1 else count(len(files), 'memory')}"
    reason = f"{one_line(by.reason)}\n\n" if by.reason else ""
    message = file_bytes(f"{subject}\n\n{reason}" + "\n".join(trailers) + "\n")
    head = (
        "commit refs/heads/main\ncommitter memdir <memdir@localhost> "
        f"{int(datetime.fromisoformat(operation.at).timestamp())} +0000\ndata {len(message)}\n"
    )
    return b"".join([head.encode(), message, b"\n", parent, *commands])


def _file_command(path: str, text: str | None) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    name = file_bytes(f'"{escaped}"')
    if text is None:
        return b"D %s\n" % name
    data = file_bytes(text)
    return b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(data), data)


def _entry(commit: str, message: str) -> HistoryEntry:
    head, _, trailers = message.strip("\n").rpartition("\n\n")
    rows = [line.partition(": ")[::2] for line in trailers.split("\n")]
    found = dict(rows)
    name, verb, at, actor, source, method, session, undoes = [found.get(key, "") for key in _TRAILERS]
    files, marks = list[str](), list[Mark]()
    for sha, saved, before_sha, before, file in (row[1].split(" ", 4) for row in rows if row[0] == "File"):
        times = [0 if time == "-" else int(time) for time in (saved, before)]
        files.append(file)
        marks.append(Mark(sha.strip("-"), times[0], before_sha.strip("-"), times[1]))
    by = Provenance(actor, source, method, session, head.partition("\n\n")[2].strip())
    return HistoryEntry(name or commit[:8], at, verb, by, tuple(files), undoes, commit, tuple(marks))


def _version(data: bytes | None, saved_ns: int, sha: str) -> Version | None:
    return None if data is None else Version(data.decode("utf-8", "surrogateescape"), saved_ns, sha)


def moved_from(changes: Sequence[Change]) -> dict[str, str]:
    """Return for each new file the removed one that had the same body, whatever verb made them so."""
    came = [change for change in changes if change.verb == "create"]
    went = [change for change in changes if change.verb == "forget"] if came else []
    bodies = {_body(change.before or ""): change.file for change in reversed(went)}
    moved = {change.file: bodies.pop(_body(change.after or ""), "") for change in came}
    return {file: old for file, old in moved.items() if old}


def renames(entries: Sequence[HistoryEntry]) -> dict[str, tuple[str, str]]:
    """Return by operation the file that a memory had and the one it got, also where that was taken back."""
    found: dict[str, tuple[str, str]] = {}
    for entry in reversed(entries):
        if entry.verb == "rename" or entry.undoes in found:
            went = [file for file in entry.files if not entry.mark(file).sha]
            came = [file for file in entry.files if not entry.mark(file).before_sha]
            if len(went) == len(came) == 1:
                found[entry.id] = (went[0], came[0])
    return found


def file_after(moves: Iterable[tuple[str, str]], file: str) -> str:
    """Return the file that a memory has after these renames, in the order in which they were made."""
    for before, after in moves:
        file = after if file == before else file
    return file


def _body(text: str) -> str:
    """Return the body as history keeps it, with its credentials masked."""
    return mask_secrets(topic_from("", text).body.strip())
