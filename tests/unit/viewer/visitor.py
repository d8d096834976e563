"""Somebody who asks the viewer for pages without a network: each request is handed to the application."""

import asyncio
import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from memdir.memory import Memory
from memdir.viewer.app import viewer_app
from memdir.viewer.guard import Keys

__all__ = ["Answer", "Visitor"]


class Answer:
    """What came back."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def html(self) -> str:
        return self.body.decode()

    @property
    def text(self) -> str:
        """The page without its tags, on one line."""
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.html)).split())


class Visitor:
    """A browser with the cookie of the viewer."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self.keys = Keys(4711, "a-token-for-tests")
        self.app: Any = viewer_app(opened, self.keys)

    @property
    def usual(self) -> dict[str, str]:
        """The headers of a browser that opened the first address."""
        return {"host": "127.0.0.1:4711", "cookie": f"{self.keys.cookie_name}={self.keys.cookie}"}

    def open(self, address: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.ask("GET", address, headers=headers)

    def post(self, path: str, /, **fields: str) -> Answer:
        """Send a form with its token, and follow to the page that shows what came of it."""
        form = {"form_token": self.keys.form(unquote(path)), **fields}
        answer = self.ask("POST", path, form)
        return self.open(answer.headers["location"]) if answer.status == 303 else answer

    def ask(
        self,
        method: str,
        address: str,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request as it is."""
        given = dict(self.usual if headers is None else headers)
        body = urlencode(form, errors="surrogateescape").encode() if form is not None else b""
        if form is not None:
            given.setdefault("content-type", "application/x-www-form-urlencoded")
        parts = urlsplit(address)
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "root_path": "",
            "query_string": parts.query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "server": ("127.0.0.1", 4711),
            "client": ("127.0.0.1", 1),
        }
        return asyncio.run(_answered(self.app, scope, body))


async def _answered(app: Any, scope: dict[str, Any], body: bytes) -> Answer:
    sent: list[dict[str, Any]] = []
    given = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return given.pop(0) if given else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, b"".join(part.get("body", b"") for part in sent[1:]))
