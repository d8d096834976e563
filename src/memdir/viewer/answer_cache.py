"""Answers that take long, cached between requests: the last one is given while a new one is made."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

__all__ = ["FRESH", "CachedAnswer"]

T = TypeVar("T")

FRESH = 5.0
"""Seconds after which an answer is made anew although nothing is known to have changed: an editor that
writes into a file leaves the folder's own time as it was."""

_RARELY = 30
"""An answer is fresh for at least so many times as long as it took to make: pages come first."""


class CachedAnswer(Generic[T]):
    """One answer and a mark of its data: when the mark changes, the answer is made anew."""

    def __init__(
        self, ask: Callable[[], T], mark: Callable[[], object] = tuple, *, fresh: float = FRESH
    ) -> None:
        """Take a function that gives the answer, and a quick one that gives its mark."""
        self._ask, self._mark, self._fresh = ask, mark, fresh
        self._lock = Lock()
        self._known: tuple[object, float, T] | None = None
        """The mark, the moment until which the answer is fresh, and the answer."""
        self._asking: Future[None] | None = None
        """The question that is on its way."""

    def now(self, seconds: float = 30.0) -> T | None:
        """Return the answer of now, or after so many seconds the one before; None where there is none yet."""
        end, mark = monotonic() + seconds, self._mark()
        while True:
            with self._lock:
                known, asking = self._known, self._asking
                is_right = known is not None and known[0] == mark
                is_old = known is None or monotonic() > known[1]
                if asking is None and (not is_right or is_old):
                    asking = self._asking = self._start(mark)
            if is_right or asking is None or not wait([asking], max(0.0, end - monotonic())).done:
                return known[2] if known else None
            asking.result()  # raises what went wrong

    @property
    def last(self) -> T | None:
        """The last answer, whether it still holds or not."""
        return self._known[2] if self._known else None

    @property
    def is_old(self) -> bool:
        """Tell whether it should be asked again."""
        known = self._known
        return self._asking is None and (known is None or monotonic() > known[1])

    def certain(self) -> T:
        """Return the answer of now, however long it takes."""
        while (answer := self.now(60.0)) is None:
            pass
        return answer

    def drop(self) -> None:
        """Forget the answer: what it rests on was changed."""
        with self._lock:
            self._known = None

    def _start(self, mark: object) -> Future[None]:
        asking = Future[None]()
        within = copy_context()  # the question may be one of whoever asks now
        Thread(target=within.run, args=(self._make, asking, mark), daemon=True).start()
        return asking

    def _make(self, asking: Future[None], mark: object) -> None:
        begun = monotonic()
        try:
            answer = self._ask()
        except Exception as error:  # noqa: BLE001 - it is raised where somebody waits for the answer
            with self._lock:
                self._asking = None
            asking.set_exception(error)
            return
        now = monotonic()
        with self._lock:
            self._known = (mark, now + max(self._fresh, _RARELY * (now - begun)), answer)
            self._asking = None
        asking.set_result(None)
