"""A worker's run as a value: replies, results, how it ended and what it wishes."""

from memdir.core.value import value_class
from memdir.llm.protocol import Message, Reply, Usage
from memdir.workers.workbench import Wish

__all__ = ["DONE", "FAILED", "TURNS", "Exchange", "Run"]

DONE, TURNS, FAILED = "done", "turns", "failed"


@value_class(frozen=True, slots=True)
class Exchange:
    """One turn: what the model answered, and what its calls gave."""

    reply: Reply
    results: tuple[Message, ...] = ()


@value_class(frozen=True, slots=True)
class Run:
    """All of one run; its wishes hold the texts that it started from."""

    model: str
    memory: str
    """The memory directory it was about."""
    exchanges: tuple[Exchange, ...]
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
        return self.exchanges[-1].reply.text if self.exchanges else ""

    @property
    def usage(self) -> Usage:
        """Return what the run consumed in all."""
        each = [exchange.reply.usage for exchange in self.exchanges]
        return Usage(
            sum(one.input for one in each),
            sum(one.output for one in each),
            sum(one.cache_read for one in each),
            sum(one.cache_write for one in each),
        )
