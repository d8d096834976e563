"""The objects that `--json` prints, documented in docs/cli.md; keys are added, never renamed."""

from datetime import UTC
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdir.core.topic import Header
    from memdir.doctor.finding import Finding
    from memdir.store.history import Entry
    from memdir.store.saved import Forgotten, Saved
    from memdir.store.undo import Undone

__all__ = ["change", "finding", "forgotten", "memory", "saved_memory", "undone"]


def memory(header: "Header") -> dict[str, Any]:
    """Return one memory as `list` and `show` print it."""
    return {
        "file": header.file,
        "name": header.name,
        "title": header.title,
        "kind": header.kind,
        "description": header.description,
        "saved_at": header.saved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "pinned": header.pinned,
        "expires": header.expires,
    }


def saved_memory(saved: "Saved") -> dict[str, Any]:
    """Return a memory that was just written, and how to take that back."""
    return {
        **memory(saved.header),
        "path": saved.path,
        "created": saved.created,
        "operation": saved.operation,
        "warnings": list(saved.warnings),
    }


def forgotten(gone: "Forgotten") -> dict[str, Any]:
    """Return what is gone, and how to take that back."""
    return {
        "file": gone.file,
        "path": gone.path,
        "operation": gone.operation,
        "warnings": list(gone.warnings),
    }


def undone(done: "Undone") -> dict[str, Any]:
    """Return what was taken back, and the change that did it."""
    return {
        "undid": change(done.undid),
        "operation": done.operation,
        "files": list(done.files),
        "warnings": list(done.warnings),
    }


def change(entry: "Entry") -> dict[str, Any]:
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


def finding(found: "Finding") -> dict[str, Any]:
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
