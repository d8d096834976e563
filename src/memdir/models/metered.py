"""A model whose every call is in the ledger, and which refuses to be asked when a cap is used up."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from memdir.errors import Cancelled, LockTimeout, ModelBusy, ModelRejected, StorageError
from memdir.models.caps import Caps
from memdir.models.ledger import Hold, Ledger
from memdir.models.protocol import Model, Question, Reply, Usage
from memdir.text.tokens import tokens

__all__ = ["Metered"]


class Metered:
    """A model as jobs get it; it is itself a `Model`."""

    def __init__(
        self, model: Model, ledger: Ledger, caps: Caps, session: str, clock: Callable[[], datetime]
    ) -> None:
        """Count the calls of one conversation; without an id, those made through this object are one."""
        self._model, self._ledger, self._caps, self._clock = model, ledger, caps, clock
        self._session = session or f"unnamed-{os.urandom(4).hex()}"

    @property
    def name(self) -> str:
        """Return how settings and the ledger call it."""
        return self._model.name

    def ask(self, question: Question) -> Reply:
        """Return the answer; `CapReached` before asking when a cap is used up."""
        if question.cancel is not None and question.cancel.is_set():
            raise Cancelled(f"The question to {self.name} was called off.")
        hold = self._ledger.hold(question, self.name, self._session, self._caps, self._clock())
        try:
            reply = self._model.ask(question)
        except (ModelRejected, ModelBusy) as error:  # what is turned away costs nothing
            self._settle(hold, Usage(), failed=type(error).__name__)
            raise
        except BaseException as error:  # it was asked, and nobody knows how much of an answer was made
            guess = Usage(hold.sent, question.max_tokens)
            self._settle(hold, guess, failed=type(error).__name__, estimated=True)
            raise
        counted = reply.usage.total > 0
        guess = Usage(hold.sent, tokens(reply.text))
        self._settle(hold, reply.usage if counted else guess, estimated=not counted)
        return reply

    def _settle(self, hold: Hold, usage: Usage, *, failed: str = "", estimated: bool = False) -> None:
        # The answer is there and paid for: it is not given up for its record, and the call stays held.
        with suppress(StorageError, LockTimeout):
            self._ledger.settle(hold, usage, self._clock(), failed=failed, estimated=estimated)
