"""The tiny question that shows whether a model answers."""

from memdir.models.protocol import Message, Question
from memdir.text.templates import Templates

__all__ = ["trial"]

_TEXTS = Templates(__file__)


def trial() -> Question:
    """Return a question that costs next to nothing; models that think first need some room for it."""
    return Question((Message("user", _TEXTS.unescaped("trial")),), max_tokens=256, timeout=30.0, job="test")
