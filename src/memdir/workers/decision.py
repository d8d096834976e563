"""Whether something is done now: a decision of a gate, with its reason."""

from memdir.text.value import value_class

__all__ = ["NotNow", "Now"]


@value_class(frozen=True, slots=True)
class NotNow:
    """Not now, and why."""

    because: str
    failed: bool = False
    """Whether it was time and something went wrong, of which somebody should hear."""


@value_class(frozen=True, slots=True)
class Now:
    """It is time, and why."""

    because: str
