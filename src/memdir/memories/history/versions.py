"""Earlier texts of a memory, in history or in the trash, under any name, and where its lines come from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

from memdir.disk.files import make_folder, temp_name
from memdir.disk.trees import move, remove_tree
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Change, Version, file_bytes, shown_text, version_of
from memdir.memories.history.commits import History, HistoryEntry, file_after, renames
from memdir.memories.history.git import GitMissing
from memdir.memories.history.masks import is_whole, with_secrets
from memdir.memories.names import INDEX_NAME, slug
from memdir.memories.topic import header_from
from memdir.text.diff import file_diff
from memdir.text.frontmatter.edits import with_value
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import replace, value_class

if TYPE_CHECKING:
    from memdir.memories.writer import Writer

__all__ = [
    "BlamedLine",
    "PastText",
    "blamed_lines",
    "entries_of",
    "file_ever_called",
    "keep_in_trash",
    "past_texts",
    "trail_of",
    "trashed_files",
    "version_named",
]


_TRASH = "trash"
"""In the state folder: forgotten memories as plain files, one folder an operation, to be read without git."""


def keep_in_trash(state: str, operation: str, changes: Sequence[Change]) -> list[str]:
    """Keep texts that are about to be removed, durably, with their times, secrets masked.

    Return a warning for each text with a secret: neither trash nor history keeps that.
    """
    masked = [(one, mask_secrets(one.before)) for one in changes if one.before is not None]
    temp, path = os.path.join(state, temp_name()), os.path.join(state, _TRASH)
    try:
        with make_folder(temp) as folder:
            for one, text in masked:
                folder.write(one.file, file_bytes(text), saved_ns=one.before_ns)
        with make_folder(path) as trash:
            move(temp, os.path.join(path, operation))
            trash.sync()
    except BaseException:
        remove_tree(temp)
        raise
    warning = "{} held a credential, which is not kept: an undo brings [secret: ...] back."
    return [warning.format(one.file) for one, text in masked if text != one.before]


def trashed_files(state: str) -> list[tuple[str, str]]:
    """Return each forgotten memory, the last one first: its file, and the path of its text in the trash."""
    trash = os.path.join(state, _TRASH)
    operations = list(os.scandir(trash)) if os.path.isdir(trash) else []
    operations.sort(key=lambda operation: operation.stat().st_mtime_ns, reverse=True)
    return [
        (os.path.relpath(path, operation.path), path)
        for operation in operations
        for folder, _, names in os.walk(operation.path)
        for path in (os.path.join(folder, name) for name in sorted(names))
    ]


def entries_of(history: History, file: str = "", limit: int = 0) -> list[HistoryEntry]:
    """Return what was done, newest first: to everything, or to a memory, also under the names it had."""
    found = history.entries(file=file, limit=limit)
    if not file or not any(entry.verb == "rename" or entry.undoes for entry in found):
        return found
    return [entry for entry, _ in trail_of(history.entries(), file)][: limit or None]


def trail_of(entries: Sequence[HistoryEntry], file: str) -> Iterator[tuple[HistoryEntry, str]]:
    """Yield what was done to a memory, newest first, and the file that it was in then."""
    moves, files = renames(entries), [file]
    for entry in entries:
        if then := next((one for one in files if one in entry.files), ""):
            yield entry, then
        before, after = moves.get(entry.id, ("", ""))
        if after in files and before not in files:
            files.append(before)


def file_ever_called(writer: Writer, name: str) -> str:
    """Return the file of a memory that is there or once was, by file or name."""
    try:
        return writer.memories.file_of(name)
    except NoSuchMemory:
        entries, wanted = writer.recorder.history.entries(), slug(name)
        for place, entry in enumerate(entries):
            for file in entry.files:
                if name == file or wanted == file.removesuffix(".md").partition("_")[2]:
                    return file_after(renames(entries[: place + 1]).values(), file)
        raise


def version_named(
    writer: Writer, name: str, now: datetime, operation: str | None = None
) -> tuple[str, Version]:
    """Return a memory's file and the text to bring back: as an operation left it, or the last there was."""
    if name.casefold() == INDEX_NAME.casefold():
        raise Rejected(
            f"{INDEX_NAME} is the index and no memory. `memdir history {INDEX_NAME}` lists what was done to "
            "it, and `memdir undo ID` takes that back."
        )
    file = ""
    try:
        writer.note_outside(now)
        file = file_ever_called(writer, name)
        return file, _from_history(writer, file, operation)
    except (GitMissing, NoSuchMemory):
        found = _from_trash(writer, name) if operation is None else None
        if found:
            if file not in ("", found[0]) and writer.version_now(file):
                raise  # it has another name today, and bringing the old file back would make a second one
            return found
        if operation is not None or file:
            raise
        missing = f"Neither history nor the trash knows {name!r}. `memdir history` lists what was done."
        raise NoSuchMemory(missing) from None


