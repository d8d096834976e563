"""What one token may ask of one node at a time: requests in a second, requests at once, bytes of a body."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from memdir.text.value import value_class

__all__ = ["Gate", "RequestLimits", "limit_body"]

_MOST_KNOWN = 20_000
"""Tokens whose use is remembered: those that asked last."""


@value_class(frozen=True, slots=True)
class RequestLimits:
    """The limits of one node."""

    rate: int = 500
    """Requests a second that one token may go on sending; twice as many at once after a rest."""
    at_once: int = 64
    """Requests of one token that are answered at the same time."""
    body_bytes: int = 6 << 20
    """Bytes of one request: more than the largest publishing takes."""


@dataclass(slots=True)
class _Use:
    """What one token has left."""

    left: float
    at: float
    running: int = 0


class Gate:
    """Counts the requests of each token; all of it happens in the one thread of the event loop."""

    def __init__(self, limits: RequestLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._uses: OrderedDict[bytes, _Use] = OrderedDict()

    @contextmanager
    def admit(self, key: bytes) -> Iterator[None]:
        """Let one request of a token in, or raise 429 with the time to wait."""
        use, rate = self._use(key), self._limits.rate
        if use.left < 1:
            raise _too_many(f"more than {rate} requests a second", int((1 - use.left) / rate) + 1)
        if use.running >= self._limits.at_once:
            raise _too_many(f"more than {self._limits.at_once} requests at once", 1)
        use.left -= 1
        use.running += 1
        try:
            yield
        finally:
            use.running -= 1

    def _use(self, key: bytes) -> _Use:
        """Return what a token has left now."""
        now, most = self._clock(), self._limits.rate * 2
        use = self._uses.setdefault(key, _Use(most, now))
        self._uses.move_to_end(key)
        use.left, use.at = min(most, use.left + (now - use.at) * self._limits.rate), now
        while len(self._uses) > _MOST_KNOWN and not next(iter(self._uses.values())).running:
            self._uses.popitem(last=False)
        return use


def limit_body(receive: Receive, most: int) -> Receive:
    """Return what reads a request and refuses it with 413 where its body is over a limit."""
    size = 0

    async def receive_counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(413, f"A request may have {most:,} bytes. Send less at a time.")
        return message

    return receive_counting


def _too_many(what: str, seconds: int) -> HTTPException:
    message = f"This token asks {what} of this node. Wait, then go on."
    return HTTPException(429, message, headers={"Retry-After": str(seconds)})
