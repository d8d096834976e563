"""A recall that runs beside the main model from the moment the prompt arrives."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread

from memdir.recall.recaller import Recall

__all__ = ["Prefetch"]


class Prefetch:
    """A recall on its way; calling it off calls off what it asks a model, and nothing counts as shown."""

    def __init__(self, work: Callable[[Event], Recall], undo: Callable[[Recall], None]) -> None:
        """Start at once."""
        self._work, self._undo = work, undo
        self._called_off, self._over, self._lock = Event(), Event(), Lock()
        self._recall: Recall | None = None
        self._error: BaseException | None = None
        self._taken = False
        Thread(target=self._run, daemon=True).start()

    @property
    def ready(self) -> bool:
        """Tell whether the result is there."""
        return self._over.is_set()

    def result(self, timeout: float | None = None) -> Recall | None:
        """Return the recall, waiting so many seconds for it; None when it is not ready by then."""
        if not self._over.wait(timeout):
            return None
        with self._lock:
            self._taken = True
        if self._error is not None:
            raise self._error
        return self._recall

    def cancel(self) -> None:
        """Call it off: what nobody has taken yet does not count as shown."""
        with self._lock:
            self._called_off.set()
            self._give_back()

    def _run(self) -> None:
        try:
            self._recall = self._work(self._called_off)
        except BaseException as error:  # noqa: BLE001 - raised again for whoever takes the result
            self._error = error
        with self._lock:
            self._over.set()
            self._give_back()

    def _give_back(self) -> None:
        if self._called_off.is_set() and self._over.is_set() and not self._taken and self._recall:
            self._taken = True
            self._undo(self._recall)
