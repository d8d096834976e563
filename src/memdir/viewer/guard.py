"""Who may ask the viewer: this machine, by its own name, with the token of the first address or a cookie."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from secrets import token_urlsafe

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memdir.loopback import LOOPBACK
from memdir.text.value import value_class

__all__ = ["PAGE_HEADERS", "Guard", "Keys", "cookie_in", "with_headers"]

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with none at all, browsers send forms with the origin "null"
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""With every answer: no code but ours, no frame, nothing kept on disk by a browser."""


@value_class(frozen=True, slots=True)
class Keys:
    """The secrets of one run, all from one random number."""

    port: int
    token: str

    @classmethod
    def create(cls, port: int) -> Keys:
        """Make a token that nobody can guess."""
        return cls(port, token_urlsafe(32))

    @property
    def address(self) -> str:
        """Return the first address, which carries the token."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names under which this machine may be asked."""
        return tuple([f"{name}:{self.port}" for name in (LOOPBACK, "localhost")])

    @property
    def cookie_name(self) -> str:
        """Return the name of the cookie: two viewers on one machine have one each."""
        return f"memdir-{self.port}"

    @property
    def cookie(self) -> str:
        """Return what a browser sends back that opened the first address."""
        return self._derive("cookie")

    @property
    def ticket(self) -> str:
        """Return what opens the viewer once: other users can read it in the arguments of a browser."""
        return self._derive("ticket")

    @property
    def launch_address(self) -> str:
        """Return the address that a browser is started with; it works once."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.ticket}"

    def form(self, path: str) -> str:
        """Return the token of the forms that are sent to one path."""
        return self._derive(f"form {path}")

    def _derive(self, use: str) -> str:
        return hmac.new(self.token.encode(), use.encode(), hashlib.sha256).hexdigest()


class Guard:
    """Refuses a request before any page sees it, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys, self._tickets = app, keys, [keys.ticket]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":  # the server closes what asks for anything else
            answer = self._refusal(Request(scope)) or self._app
            await answer(scope, receive, with_headers(send, PAGE_HEADERS))

    def _refusal(self, request: Request) -> Response | None:
        """Return what to answer instead of a page; None when the request may go on."""
        keys, headers, origin = self._keys, request.headers, request.headers.get("origin")
        if headers.get("host") not in keys.names:
            return PlainTextResponse(f"Ask for {LOOPBACK}:{keys.port}.\n", 403)
        if origin is not None and origin not in [f"http://{name}" for name in keys.names]:
            return PlainTextResponse("Pages of other origins are not answered.\n", 403)
        token = request.query_params.get("token", "")
        if request.scope["path"] == "/" and (
            _equal_in_constant_time(token, keys.token) or self._takes(token)
        ):
            welcome = RedirectResponse("/", 303)
            welcome.set_cookie(keys.cookie_name, keys.cookie, httponly=True, samesite="strict")
            return welcome
        if not _equal_in_constant_time(cookie_in(headers.get("cookie", ""), keys.cookie_name), keys.cookie):
            return PlainTextResponse("Open the address that `memdir ui` printed in your terminal.\n", 401)
        return None

    def _takes(self, token: str) -> bool:
        """Tell whether this is the ticket, which is worth nothing afterwards."""
        if not (self._tickets and _equal_in_constant_time(token, self._tickets[0])):
            return False
        self._tickets.clear()
        return True


def with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    """Return what sends an answer with these headers, where it has not got them."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = MutableHeaders(scope=message)
            for name, value in headers.items():
                given.setdefault(name, value)
        await send(message)

    return send_with_headers


def cookie_in(header: str, name: str) -> str:
    """Return a cookie by its name; empty when it was not sent."""
    pairs = [pair.strip().partition("=") for pair in header.split(";")]
    return next((value for key, _, value in pairs if key == name), "")


def _equal_in_constant_time(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
