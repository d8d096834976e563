"""What an extraction came to: what was found, what was saved, and what was left out and why."""

from typing import Any

from memdir.extract.heuristics.drafting import ExtractedDraft as Found
from memdir.extract.heuristics.extraction import UNREADABLE
from memdir.memories.change import Saved
from memdir.text.value import value_class

__all__ = ["FAILED", "WROTE", "Extracted", "Report"]

WROTE, FAILED = "wrote", "failed"


@value_class(frozen=True, slots=True)
class Extracted:
    """The result of looking at one piece of a conversation."""

    drafts: tuple[Found, ...] = ()
    forget: tuple[str, ...] = ()
    """Names of memories to forget, or forgotten."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Ids of messages from which something was left out, with the reason."""
    method: str = ""
    """model or offline; empty when nobody looked."""
    because: str = ""
    """Why nobody looked; empty otherwise."""
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
        return {
            "drafts": [
                {
                    "kind": str(one.kind),
                    "name": one.name,
                    "description": one.description,
                    "body": one.body,
                    "source": one.source,
                    "message": one.message,
                    "inbox": one.inbox,
                }
                for one in self.drafts
            ],
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


@value_class(frozen=True, slots=True)
class Report:
    """What a worker did about one thing that waited."""

    job: str
    session: str
    said: str
    """In one line: what was written, why nothing was, or what went wrong."""
    done: bool = True
    """Whether it waits no longer."""
    outcome: str = ""
    """wrote (memories changed, or a proposal waits) or failed; empty when there is nothing to tell."""
    operation: str = ""
    """The change that can be undone, if memories changed."""
