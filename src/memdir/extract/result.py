"""The result of an extraction: what was found in a conversation, and what was written of it."""

from __future__ import annotations

from typing import Any

from memdir.memories.change import Saved
from memdir.memories.topic import Draft
from memdir.text.value import replace, value_class

__all__ = ["UNREADABLE", "Extracted"]

UNREADABLE = "it could not be read"
"""The reason why a message is left out that raised an error; its name follows in brackets."""


@value_class(frozen=True, slots=True)
class Extracted:
    """The result of looking at one piece of a conversation."""

    drafts: tuple[Draft, ...] = ()
    forget: tuple[str, ...] = ()
    """Names of memories to forget, or forgotten."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Ids of messages from which something was left out, with the reason."""
    method: str = ""
    """model or offline; empty when nobody looked."""
    because: str = ""
    """Why nobody looked; empty otherwise."""
    waits: bool = False
    """Whether the messages wait for a later turn."""
    saved: tuple[Saved, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Files that are gone; undo brings them back."""
    inbox: tuple[str, ...] = ()
    """Ids of what waits for a person."""
    operation: str = ""
    """The one step that can be undone; empty when the directory is as it was."""

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Ids of messages that raised an error, each with its reason: another time they may be read."""
        return tuple(f"{one}: {because}" for one, because in self.skipped if because.startswith(UNREADABLE))

    @property
    def shape(self) -> dict[str, Any]:
        """Return what is found as one JSON object, the same with a model and without."""
        keys = ("kind", "name", "description", "body", "source", "message", "inbox")
        return {
            "drafts": [{key: getattr(one, key) for key in keys} for one in self.drafts],
            "forget": list(self.forget),
            "skipped": [{"message": message, "because": because} for message, because in self.skipped],
        }

    @property
    def line(self) -> str:
        """Return in one line what was written; empty when nothing was."""
        parts = [
            ("Memory saved", [saved.file for saved in self.saved]),
            ("Memory forgotten", self.forgotten),
            ("Waits in the inbox", self.inbox),
        ]
        return ". ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)

    def without(self, draft: Draft, because: str) -> Extracted:
        """Return the result without one of its drafts, and with the reason."""
        left = tuple(one for one in self.drafts if one != draft)
        return replace(self, drafts=left, skipped=(*self.skipped, (draft.message, because)))

    def after(self, before: Extracted) -> Extracted:
        """Return this result together with what was written before it."""
        return replace(
            self,
            saved=before.saved + self.saved,
            forgotten=before.forgotten + self.forgotten,
            inbox=before.inbox + self.inbox,
            operation=self.operation or before.operation,
        )
