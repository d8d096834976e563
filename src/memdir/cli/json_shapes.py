"""The objects that `--json` prints, documented in docs/cli.md; keys are added, never renamed."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.fast_search import without_secrets

if TYPE_CHECKING:
    from memdir.memories.change import Saved
    from memdir.memories.history.history import HistoryEntry
    from memdir.memories.topic import Header

__all__ = ["WRITER", "change", "fields", "memory", "saved_memory"]

WRITER = "by.actor by.source by.method by.session by.reason"
"""The fields of a change that say who made it."""


def fields(value: Any, names: str = "") -> dict[str, Any]:
    """Return fields of a value, all if none are named; `by.actor` is called actor, and `rule=text` rule."""
    paths = [name.rpartition("=") for name in (names.split() or value.__match_args__)]
    return {key or path.rpartition(".")[2]: attrgetter(path)(value) for key, _, path in paths}


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


def change(entry: HistoryEntry) -> dict[str, Any]:
    """Return one operation of the history."""
    return fields(entry, f"id at verb {WRITER} files undoes commit")
