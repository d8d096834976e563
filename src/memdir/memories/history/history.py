"""Every change ever made, in a bare git repository that plain `git log`, `diff` and `blame` can read.

It follows the acknowledgement: a save never waits for it, never fails because of it, and a damaged history is
set aside and begun anew. Files lie in 256 folders by the hash of their names, so that a commit costs a few
kilobytes and not a list of all memories.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Change, Edit, Operation, Version, file_bytes
from memdir.memories.history.git import Git, blob_id
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import Provenance, one_line, topic_from
from memdir.text.secrets.search import find_secrets, mask_secrets
from memdir.text.value import replace, value_class

__all__ = [
    "FOUND",
    "History",
    "HistoryEntry",
    "history_path",
    "is_whole",
    "lost_secrets",
    "masks",
    "moved_from",
    "renames",
    "with_secrets",
]

_MASK = re.compile(r"\[secret: ([^\]\n]+)\]")


def is_whole(version: Version) -> bool:
    """Tell whether a text is that of the file, with nothing masked."""
    return not version.sha or sha256(file_bytes(version.text)).hexdigest() == version.sha


def with_secrets(version: Version, present: Iterable[Version | None]) -> Version:
    """Return a version with its very bytes if one of the present texts still has what was masked."""
    if is_whole(version):
        return version
    guesses = (guess(version.text, one.text) for one in present if one for guess in (_by_line, _in_order))
    found = (replace(version, text=text) for text in guesses)
    return next(filter(is_whole, found), version)


def masks(back: Iterable[tuple[str, Version]]) -> Iterator[str]:
    """Yield a warning for each text that comes back other than it was."""
    for file, version in back:
        if not is_whole(version):
            yield f"{file} held a credential, which history does not keep: [secret: ...] stands in its place."


def lost_secrets(removed: Iterable[tuple[str, Version | None]]) -> Iterator[str]:
    """Yield a warning for each text that goes with something in it that neither trash nor history keeps."""
    for file, version in removed:
        if version and mask_secrets(version.text) != version.text:
            yield f"{file} held a credential, which is not kept: an undo brings [secret: ...] back."


def _by_line(text: str, present: str) -> str:
    """Put the lines of a present text in place of those that are the same but for what is masked."""
    whole = {mask_secrets(line): line for line in present.split("\n")}
    return "\n".join(whole.get(line, line) if _MASK.search(line) else line for line in text.split("\n"))


def _in_order(text: str, present: str) -> str:
    """Put the credentials of a present text into the masks, rule by rule; some go over several lines."""
    places = [(mask.span(), mask[1]) for mask in _MASK.finditer(present)]  # saved as such, in a description
    places += [(found.span, found.rule) for found in find_secrets(present)]
    values: dict[str, list[str]] = {}
    for span, rule in sorted(places, reverse=True):
        values.setdefault(rule, []).append(present[slice(*span)])
    return _MASK.sub(lambda mask: (values.get(mask[1]) or [mask[0]]).pop(), text)


_EPOCH = datetime.fromtimestamp(0, UTC)


FOUND = "found"
"""The verb of what was there before anybody looked: `undo` offers it to nobody who does not ask for it."""

_FOLDER, _BEFORE = "history.git", "before/"

_LARGE = 1 << 20
"""Bytes from which on texts are stored as they are, which takes half the time: somebody waits."""


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
    marks: tuple[str, ...] = ()
    """Per file: hash and time after and before, as the commit message holds them."""


class History:
    """The history of one memory directory."""

    def __init__(self, state: str, program: str | None) -> None:
        """Remember where the repository lies; it is made by the first commit."""
        self.git = Git(program, os.path.join(state, _FOLDER))
        self._state = state

    def commit(self, operations: Sequence[Operation], *, recovering: bool = False) -> None:
        """Add operations in order; texts that history did not know they replaced are added before them."""
        if not self.git.exists():
            self.git.make()
        if recovering:
            self.git.clear_stale_locks()
            known = {entry.id for entry in self.entries()}
            operations = [operation for operation in operations if operation.id not in known]
        parent, stream = b"from refs/heads/main^0\n" if self.git.has_commits() else b"", list[bytes]()
        replaced = [c.file for o in operations for c in o.changes if c.before and c.file != INDEX_NAME]
        for operation in self._with_outside_texts(operations, replaced) if replaced else operations:
            stream.append(_commit_command(operation, b"" if stream else parent))
        if stream:
            feed = b"".join([b"feature done\n", *stream, b"done\n"])
            quick = len(feed) > _LARGE
            depth, more = (("--depth=0",), ("core.compression=0",)) if quick else ((), ())
            self.git.run("fast-import", "--quiet", *depth, feed=feed, more=more)
            self.git.settle()

    def set_aside(self, stamp: str) -> str:
        """Move a damaged history out of the way and return its new name."""
        name = f"{_FOLDER}.damaged-{stamp}"
        os.rename(self.git.repository, os.path.join(self._state, name))
        return name

    def entries(self, *, file: str = "", limit: int = 0) -> list[HistoryEntry]:
        """Return operations, newest first, all or those of one file."""
        if not self.git.has_commits():
            return []
        arguments = ["log", "main", "--format=%x1e%H%x1f%B", *([f"-{limit}"] if limit else [])]
        output = self.git.run(*arguments, *(["--", history_path(file), _before_path(file)] if file else []))
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
            many = "several changes begin" if matches else "no change begins"
            raise NoSuchMemory(f"{many[0].upper()}{many[1:]} with {name!r}. `memdir history` lists them.")
        return (exact or matches)[0]

    def operation(self, entry: HistoryEntry) -> Operation:
        """Return one operation with the texts before and after."""
        return self.operations([entry])[0]

    def operations(self, entries: Sequence[HistoryEntry]) -> list[Operation]:
        """Return several operations with the texts before and after, in two questions to git."""
        rows = [(e.commit, f, m.split(" ")) for e in entries for f, m in zip(e.files, e.marks, strict=True)]
        # Git looks long for what is not there, and the marks say what is.
        after = [f"{commit}:{history_path(file)}" for commit, file, mark in rows if mark[0] != "-"]
        before = [_place_before(file, commit) for commit, file, mark in rows if mark[2] != "-"]
        new, old, done = iter(self.git.blobs(after)), iter(self.git.blobs(before)), list[Operation]()
        for entry in entries:
            changes = list[Change]()
            for file, mark in zip(entry.files, [one.split(" ") for one in entry.marks], strict=True):
                was = _version(next(old), mark[2:4]) if mark[2] != "-" else None
                changes.append(Change(file, was, _version(next(new), mark[:2]) if mark[0] != "-" else None))
            done.append(Operation(entry.id, entry.at, entry.verb, entry.by, tuple(changes), entry.undoes))
        return done

    def texts_before(self, entries: Sequence[HistoryEntry], file: str) -> list[str | None]:
        """Return what one file held before each of these operations, in one question to git."""
        marks = [entry.marks[entry.files.index(file)].split(" ")[2:4] for entry in entries]
        found = self.git.blobs(_place_before(file, entry.commit) for entry in entries)
        versions = [_version(data, mark) for data, mark in zip(found, marks, strict=True)]
        return [version.text if version else None for version in versions]

    def texts_after(self, places: Sequence[tuple[HistoryEntry, str]]) -> list[str | None]:
        """Return what each of these operations left in a file, in one question to git."""
        found = self.git.blobs(f"{entry.commit}:{history_path(file)}" for entry, file in places)
        return [None if data is None else data.decode("utf-8", "replace") for data in found]

    def version(self, entry: HistoryEntry, file: str) -> Version | None:
        """Return the text that an operation left in one file."""
        mark = entry.marks[entry.files.index(file)].split(" ")
        (data,) = self.git.blobs([f"{entry.commit}:{history_path(file)}"])
        return _version(data, mark[0:2])

    def newest_of(self, files: Sequence[str]) -> dict[str, Version]:
        """Return the newest texts of several files that the newest commit holds, in two questions to git."""
        if not files:
            return {}
        marks: dict[str, str] = {}
        for entry in self.entries():
            for file, mark in zip(entry.files, entry.marks, strict=True):
                marks.setdefault(file, mark)
        texts = self.git.blobs(f"main:{history_path(file)}" for file in files)
        found = {
            f: _version(t, marks[f].split(" ")[0:2]) for f, t in zip(files, texts, strict=True) if f in marks
        }
        return {file: version for file, version in found.items() if version}

    def newest_contents(self) -> dict[str, str]:
        """Return each file's newest recorded content as git names it."""
        tree = self.git.tree()
        return {path.split("/", 1)[1]: tree[path] for path in tree if not path.startswith(_BEFORE)}

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
            topics = [c for c in operation.changes if c.before and c.file != INDEX_NAME]
            if unknown := [c for c in topics if _content_id(c.before) != known.get(c.file, "")]:
                earlier = [c.file for c in unknown if known.get(c.file) and c.file not in newest]
                yield from _outside(operation, unknown, {**self.newest_of(earlier), **newest})
            known.update((c.file, _content_id(c.after)) for c in operation.changes)
            newest.update((c.file, c.after) for c in operation.changes)
            yield operation


