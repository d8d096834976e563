"""The objects that `--json` prints, documented in docs/cli.md; keys are added, never renamed."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from memdir.text.clip import tokens
from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.fast_search import without_secrets

if TYPE_CHECKING:
    from memdir.doctor.finding import Finding
    from memdir.instructions.instruction import Discovery, Instruction, LeftOut
    from memdir.memories.change import Forgotten, Saved
    from memdir.memories.history.history import HistoryEntry
    from memdir.memories.history.undo import Undone
    from memdir.memories.topic import Header
    from memdir.prompt.bill import Bill, BilledPart

__all__ = [
    "WRITER",
    "bill",
    "change",
    "discovery",
    "fields",
    "finding",
    "forgotten_memory",
    "memory",
    "saved_memory",
    "undo_result",
]


WRITER = "by.actor by.source by.method by.session by.reason"
"""The fields of a change that say who made it."""


def fields(value: object, names: str) -> dict[str, Any]:
    """Return these fields of a value, lists for tuples; one of a field, `by.actor`, goes by its own name."""
    found = {name.rpartition(".")[2]: attrgetter(name)(value) for name in names.split()}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in found.items()}


def memory(header: Header) -> dict[str, Any]:
    """Return one memory as `list` and `show` print it, without a credential that its header may hold."""
    return {
        **fields(header, "file name title kind description saved_at pinned expires"),
        "title": without_secrets(header.title),
        "description": without_secrets(header.description),
        "saved_at": utc_stamp(header.saved_at),
    }


def saved_memory(saved: Saved) -> dict[str, Any]:
    """Return a memory that was just written, and how to take that back."""
    return {**memory(saved.header), **fields(saved, "path created operation warnings")}


def forgotten_memory(gone: Forgotten) -> dict[str, Any]:
    """Return what is gone, and how to take that back."""
    return fields(gone, "file path operation warnings")


def undo_result(done: Undone) -> dict[str, Any]:
    """Return what was taken back, and the change that did it."""
    return {"undid": change(done.undid), **fields(done, "operation files warnings")}


def change(entry: HistoryEntry) -> dict[str, Any]:
    """Return one operation of the history."""
    return fields(entry, f"id at verb {WRITER} files undoes commit")


def finding(found: Finding) -> dict[str, Any]:
    """Return one thing that doctor found."""
    return fields(found, "code severity file message hint fixable fixed")


def discovery(found: Discovery) -> dict[str, Any]:
    """Return the instruction files that are loaded, and those that are not."""
    return {
        "instructions": [_instruction(one) for one in found.loaded],
        "left_out": [_left_out(one) for one in found.left_out],
    }


def bill(due: Bill) -> dict[str, Any]:
    """Return what a conversation is told, what that costs, and what could be trimmed."""
    return {
        **fields(due, "window tokens"),
        "parts": [_part(one) for one in due.told],
        "later": [fields(one, "path globs tokens") for one in due.later],
        "left_out": due.left_out,
        "savings": [fields(one, "code tokens advice paths") for one in due.savings],
    }


def _instruction(one: Instruction) -> dict[str, Any]:
    return {
        **fields(one, "path layer"),
        "tokens": tokens(one.text),
        "lines": one.text.count("\n") + 1,
        "cause": one.reason.cause.name.lower(),
        "reason": one.reason.words,
        **fields(one, "importer globs changed"),
        "awaits_approval": one.external,
        "text": one.text,
    }


def _left_out(one: LeftOut) -> dict[str, Any]:
    reason = {"because": one.because.name.lower(), "reason": one.words}
    return {"path": one.path, **reason, **fields(one, "importer spelled globs")}


def _part(one: BilledPart) -> dict[str, Any]:
    file = fields(one.file, "layer importer") if one.file else {"layer": "", "importer": ""}
    return {**fields(one, "part.slot part.name part.place part.side part.tokens lines"), **file}
