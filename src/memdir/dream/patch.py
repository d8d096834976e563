"""The patch of a dream: changes that were checked, put in place in one step that can be undone.

A dream that is stopped while it writes leaves a record, by which the next one takes its part back.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import datetime

from memdir.disk.files import make_folder
from memdir.dream.ledger import LossLedger
from memdir.errors import Conflict, HistoryError
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.text.value import value_class
from memdir.workers.overlay import edit_plan

__all__ = ["Patch", "apply_patch", "repair_torn_patch"]

_RECORD = "dream.patch"
"""The texts before and after of a patch that is being put in place, in the state folder."""


@value_class(frozen=True, slots=True)
class Patch:
    """The checked changes of a dream, before anything is written."""

    edits: tuple[Change, ...] = ()
    """What is to be applied in one step."""
    ledger: LossLedger = LossLedger()
    objections: tuple[str, ...] = ()
    """What speaks against applying it: then all of it is for a person to decide."""
    proposals: tuple[tuple[tuple[Change, ...], str], ...] = ()
    """Changes for a person to decide, each with the reason."""
    relied_on: tuple[Change, ...] = ()
    """Unchanged files that hold statements which the edits remove elsewhere."""


def apply_patch(writer: Writer, patch: Patch, by: Provenance, now: datetime) -> str:
    """Write all of a patch if every file is as the dream saw it, else `Conflict`; return the operation."""
    state = writer.memories.state
    rows = [[edit.file, edit.before, edit.after] for edit in patch.edits]
    with make_folder(state) as folder:
        folder.write(_RECORD, json.dumps(rows).encode())
    try:
        plan = edit_plan([*patch.edits, *patch.relied_on])
        operation = writer.apply("dream", by, now, plan)[0].id
    except Conflict:
        _drop_record(state)  # found before anything was put in place
        raise
    except BaseException:
        repair_torn_patch(writer, now)
        raise
    _drop_record(state)
    return operation


def repair_torn_patch(writer: Writer, now: datetime) -> bool:
    """Undo the part of a patch that an interrupted dream wrote; tell whether there was one."""
    rows = _record(writer.memories.state)
    if not rows:
        return False
    versions = {file: writer.version_now(file) for file, _, _ in rows}
    texts = {file: version.text if version else None for file, version in versions.items()}
    put = [row for row in rows if texts[row[0]] == row[2]]
    new = [row for row in put if row[2] is not None or not _was_forgotten(writer, row[0])]
    torn = bool(new) and len(put) < len(rows)
    if torn:
        by = Provenance("dream", "assistant", "", "", "a dream was interrupted while it was applied")
        back = [Change(file, after, before) for file, before, after in new]
        writer.apply("recover", by, now, edit_plan(back))
    _drop_record(writer.memories.state)
    return torn


def _record(state: str) -> list[tuple[str, str | None, str | None]]:
    with suppress(OSError, ValueError, TypeError), open(os.path.join(state, _RECORD), "rb") as file:
        return [(str(name), before, after) for name, before, after in json.loads(file.read())]
    return []


def _drop_record(state: str) -> None:
    with make_folder(state) as folder, suppress(FileNotFoundError):
        folder.remove(_RECORD)


def _was_forgotten(writer: Writer, file: str) -> bool:
    """Tell whether an operation removed the file: a dream that was stopped leaves none."""
    for operation in reversed(writer.recorder.pending()):
        for change in operation.changes:
            if change.file == file:
                return change.after is None
    try:
        newest = writer.recorder.history.entries(file=file, limit=1)
    except HistoryError:
        return False
    return any(not entry.mark(file).sha for entry in newest)
