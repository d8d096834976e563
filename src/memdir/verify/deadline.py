"""How long a check may still take."""

from collections.abc import Callable

from memdir.text.value import value_class

__all__ = ["Deadline", "TooLate"]


class TooLate(Exception):
    """The time for a check is up."""


@value_class(frozen=True, slots=True)
class Deadline:
    """A moment of a timer."""

    timer: Callable[[], float]
    end: float

    def left(self) -> float:
        """Return the seconds that are left; raise when there are none."""
        seconds = self.end - self.timer()
        if seconds <= 0:
            raise TooLate
        return seconds
