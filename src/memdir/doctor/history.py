"""Checks of history: whether it is whole, and what others changed without memdir."""

from collections.abc import Iterator
from datetime import datetime

from memdir.doctor.finding import Finding, advice
from memdir.doctor.index import edited_findings
from memdir.errors import HistoryError, LockTimeout
from memdir.memories.history.git import GitMissing
from memdir.memories.index.file import line_changes
from memdir.memories.names import INDEX_NAME
from memdir.memories.writer import Writer

__all__ = ["history_findings"]


def history_findings(writer: Writer, now: datetime) -> Iterator[Finding]:
    """Bring history up to date and report what that showed."""
    for notice in writer.recorder.notices():
        yield advice("history-replaced", notice, "The memories themselves are not affected.")
    if not writer.memories.exists():
        return
    try:
        writer.recorder.replace_if_damaged(now)
        outside = writer.note_outside(now)
    except GitMissing as error:
        hint = "Everything but history, diff and undo works without it; restore has only what was forgotten."
        yield advice("no-git", str(error), hint)
    except (HistoryError, LockTimeout, OSError) as error:
        message = f"History could not be brought up to date: {error}"
        yield Finding("history", message, "Saves are not affected.")
    else:
        for change in outside.changes if outside else ():
            file = change.file
            if file == INDEX_NAME:
                yield from edited_findings(line_changes(change.text_before or "", change.text_after or ""))
            message = f"{file} was changed outside memdir; history has it now."
            hint = "`memdir history` shows it; `memdir undo ID` takes it back."
            yield advice("changed-outside", message, hint, file)
