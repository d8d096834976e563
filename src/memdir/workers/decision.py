"""Whether something is done now: a decision of a gate, with its reason."""

from memdir.core.value import value_class

__all__ = ["Due", "Skip"]


@value_class(frozen=True, slots=True)
class Skip:
    """Not now, and why."""

    because: str


@value_class(frozen=True, slots=True)
class Due:
    """It is time, and why."""

    because: str