def _from_history(writer: Writer, file: str, operation: str | None) -> Version:
    history, present = writer.recorder.history, writer.version_now(file)
    trail = list(trail_of(history.entries(), file))
    wanted = "" if operation is None else history.entry(operation).id
    for entry, then in trail:
        version = history.version(entry, then) if wanted in ("", entry.id) else None
        if version is None:
            continue
        version = with_secrets(version, [present])
        if then != file:
            version = _under_name(version, _name(history, trail, file, present))
        if wanted or present is None or version.sha != present.sha:
            return version
    if wanted:
        raise NoSuchMemory(
            f"Change {operation} left no text in {file}. `memdir history {file}` lists those that did."
        )
    raise NoSuchMemory(
        f"History holds no earlier text of {file}. `memdir history {file}` lists what was done to it, and "
        "`memdir undo ID` takes one of these back, also a rename."
    )


def _name(
    history: History, trail: Sequence[tuple[HistoryEntry, str]], file: str, present: Version | None
) -> str:
    """Return what the memory in a file is called, now or when it was there last."""
    known = chain([present], (history.version(entry, file) for entry, then in trail if then == file))
    return header_from(file, next(version.text for version in known if version)).name


def _under_name(version: Version, name: str) -> Version:
    """Return an earlier text under the name of today."""
    text = with_value(version.text, "name", name)
    sha = sha256(file_bytes(text)).hexdigest() if is_whole(version) else version.sha
    return replace(version, text=text, sha=sha)


def _from_trash(writer: Writer, name: str) -> tuple[str, Version] | None:
    for file, path in trashed_files(writer.memories.state):
        if name in {file, file.removesuffix(".md").partition("_")[2]}:
            with open(path, "rb") as text:
                return file, version_of(text.read(), os.fstat(text.fileno()).st_mtime_ns)
    return None


@value_class(frozen=True, slots=True)
class PastText:
    """What one change left in a memory, and what was there before."""

    entry: HistoryEntry
    file: str
    """Where it was then."""
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """Return what the change did to this memory alone."""
        return file_diff(self.file, self.before, self.after)


@value_class(frozen=True, slots=True)
class BlamedLine:
    """One line of a memory and the change that it comes from; None: nobody recorded that yet."""

    line: str
    entry: HistoryEntry | None


def past_texts(history: History, entries: Sequence[HistoryEntry], file: str, limit: int) -> list[PastText]:
    """Return the newest texts of a memory, newest first, also under earlier names; one question to git."""
    found = [*trail_of(entries, file)][: limit + 1]
    left = [one.changes[0].after for one in history.operations([entry.only(then) for entry, then in found])]
    texts = [None if text is None else shown_text(text) for text in left]
    older = [*texts[1:], None]
    return [
        PastText(entry, then, before, after)
        for (entry, then), after, before in zip(found, texts, older, strict=True)
    ][:limit]


def blamed_lines(texts: Sequence[PastText], present: str) -> list[BlamedLine]:
    """Return the lines of the present text, each with the change that brought it; newest text first."""
    lines: list[BlamedLine] = []
    for past in reversed(texts):
        if not lines and past.before:  # what is older than the texts at hand is counted to the oldest change
            lines = [BlamedLine(line, past.entry) for line in past.before.splitlines()]
        lines = _advance_lines(lines, (past.after or "").splitlines(), past.entry)
    return _advance_lines(lines, present.splitlines(), None)


def _advance_lines(lines: list[BlamedLine], after: list[str], entry: HistoryEntry | None) -> list[BlamedLine]:
    """Return the lines of the next text: those that stayed keep their change, the others get this one."""
    matcher = SequenceMatcher(None, [one.line for one in lines], after, autojunk=False)
    moved: list[BlamedLine] = []
    for tag, first, last, begin, end in matcher.get_opcodes():
        stayed = tag == "equal"
        moved += lines[first:last] if stayed else [BlamedLine(line, entry) for line in after[begin:end]]
    return moved
