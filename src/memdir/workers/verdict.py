"""Whether a worker may do something, and why not."""

from memdir.text.value import value_class

__all__ = ["ALLOWED", "Verdict", "refused"]


@value_class(frozen=True, slots=True)
class Verdict:
    """Allowed or not, with the reason as a sentence that the model reads."""

    allowed: bool
    because: str = ""


ALLOWED = Verdict(allowed=True)


def refused(because: str) -> Verdict:
    """Return the verdict that says no."""
    return Verdict(allowed=False, because=because)
