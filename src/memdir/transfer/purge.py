"""Remove a memory for good: from files, history, trash, caches, receipts, journal, inbox and requests.

What counts as its text: every file name it ever had, and every sentence of every text and description it
ever had. Lines with these are taken out of logs; whatever is derived and holds them is deleted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain

from memdir.disk.files import NO_FILE, Folder, Unreadable
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.disk.trees import remove_tree
from memdir.memories.change import Operation, Version, change_between, file_bytes, version_of
from memdir.memories.history.commits import renames
from memdir.memories.history.git import GitMissing, blob_id
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import topic_from
from memdir.memories.writer import Writer
from memdir.sync.remote import PurgeTarget
from memdir.text.numbers import count
from memdir.text.value import replace, value_class

__all__ = [
    "SHORTEST_WORD",
    "Purged",
    "Step",
    "purge_history",
    "purge_state",
    "purge_target",
    "scrub_directory",
    "search_again",
    "words_in",
]

_LOGS = frozenset({"receipts", "outcomes", "loads", "decisions", "hooks.log", "ledger", "examples"})
"""Names of files in which each line stands for itself; `.1` is the one that was set aside."""

_KEPT = frozenset({"root", "directory", "identity.json", "orphans.told"})
"""Records of the place, which hold nothing of a memory."""

_OPAQUE = re.compile(r"history\.git\.damaged-.*|imported|mirror\.git")
"""What cannot be searched because it is packed: it is removed as a whole."""

SHORTEST_WORD = 4
"""Signs of a word that can be looked for."""

_SHORT = 12
_LARGEST = 256_000_000


Step = tuple[bool, str]
"""Whether something was removed, and in words what was or what is left."""


@value_class(frozen=True, slots=True)
class Purged:
    """What was searched, what was removed, and what is left: not ours, or nothing could be done about it."""

    target: PurgeTarget
    searched: tuple[str, ...]
    removed: tuple[str, ...]
    left: tuple[str, ...] = ()


def purge_target(writer: Writer, file: str, now: datetime) -> PurgeTarget:
    """Return all that a memory was ever called, and all that it ever said."""
    with suppress(GitMissing):
        writer.note_outside(now)
    history, files = writer.recorder.history, [file]
    entries = history.entries()
    moves = renames(entries)
    for entry in entries:
        before, after = moves.get(entry.id, ("", ""))
        files += [before] if after in files and before not in files else []
    mine = [entry.only(*files) for entry in entries if any(one in entry.files for one in files)]
    done = [*history.operations(mine), *writer.recorder.pending()]
    changes = [change for one in done for change in one.changes if change.file in files]
    texts = {text for change in changes for text in (change.before, change.after) if text is not None}
    present = writer.version_now(file)
    texts |= {present.text} if present else set()
    words = dict.fromkeys(word for text in sorted(texts) for word in words_in(file, text))
    return PurgeTarget(tuple(files), tuple(words), tuple(sorted(blob_id(file_bytes(text)) for text in texts)))


def purge_history(writer: Writer, target: PurgeTarget, now: datetime) -> Iterator[Step]:
    """Take a memory out of every operation that history and the journal hold."""
    left = writer.recorder.rewrite(now, lambda operation: _without(operation, target))
    yield True, f"{writer.recorder.history.git.repository}: written anew without it"
    yield from map(_still_there, left)


def purge_state(state: str, target: PurgeTarget) -> Iterator[Step]:
    """Search every file of a state folder but the history; yield what was taken out or deleted."""
    try:
        names = sorted(os.listdir(state)) if os.path.isdir(state) else []
    except OSError as error:
        names = []
        yield False, _search_failure(state, str(error.strerror))
    for name in names:
        path = os.path.join(state, name)
        if _OPAQUE.fullmatch(name):
            if left := remove_tree(path):
                yield from map(_still_there, left)
            else:
                yield True, f"{path}: deleted whole, because it is packed"
        elif name == "trash":
            yield from _purge_trash(path, target)
        elif os.path.isdir(path) and not os.path.islink(path) and not name.endswith(".git"):
            yield from purge_state(path, target)
        elif name not in _KEPT:
            yield from _purge_file(state, name, target)


def scrub_directory(directory: str, target: PurgeTarget) -> Iterator[Step]:
    """Take lines out of what a memory directory holds besides memories: index, hubs, logs and notes."""
    yield from _scrub(directory, INDEX_NAME, target)
    folders = [os.path.join(directory, name) for name in ("hubs", "logs", "sessions")]
    for place, _, names in chain.from_iterable(map(os.walk, folders)):
        for name in sorted(names):
            if name.endswith(".md"):
                yield from _scrub(place, name, target)


def search_again(folders: Sequence[str], target: PurgeTarget) -> Iterator[tuple[str, str]]:
    """Yield each file below folders that still holds something of it or cannot be read, and that in words."""
    closed = list[OSError]()
    walks = (os.walk(folder, onerror=closed.append) for folder in folders)
    seen = set[str]()
    for place, inner, names in chain.from_iterable(walks):
        inner[:] = [one for one in inner if not one.endswith(".git")]
        for path in {os.path.join(place, name) for name in names} - seen:
            seen.add(path)
            data = regular_bytes(path, _LARGEST)
            if isinstance(data, Unread):
                if not data.missing:
                    yield path, _search_failure(path, data.because)
            elif target.is_in(data):
                yield path, f"{path}: not ours, or another memory says the same"
    for error in closed:
        if error.errno not in NO_FILE:
            yield error.filename, _search_failure(error.filename, str(error.strerror))


def words_in(file: str, text: str) -> Iterator[str]:
    """Yield the lines and sentences of a text that are long enough to be known by."""
    topic = topic_from(file, text)
    lines = [line.strip() for line in (topic.header.description, topic.header.title, *topic.body.split("\n"))]
    pieces = [
        piece.strip(" *->#\t") for line in lines for piece in (line, *re.split(r"(?<=[.!?;])\s+", line))
    ]
    long = [piece for piece in pieces if len(piece) >= _SHORT]
    yield from long or [piece for piece in pieces if len(piece) >= SHORTEST_WORD]


def _holds(path: str, target: PurgeTarget) -> bool:
    """Tell whether a file that can be read holds something of it."""
    data = regular_bytes(path, _LARGEST)
    return not isinstance(data, Unread) and target.is_in(data)


def _without(operation: Operation, target: PurgeTarget) -> Operation | None:
    changes = tuple(  # of the index the lines go that speak of it; other memories stay as they were
        change_between(one.file, _scrub_version(one.old, target), _scrub_version(one.new, target))
        if one.file == INDEX_NAME
        else one
        for one in operation.changes
        if one.file not in target.files
    )
    if not changes:
        return None
    by = operation.by
    reason = "" if target.is_in(file_bytes(by.reason)) else by.reason
    return replace(operation, changes=changes, by=replace(by, reason=reason))


def _scrub_version(version: Version | None, target: PurgeTarget) -> Version | None:
    data = file_bytes(version.text) if version else b""
    if version is None or not target.is_in(data):
        return version
    return version_of(target.scrub(data), version.saved_ns)


def _purge_trash(path: str, target: PurgeTarget) -> Iterator[Step]:
    try:
        operations = sorted(os.listdir(path))
    except OSError as error:
        operations = []
        yield False, _search_failure(path, str(error.strerror))
    for operation in operations:
        inside = os.path.join(path, operation)
        for place, _, names in os.walk(inside):
            for whole in [os.path.join(place, name) for name in names]:
                if os.path.relpath(whole, inside) in target.files or _holds(whole, target):
                    yield _delete(place, os.path.basename(whole))
        if not any(names for _, _, names in os.walk(inside)):
            remove_tree(inside)


def _purge_file(folder: str, name: str, target: PurgeTarget) -> Iterator[Step]:
    if name.removesuffix(".1") in _LOGS:
        yield from _scrub(folder, name, target)
    elif _holds(os.path.join(folder, name), target):
        yield _delete(folder, name)


def _delete(folder: str, name: str) -> Step:
    path = os.path.join(folder, name)
    try:
        with suppress(FileNotFoundError), Folder(folder) as place:
            place.remove(name)
    except OSError:
        return _still_there(path)
    return True, f"{path}: deleted"


def _scrub(folder: str, name: str, target: PurgeTarget) -> Iterator[Step]:
    path = os.path.join(folder, name)
    try:
        with suppress(FileNotFoundError, Unreadable), Folder(folder) as place:
            data, status = place.read(name, _LARGEST)
            if status.st_size > len(data):  # what was not read would be lost
                yield False, _search_failure(path, f"it is larger than {_LARGEST:,} bytes")
            elif target.is_in(data):
                clean = target.scrub(data)
                place.write(name, clean, saved_ns=status.st_mtime_ns)
                lines = data.count(b"\n") - clean.count(b"\n")
                yield True, f"{path}: {count(max(lines, 1), 'line')} taken out"
    except OSError as error:
        yield False, _search_failure(path, str(error.strerror))


def _search_failure(path: str, because: str) -> str:
    return f"{path}: could not be searched or written anew ({because}); look there yourself"


def _still_there(path: str) -> Step:
    return False, f"{path}: could not be removed; remove it yourself"
