"""A model that answers from a script: the fake that ships, for tests, examples and dry runs."""

from collections.abc import Callable, Iterable
from threading import Lock

from memdir.errors import Cancelled, ModelError, ModelReplyError, ModelTimeout
from memdir.models.protocol import Question, Reply

__all__ = ["Hang", "ScriptedModel", "Step"]

_TICK = 0.005
"""Seconds between two looks at the cancel flag."""


class Hang:
    """A step of a script that never answers: the question's time runs out, or it is called off."""


Step = Reply | str | Exception | Hang | Callable[[Question], "Reply | str"]
"""One answer: a reply, its text alone, an error to raise, silence, or a function of the question."""


class ScriptedModel:
    """Answers each question with the next step of a script and keeps every question it was asked."""

    def __init__(
        self, steps: Iterable[Step] = (), *, name: str = "scripted", default: Step | None = None
    ) -> None:
        """Take the steps in order; after the last one every question gets the default, or an error."""
        self._steps, self._name, self._default = list(steps), name, default
        self._lock = Lock()
        self.asked: list[Question] = []

    @property
    def name(self) -> str:
        """Return the name given to it."""
        return self._name

    def ask(self, question: Question) -> Reply:
        """Return what the script says to this question."""
        with self._lock:
            self.asked.append(question)
            step = self._steps.pop(0) if self._steps else self._default
        if question.cancel is not None and question.cancel.is_set():
            raise Cancelled("The question was called off.")
        if step is None:
            raise ModelReplyError(f"The script of {self._name!r} has no step for question {len(self.asked)}.")
        if isinstance(step, Hang):
            raise _silence(question)
        if isinstance(step, Exception):
            raise step
        said = step(question) if callable(step) else step
        return Reply(said, model=self._name) if isinstance(said, str) else said


def _silence(question: Question) -> ModelError:
    """Wait as a silent server makes a caller wait, and return how that ends."""
    from time import monotonic, sleep

    end = monotonic() + question.timeout
    while monotonic() < end:
        if question.cancel is not None and question.cancel.wait(_TICK):
            return Cancelled("The question was called off.")
        if question.cancel is None:
            sleep(min(_TICK, max(0.0, end - monotonic())))
    return ModelTimeout(f"No answer within {question.timeout:g} s.")
