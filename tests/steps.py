"""Steps of a scripted model that end a question in a way of their own."""

from memdir.models.protocol import Question

__all__ = ["interrupted"]


def interrupted(_: Question) -> str:
    """Raise what Ctrl-C raises: a script itself can only raise what programs catch."""
    raise KeyboardInterrupt
