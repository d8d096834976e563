"""How long an answer may still take: the question's own time, and whether it was called off."""

from threading import Event
from time import monotonic

from memdir.errors import Cancelled, ModelTimeout
from memdir.models.protocol import Question

__all__ = ["QuestionDeadline"]

_TICK = 0.02
"""Seconds between two looks at the cancel flag: less than anyone notices, and it costs next to nothing."""


class QuestionDeadline:
    """The time of one question, running since this was made."""

    def __init__(self, question: Question, who: str) -> None:
        """Start the clock; `who` is the model by the name that errors call it."""
        self._seconds, self._cancel, self._who = question.timeout, question.cancel, who
        self._end = monotonic() + question.timeout

    @property
    def left(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - monotonic())

    def check(self) -> None:
        """Raise when the answer is no longer wanted, or no longer in time."""
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled(f"The question to {self._who} was called off.")
        if not self.left:
            raise ModelTimeout(
                f"{self._who} gave no answer within {self._seconds:g} s. Try again, or choose a faster model."
            )

    def wait(self, done: Event) -> None:
        """Wait until something is done; raise when the question ends first."""
        while not done.wait(self.left if self._cancel is None else min(_TICK, self.left)):
            self.check()

    def pause(self, seconds: float) -> None:
        """Let time pass before the next attempt; raise when the question ends first."""
        until = monotonic() + seconds
        while (rest := until - monotonic()) > 0:
            self.check()
            (self._cancel or Event()).wait(min(rest, self.left))