def history_path(file: str) -> str:
    """Return where a memory file lies in the history: one of 256 folders, then its own path."""
    return f"{hashlib.sha256(file.encode('utf-8', 'surrogateescape')).hexdigest()[:2]}/{file}"


def _before_path(file: str) -> str:
    """Return where the text lies that a change of the index replaced: our own writes of it have no commit."""
    return f"{_BEFORE}{file}"


def _place_before(file: str, commit: str) -> str:
    return f"{commit}:{_before_path(file)}" if file == INDEX_NAME else f"{commit}^:{history_path(file)}"


def _content_id(version: Version | None) -> str:
    return blob_id(file_bytes(version.text)) if version else ""


def _outside(
    operation: Operation, unknown: list[Change], known: Mapping[str, Version | None]
) -> Iterator[Operation]:
    """Build the record of texts that appeared without us, seen when this operation replaced them."""
    by = Provenance(actor="outside", source="", reason="changed outside memdir; seen when it was replaced")
    changes = [Change(change.file, known.get(change.file), change.before) for change in unknown]
    for verb, first in ((FOUND, True), ("outside", False)):
        if some := tuple(change for change in changes if (change.before is None) is first):
            yield replace(operation, id=f"{operation.id}-{verb}", verb=verb, by=by, changes=some, undoes="")


