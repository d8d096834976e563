"""The objects that `--json` prints, documented in docs/cli.md; keys are added, never renamed."""

from __future__ import annotations

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
    "bill",
    "change",
    "discovery",
    "finding",
    "forgotten_memory",
    "memory",
    "saved_memory",
    "undo_result",
]


def memory(header: Header) -> dict[str, Any]:
    """Return one memory as `list` and `show` print it, without a credential that its header may hold."""
    return {
        "file": header.file,
        "name": header.name,
        "title": without_secrets(header.title),
        "kind": header.kind,
        "description": without_secrets(header.description),
        "saved_at": utc_stamp(header.saved_at),
        "pinned": header.pinned,
        "expires": header.expires,
    }


def saved_memory(saved: Saved) -> dict[str, Any]:
    """Return a memory that was just written, and how to take that back."""
    return {
        **memory(saved.header),
        "path": saved.path,
        "created": saved.created,
        "operation": saved.operation,
        "warnings": list(saved.warnings),
    }


def forgotten_memory(gone: Forgotten) -> dict[str, Any]:
    """Return what is gone, and how to take that back."""
    return {
        "file": gone.file,
        "path": gone.path,
        "operation": gone.operation,
        "warnings": list(gone.warnings),
    }


def undo_result(done: Undone) -> dict[str, Any]:
    """Return what was taken back, and the change that did it."""
    return {
        "undid": change(done.undid),
        "operation": done.operation,
        "files": list(done.files),
        "warnings": list(done.warnings),
    }


def change(entry: HistoryEntry) -> dict[str, Any]:
    """Return one operation of the history."""
    return {
        "id": entry.id,
        "at": entry.at,
        "verb": entry.verb,
        "actor": entry.by.actor,
        "source": entry.by.source,
        "method": entry.by.method,
        "session": entry.by.session,
        "reason": entry.by.reason,
        "files": list(entry.files),
        "undoes": entry.undoes,
        "commit": entry.commit,
    }


def finding(found: Finding) -> dict[str, Any]:
    """Return one thing that doctor found."""
    return {
        "code": found.code,
        "severity": found.severity,
        "file": found.file,
        "message": found.message,
        "hint": found.hint,
        "fixable": found.fixable,
        "fixed": found.fixed,
    }


def discovery(found: Discovery) -> dict[str, Any]:
    """Return the instruction files that are loaded, and those that are not."""
    return {
        "instructions": [_instruction(one) for one in found.loaded],
        "left_out": [_left_out(one) for one in found.left_out],
    }


def bill(due: Bill) -> dict[str, Any]:
    """Return what a conversation is told, what that costs, and what could be trimmed."""
    return {
        "window": due.window,
        "tokens": due.tokens,
        "parts": [_part(one) for one in due.told],
        "later": [{"path": o.path, "globs": list(o.globs), "tokens": o.tokens} for o in due.later],
        "left_out": due.left_out,
        "savings": [
            {"code": o.code, "tokens": o.tokens, "advice": o.advice, "paths": list(o.paths)}
            for o in due.savings
        ],
    }


def _instruction(one: Instruction) -> dict[str, Any]:
    return {
        "path": one.path,
        "layer": one.layer,
        "tokens": tokens(one.text),
        "lines": one.text.count("\n") + 1,
        "cause": one.reason.cause.name.lower(),
        "reason": one.reason.words,
        "importer": one.importer,
        "globs": list(one.globs),
        "changed": one.changed,
        "awaits_approval": one.external,
        "text": one.text,
    }


def _left_out(one: LeftOut) -> dict[str, Any]:
    return {
        "path": one.path,
        "because": one.because.name.lower(),
        "reason": one.words,
        "importer": one.importer,
        "spelled": one.spelled,
        "globs": list(one.globs),
    }


def _part(one: BilledPart) -> dict[str, Any]:
    return {
        "slot": one.part.slot,
        "name": one.part.name,
        "place": one.part.place,
        "side": one.part.side,
        "tokens": one.part.tokens,
        "lines": one.lines,
        "layer": one.file.layer if one.file else "",
        "importer": one.file.importer if one.file else "",
    }
