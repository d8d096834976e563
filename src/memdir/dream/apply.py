"""Puts a checked patch in place in one step that can be undone, or into the inbox; and mends a torn one."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from memdir.disk.files import Folder, folder_made
from memdir.dream.patch import Patch
from memdir.errors import Conflict, HistoryError
from memdir.inbox.inbox import Inbox, Proposal
from memdir.memories.change import Edit
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.workers.workbench import edit_plan

__all__ = ["applied", "mended", "proposed"]

_RECORD = "dream.patch"
"""The texts before and after of a patch that is being put in place, in the state folder."""


def applied(writer: Writer, patch: Patch, by: Provenance, now: datetime) -> str:
    """Write all of a patch if every file is as the dream saw it, else `Conflict`; return the operation."""
    state = writer.memories.state
    rows = [[edit.file, edit.before, edit.after] for edit in patch.edits]
    with folder_made(state) as folder:
        folder.write(_RECORD, json.dumps(rows).encode())
    plan = edit_plan(patch.edits)

    def guarded(folder: Folder) -> list[Edit]:
        for file, text in (patch.relied_on or {}).items():
            version = version_on_disk(folder, file)
            if version is None or version.text != text:
                raise Conflict(f"{file} was changed by someone else meanwhile. Nothing was written.")
        return plan(folder)

    try:
        operation = writer.apply("dream", by, now, guarded)[0].id
    except Conflict:
        _drop_record(state)  # found before anything was put in place
        raise
    except BaseException:
        mended(writer, now)
        raise
    _drop_record(state)
    return operation


def proposed(writer: Writer, edits: Sequence[Edit], by: Provenance, now: datetime, because: str) -> str:
    """Leave changes for a person to decide and return the id of the proposal."""
    edits = tuple(Edit(edit.file, _readable(edit.before), edit.after) for edit in edits)
    return Inbox(writer.memories.state).add(Proposal(edits, by, because, now))


def mended(writer: Writer, now: datetime) -> bool:
    """Take back what a dream that was stopped had put in place of its patch; tell whether it was torn."""
    rows = _record(writer.memories.state)
    if not rows:
        return False
    put = [row for row in rows if _present(writer, row[0]) == row[2]]
    new = [row for row in put if row[2] is not None or not _was_forgotten(writer, row[0])]
    torn = bool(new) and len(put) < len(rows)
    if torn:
        by = Provenance("dream", "assistant", "", "", "a dream was interrupted while it was applied")
        back = [Edit(file, after, before) for file, before, after in new]
        writer.apply("recover", by, now, edit_plan(back))
    _drop_record(writer.memories.state)
    return torn


def _record(state: str) -> list[tuple[str, str | None, str | None]]:
    with suppress(OSError, ValueError, TypeError), open(os.path.join(state, _RECORD), "rb") as file:
        return [(str(name), before, after) for name, before, after in json.loads(file.read())]
    return []


def _drop_record(state: str) -> None:
    with folder_made(state) as folder, suppress(FileNotFoundError):
        folder.remove(_RECORD)


def _present(writer: Writer, file: str) -> str | None:
    version = writer.version_now(file)
    return None if version is None else version.text


def _was_forgotten(writer: Writer, file: str) -> bool:
    """Tell whether somebody removed the file and was told so, as a dream that was stopped never is."""
    for operation in reversed(writer.recorder.journal.pending()):
        for change in operation.changes:
            if change.file == file:
                return change.after is None
    try:
        newest = writer.recorder.history.entries(file=file, limit=1)
    except HistoryError:
        return False
    return any(entry.marks[entry.files.index(file)].startswith("-") for entry in newest)


def _readable(text: str | None) -> str | None:
    """Return a text as proposals compare it: bytes that are no text stand as their replacement."""
    return None if text is None else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
