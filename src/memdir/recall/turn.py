"""One recall while it runs: what was asked, how much time is left, and what had to be done without."""

from collections.abc import Callable, Sequence
from threading import Event

__all__ = ["RecallTurn"]


class RecallTurn:
    """The circumstances of one recall."""

    def __init__(
        self,
        query: str,
        limit: int,
        *,
        seconds: float,
        timer: Callable[[], float],
        tools: Sequence[str] = (),
        called_off: Event | None = None,
    ) -> None:
        """Begin: the time runs from here."""
        self.query, self.limit, self.tools, self.timer = query, limit, tuple(tools), timer
        self.called_off = called_off or Event()
        self.fallbacks: list[str] = []
        self.model_tokens = 0
        self.unfinished = False
        """Whether something was left undone for want of time."""
        self._began, self._seconds = timer(), seconds

    def left(self) -> float:
        """Return the seconds until the prompt has waited long enough."""
        return self._seconds - (self.timer() - self._began)

    def spent(self) -> float:
        """Return which share of its time is gone; all of it where there was none."""
        return (self.timer() - self._began) / self._seconds if self._seconds > 0 else 1.0

    def milliseconds(self) -> float:
        """Return how long it has taken so far."""
        return round((self.timer() - self._began) * 1000, 3)
