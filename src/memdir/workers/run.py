"""A worker's run as a value: replies, how it ended and what it wishes."""

from memdir.models.protocol import Reply
from memdir.text.value import value_class
from memdir.workers.workbench import Wish

__all__ = ["DONE", "FAILED", "TURNS", "Run"]

DONE, TURNS, FAILED = "done", "turns", "failed"


@value_class(frozen=True, slots=True)
class Run:
    """All of one run; its wishes hold the texts that it started from."""

    memory: str
    """The memory directory it was about."""
    replies: tuple[Reply, ...]
    ended: str
    """done (the model had no more calls), turns (they were used up), or failed."""
    because: str
    """How it ended, as a sentence."""
    touched: tuple[Wish, ...] = ()
    """Every file it wished to change, those that it left as they were included."""

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """Return what should be changed: of a failed run nothing."""
        return () if self.ended == FAILED else tuple(one for one in self.touched if one.verb != "nothing")

    @property
    def text(self) -> str:
        """Return the model's last words."""
        return self.replies[-1].text if self.replies else ""
