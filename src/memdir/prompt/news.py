"""What happened to a memory since the last conversation, told to the model that begins a new one."""

from __future__ import annotations

from collections.abc import Sequence

from memdir.prompt.templates import filled
from memdir.text.templates import Prose
from memdir.text.value import value_class

__all__ = ["News", "notes_text", "orphans_text"]

_NAMED = 8
"""Files that are named before the rest is counted: news is a hint, not a report."""

_TOLD = 4
"""Outcomes of background jobs of one kind: of more, the older ones are no news."""


@value_class(frozen=True, slots=True)
class News:
    """All that a new conversation should know besides the memories themselves."""

    inbox: int = 0
    """Proposals that wait for the user."""
    changed: tuple[str, ...] = ()
    """Files that someone changed outside memdir."""
    stale: tuple[str, ...] = ()
    """Files whose claims no longer hold."""
    wrote: tuple[tuple[str, str, str], ...] = ()
    """What background jobs changed since the last conversation: the job, what it says, the change to undo."""
    failed: tuple[tuple[str, str], ...] = ()
    """What background jobs could not do: the job, and what it says."""

    def render_news(self) -> str:
        """Return it as the model reads it; empty when there is none."""
        if not (self.inbox or self.changed or self.stale or self.wrote or self.failed):
            return ""
        changes = Prose("change" if self.inbox == 1 else "changes")
        inbox = filled("news_inbox", count=str(self.inbox), changes=changes) if self.inbox else Prose()
        return filled(
            "news",
            inbox=inbox,
            changed=filled("news_changed", files=_name_files(self.changed)) if self.changed else Prose(),
            stale=filled("news_stale", files=_name_files(self.stale)) if self.stale else Prose(),
            wrote=_lines([_change_line(*came) for came in self.wrote[-_TOLD:]]),
            failed=_lines(
                [filled("news_failed", job=job, said=said.rstrip(".")) for job, said in self.failed[-_TOLD:]]
            ),
        )


def notes_text(notes: str) -> str:
    """Return the notes of a conversation as it reads them after a compaction; empty when there are none."""
    return filled("notes_after_compaction", notes=notes) if notes.strip() else ""


def orphans_text(found: str) -> str:
    """Return what a conversation is told of memories that may belong to its project; empty for none."""
    return filled("news_orphans", found=found) if found else ""


def _change_line(job: str, said: str, operation: str) -> Prose:
    """Return the line of one change; by the time it is read another change may be the newest."""
    undo = filled("news_undo", operation=operation) if operation else Prose()
    return filled("news_wrote", job=job, said=said.rstrip("."), undo=undo)


def _lines(told: Sequence[Prose]) -> Prose:
    return Prose("\n".join(told))


def _name_files(files: Sequence[str]) -> str:
    more = len(files) - _NAMED
    return ", ".join(files[:_NAMED]) + (f" and {more} more" if more > 0 else "")
