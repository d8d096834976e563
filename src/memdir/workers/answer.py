"""What a tool gives back to a worker's model: a text within bounds, and whether it says what went wrong."""

from memdir.text.templates import Templates
from memdir.text.value import value_class

__all__ = ["LONGEST_ANSWER", "Answer", "answered", "failure"]

_TEXTS = Templates(__file__)

LONGEST_ANSWER = 20_000
"""Characters of one result: some five thousand tokens, and a turn may ask for several."""


@value_class(frozen=True, slots=True)
class Answer:
    """The result of one call."""

    text: str
    failed: bool = False


def answered(text: str, *, cut: bool = False) -> Answer:
    """Return a result, cut to its bound; an empty one says so, and half characters are replaced."""
    plain = text.encode("utf-8", "replace").decode()
    if not plain.strip():
        return Answer(_TEXTS.unescaped("answer_nothing"))
    if cut or len(plain) > LONGEST_ANSWER:
        return Answer(f"{plain[:LONGEST_ANSWER]}\n\n{_TEXTS.unescaped('answer_cut')}")
    return Answer(plain)


def failure(because: str) -> Answer:
    """Return why there is no result, as a sentence that says what to do."""
    return Answer(because[:LONGEST_ANSWER].encode("utf-8", "replace").decode(), failed=True)
