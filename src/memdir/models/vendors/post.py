"""One HTTP request that can be given up at any moment, and one connection that it uses alone."""

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from threading import Event, Thread
from time import monotonic
from typing import Any

from memdir.errors import Cancelled, ModelTimeout
from memdir.models.protocol import Question
from memdir.text.value import value_class

__all__ = [
    "MAX_BYTES",
    "ConnectionLost",
    "HttpRequest",
    "HttpResponse",
    "QuestionDeadline",
    "ResponseTooLong",
    "failure_reason",
    "post",
]

_TICK = 0.02
"""Seconds between two looks at the cancel flag: less than anyone notices, and it costs next to nothing."""


class QuestionDeadline:
    """The time of one question, running since this was made."""

    def __init__(self, question: Question, who: str) -> None:
        """Start the clock; `who` is the model by the name that errors call it."""
        self._seconds, self._cancel, self._who = question.timeout, question.cancel, who
        self._end = monotonic() + question.timeout

    @property
    def left(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - monotonic())

    def check(self) -> None:
        """Raise when the answer is no longer wanted, or no longer in time."""
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled(f"The question to {self._who} was called off.")
        if not self.left:
            raise ModelTimeout(
                f"{self._who} gave no answer within {self._seconds:g} s. Try again, or choose a faster model."
            )

    def wait(self, done: Event) -> None:
        """Wait until something is done; raise when the question ends first."""
        while not done.wait(self.left if self._cancel is None else min(_TICK, self.left)):
            self.check()

    def pause(self, seconds: float) -> None:
        """Let time pass before the next attempt; raise when the question ends first."""
        until = monotonic() + seconds
        while (rest := until - monotonic()) > 0:
            self.check()
            (self._cancel or Event()).wait(min(rest, self.left))


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


class HttpRequest:
    """Where to send what, through which proxy; not a value, because a value shows its key when printed."""

    __slots__ = ("body", "cafile", "headers", "proxy", "url")

    def __init__(self, url: str, headers: Mapping[str, str], body: bytes, proxy: str, cafile: str) -> None:
        self.url, self.headers, self.body, self.proxy, self.cafile = url, headers, body, proxy, cafile


def post(request: HttpRequest, deadline: QuestionDeadline) -> HttpResponse:
    """Send a request and return the response; raise when time is over or the connection is lost."""
    deadline.check()
    sent = _Post(request, deadline.left)
    sent.start()
    try:
        deadline.wait(sent.done)
    finally:
        sent.give_up()
    if sent.fault is not None:
        deadline.check()  # when time is over too, that is the reason to tell
        raise sent.fault
    assert sent.answer is not None  # noqa: S101 - done without a fault
    return sent.answer


class _Post(Thread):
    """Runs the request in a thread: a read that blocks is ended only from outside, by cutting the line."""

    def __init__(self, request: HttpRequest, seconds: float) -> None:
        super().__init__(name="memdir-post", daemon=True)
        self._request, self._seconds = request, seconds
        self._line: socket.socket | None = None
        self._given_up = False
        self.done = Event()
        self.answer: HttpResponse | None = None
        self.fault: Exception | None = None

    def run(self) -> None:
        """Fetch the answer, or keep what went wrong."""
        try:
            self.answer = self._fetch()
        except Exception as error:  # noqa: BLE001 - raised again where it was asked for
            self.fault = error
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

        request, seconds = self._request, self._seconds
        secure = request.url.startswith("https:") or request.proxy.startswith("https:")
        try:
            with (
                httpx2.Client(
                    verify=_ssl_context(request.cafile) if secure else False,
                    proxy=request.proxy or None,
                    trust_env=False,
                    timeout=seconds,
                    follow_redirects=False,  # the key is for this server alone
                ) as client,
                client.stream(
                    "POST",
                    request.url,
                    content=request.body,
                    headers=request.headers,
                    extensions={"trace": self._trace},
                ) as response,
            ):
                return self._read(response)
        except (httpx2.TransportError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            raise ConnectionLost(
                failure_reason(error), connected=not isinstance(error, httpx2.ConnectError)
            ) from error

    def _read(self, response: Any) -> HttpResponse:
        body = bytearray()
        for part in response.iter_raw():  # undecoded: a small answer must not unfold into gigabytes
            body += part
            if len(body) > MAX_BYTES:
                raise ResponseTooLong
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpResponse(response.status_code, headers, bytes(body))

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
