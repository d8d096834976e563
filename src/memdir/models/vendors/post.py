"""One HTTP request to a model that can be given up at any moment, on a connection of its own."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from threading import Event, Thread
from typing import Any

from memdir.models.protocol import QuestionDeadline
from memdir.models.vendors.address import Address
from memdir.text.value import value_class

__all__ = ["MAX_BYTES", "ConnectionLost", "HttpResponse", "ResponseTooLong", "failure_reason", "post"]

MAX_BYTES = 4_000_000
"""Bytes of an answer; the longest a model writes is a tenth of that."""

_GRACE = 0.1
"""Seconds for the thread to end once its connection is cut; one that still looks up a name ends by itself."""


@value_class(frozen=True, slots=True)
class HttpResponse:
    """What a server answered, whatever it means."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class ConnectionLost(Exception):
    """No answer came: nobody listens, the name is unknown, the connection broke."""

    def __init__(self, because: str, *, connected: bool) -> None:
        """Say why, and whether there had been a connection: then another attempt may fare better."""
        super().__init__(because)
        self.connected = connected


class ResponseTooLong(Exception):
    """The answer is longer than any real one; the rest was not read."""


def post(
    address: Address, path: str, headers: Mapping[str, str], body: bytes, deadline: QuestionDeadline
) -> HttpResponse:
    """Send a request and return the response; raise when time is over or the connection is lost."""
    deadline.check()
    sent = _Post(address, path, headers, body, deadline.left)
    sent.start()
    try:
        deadline.wait(sent.done)
    finally:
        sent.give_up()
    if isinstance(sent.outcome, HttpResponse):
        return sent.outcome
    deadline.check()  # when time is over too, that is the reason to tell
    raise sent.outcome


class _Post(Thread):
    """Runs the request in a thread: a read that blocks is ended only from outside, by cutting the line."""

    def __init__(
        self, address: Address, path: str, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> None:
        super().__init__(name="memdir-post", daemon=True)
        self._address, self._url, self._seconds = address, address.url + path, seconds
        self._headers, self._body = headers, body
        self._line: socket.socket | None = None
        self._given_up = False
        self.done = Event()
        self.outcome: HttpResponse | Exception = ConnectionLost("given up", connected=True)

    def run(self) -> None:
        """Fetch the answer, or keep what went wrong."""
        try:
            self.outcome = self._fetch()
        except Exception as error:  # noqa: BLE001 - raised again where it was asked for
            self.outcome = error
        finally:
            self.done.set()
            if self._line is not None:
                self._line.close()

    def give_up(self) -> None:
        """Cut the connection, if there still is one, so that the thread ends."""
        self._given_up = True
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        self.join(_GRACE)

    def _fetch(self) -> HttpResponse:
        import httpx2  # takes longer to load than a prompt may wait

        proxy, body = self._address.proxy, bytearray()
        secure = self._url.startswith("https:") or proxy.startswith("https:")
        try:
            with (
                httpx2.Client(
                    verify=_ssl_context(self._address.cafile) if secure else False,
                    proxy=proxy or None,
                    trust_env=False,
                    timeout=self._seconds,
                    follow_redirects=False,  # the key is for this server alone
                ) as client,
                client.stream(
                    "POST",
                    self._url,
                    content=self._body,
                    headers=self._headers,
                    extensions={"trace": self._trace},
                ) as response,
            ):
                for part in response.iter_raw():  # undecoded: a small answer must not unfold into gigabytes
                    body += part
                    if len(body) > MAX_BYTES:
                        raise ResponseTooLong
                names = {name.lower(): value for name, value in response.headers.items()}
                return HttpResponse(response.status_code, names, bytes(body))
        except (httpx2.TransportError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            connected = not isinstance(error, httpx2.ConnectError)
            raise ConnectionLost(failure_reason(error), connected=connected) from error

    def _trace(self, step: str, facts: Mapping[str, Any]) -> None:
        """Keep hold of the connection as soon as there is one."""
        if step.endswith("connect_tcp.complete"):
            # A second descriptor of the same connection: it stays good while TLS takes the first one over.
            self._line = facts["return_value"].get_extra_info("socket").dup()
        if self._given_up:  # looked at after the line is known, so that one of the two threads always cuts it
            raise ConnectionLost("given up", connected=True)


@cache
def _ssl_context(cafile: str) -> ssl.SSLContext:
    """Return the certificates to trust; read once, because that takes longer than the rest of a request."""
    return ssl.create_default_context(cafile=cafile or None)


def failure_reason(error: Exception) -> str:
    """Return what the system says at the root of an error, without the address it may repeat."""
    cause: BaseException = error
    while cause.__cause__ is not None or cause.__context__ is not None:
        cause = cause.__cause__ or cause.__context__ or cause
    said = (cause.strerror if isinstance(cause, OSError) else None) or str(cause) or type(cause).__name__
    return said[:1].lower() + said[1:].rstrip(".")
