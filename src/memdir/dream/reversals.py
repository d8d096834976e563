"""Changes that a dream made and somebody took back: they are neither made nor proposed again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

from memdir.dream.inputs import DreamDraft
from memdir.errors import HistoryError
from memdir.inbox.proposals import comparable_text
from memdir.memories.change import Change
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.writer import Writer
from memdir.text.value import replace

__all__ = ["PastDreams", "taken_back_report", "without_reversals"]

_ACTOR = "dream"
"""Who made them, at once or when a person accepted a proposal."""


class PastDreams:
    """What dreams about one directory changed, by its history; read only when it is asked."""

    def __init__(self, writer: Writer) -> None:
        self._history = writer.recorder.history
        self._changes: dict[str, tuple[Change, ...]] = {}

    def holds(self, edit: Change) -> bool:
        """Tell whether a dream made this change before: then somebody took it back."""
        made = [one for entry in self._entries.get(edit.file, ()) for one in self._changes_of(entry)]
        return any(_key(one) == _key(edit) for one in made if one.file == edit.file)

    @cached_property
    def _entries(self) -> dict[str, list[HistoryEntry]]:
        """What dreams did, by the files that they changed."""
        found: dict[str, list[HistoryEntry]] = {}
        with suppress(HistoryError):  # without history nothing can have been undone
            for entry in self._history.entries():
                for file in entry.files if entry.by.actor == _ACTOR else ():
                    found.setdefault(file, []).append(entry)
        return found

    def _changes_of(self, entry: HistoryEntry) -> tuple[Change, ...]:
        if entry.id not in self._changes:
            self._changes[entry.id] = ()
            with suppress(HistoryError):
                self._changes[entry.id] = self._history.operation(entry).changes
        return self._changes[entry.id]


def _key(change: Change) -> tuple[str, str]:
    return comparable_text(change.before), comparable_text(change.after)


def without_reversals(draft: DreamDraft, past: PastDreams) -> DreamDraft:
    """Return a draft without what was taken back before, and with a report that names it."""
    edits = tuple(edit for edit in draft.edits if not past.holds(edit))
    asked = tuple(one for one in draft.proposals if not any(map(past.holds, one[0])))
    left = {edit.file for edit in draft.edits if edit not in edits}
    left |= {edit.file for one in draft.proposals if one not in asked for edit in one[0]}
    if not left:
        return draft
    reports = (*draft.reports, taken_back_report(left))
    summary = draft.summary if len(edits) == len(draft.edits) else ""  # it would tell of more than was done
    return replace(draft, edits=edits, proposals=asked, reports=reports, summary=summary)


def taken_back_report(files: Iterable[str]) -> str:
    """Return what a report says of files that stay as they are."""
    return f"Not done again, because it was taken back before: {', '.join(sorted(files))}."