def _commit_command(operation: Operation, parent: bytes) -> bytes:
    """Return an operation for `fast-import`: its message, as `_entry` reads it, and its files."""
    by, files = operation.by, operation.files
    rows = {
        "Operation": operation.id,
        "Verb": operation.verb,
        "At": operation.at,
        "Actor": by.actor,
        "Source": by.source,
        "Method": by.method,
        "Session": by.session,
        "Undoes": operation.undoes,
    }
    trailers, commands = [f"{key}: {one_line(value)}" for key, value in rows.items() if value], list[bytes]()
    for change in operation.changes:
        versions = [f"{one.sha} {one.saved_ns}" if one else "- -" for one in (change.after, change.before)]
        trailers.append(f"File: {' '.join(versions)} {change.file}")
        commands.append(_file_command(history_path(change.file), change.after))
        if change.file == INDEX_NAME:
            commands.append(_file_command(_before_path(change.file), change.before))
    subject = f"{operation.verb} {files[0] if len(files) == 1 else f'{len(files)} memories'}"
    reason = f"{one_line(by.reason)}\n\n" if by.reason else ""
    message = (f"{subject}\n\n{reason}" + "\n".join(trailers) + "\n").encode("utf-8", "surrogateescape")
    head = (
        "commit refs/heads/main\ncommitter memdir <memdir@localhost> "
        f"{int(datetime.fromisoformat(operation.at).timestamp())} +0000\ndata {len(message)}\n"
    )
    return b"".join([head.encode(), message, b"\n", parent, *commands])


def _file_command(path: str, version: Version | None) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    name = f'"{escaped}"'.encode("utf-8", "surrogateescape")
    if version is None:
        return b"D %s\n" % name
    data = file_bytes(version.text)
    return b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(data), data)


def _entry(commit: str, message: str) -> HistoryEntry:
    head, _, trailers = message.strip("\n").rpartition("\n\n")
    rows = [line.partition(": ")[::2] for line in trailers.split("\n")]
    one = dict(rows)
    marked = [value.split(" ", 4) for key, value in rows if key == "File"]
    reason = head.partition("\n\n")[2].strip()
    by = Provenance(
        one.get("Actor", ""), one.get("Source", ""), one.get("Method", ""), one.get("Session", ""), reason
    )
    return HistoryEntry(
        id=one.get("Operation", commit[:8]),
        at=one.get("At", ""),
        verb=one.get("Verb", ""),
        by=by,
        files=tuple(fields[4] for fields in marked),
        undoes=one.get("Undoes", ""),
        commit=commit,
        marks=tuple(" ".join(fields[:4]) for fields in marked),
    )


def _version(data: bytes | None, mark: list[str]) -> Version | None:
    if data is None or mark == ["-", "-"]:
        return None
    return Version(data.decode("utf-8", "surrogateescape"), int(mark[1]), mark[0])


def moved_from(edits: Sequence[Edit], before: Mapping[str, Version | None]) -> dict[str, str]:
    """Return for each new file the removed one that had the same body, whatever verb made them so."""
    came = [(edit.file, edit.after) for edit in edits if edit.after is not None and before[edit.file] is None]
    went = [(edit.file, before[edit.file]) for edit in edits if edit.after is None] if came else []
    bodies = {_body(version.text): file for file, version in reversed(went) if version}
    moved = {file: bodies.pop(_body(text), "") for file, text in came}
    return {file: old for file, old in moved.items() if old}


def renames(entries: Sequence[HistoryEntry]) -> dict[str, tuple[str, str]]:
    """Return by operation the file that a memory had and the one it got, also where that was taken back."""
    found: dict[str, tuple[str, str]] = {}
    for entry in reversed(entries):
        if entry.verb == "rename" or entry.undoes in found:
            marks = [(file, mark.split(" ")) for file, mark in zip(entry.files, entry.marks, strict=True)]
            went = [file for file, (after, _, _, _) in marks if after == "-"]
            came = [file for file, (_, _, before, _) in marks if before == "-"]
            if len(went) == len(came) == 1:
                found[entry.id] = (went[0], came[0])
    return found


def _body(text: str) -> str:
    """Return the body as history has it: what comes back from there has its credentials masked."""
    return mask_secrets(topic_from("", text, _EPOCH).body.strip())
