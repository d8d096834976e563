"""MCP over HTTP on this machine alone: the streamable transport without sessions, one answer a request."""

from __future__ import annotations

import hmac
import json
import re
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from typing import Any

from memdir.errors import Rejected
from memdir.loopback import LOOPBACK, bind_loopback
from memdir.mcp.server import VERSIONS, McpServer, ProtocolError, failure, parse_message

__all__ = ["HttpServer"]

_PATH = "/mcp"

_MIN_TOKEN = 16
"""Characters of a token that cannot be guessed in the time a server runs."""

_MAX_BODY = 4 << 20
_IDLE_SECONDS = 60
"""How long a connection may say nothing before it is closed."""


class HttpServer(ThreadingHTTPServer):
    """A port of this machine, the token that callers must send, and the server that answers them."""

    daemon_threads = True

    def __init__(self, mcp: McpServer, port: int, token: str = "") -> None:
        """Bind a port of this machine, 0 for any that is free; without a token one is made."""
        if token and (len(token) < _MIN_TOKEN or not re.fullmatch("[!-~]+", token)):
            raise Rejected(
                f"MEMDIR_MCP_TOKEN needs at least {_MIN_TOKEN} plain characters without spaces. Set another, "
                "or unset it: one is made then."
            )
        self.mcp, self.token = mcp, token or token_urlsafe(32)
        super().__init__((LOOPBACK, port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = bind_loopback(port)
        self.port: int = self.socket.getsockname()[1]
        self.address = f"http://{LOOPBACK}:{self.port}{_PATH}"

    def serve(self) -> None:
        """Serve until the process is told to stop."""
        with self:
            self.serve_forever(poll_interval=0.2)


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection: who may ask is decided before anything is read."""

    server: HttpServer
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS

    def do_POST(self) -> None:
        """Answer one message."""
        if not self._may_ask() or (data := self._body()) is None:
            return
        try:
            message = parse_message(data)
        except ProtocolError as error:
            self._send(HTTPStatus.BAD_REQUEST, failure(None, error))
            return
        reply = self.server.mcp.reply(message)
        self._send(HTTPStatus.ACCEPTED if reply is None else HTTPStatus.OK, reply)

    def do_GET(self) -> None:
        """Say that there is no stream to listen to."""
        if self._may_ask():
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "Send messages with POST.", Allow="POST")

    do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = do_GET  # noqa: N815

    def _may_ask(self) -> bool:
        """Refuse other names of this machine, pages of other origins, and who does not have the token."""
        names = {f"{name}:{self.server.port}" for name in (LOOPBACK, "localhost")}
        origin, given = self.headers.get("Origin"), self.headers.get("Authorization", "")
        (scheme, _, token), own = given.partition(" "), self.server.token.encode()
        if self.headers.get("Host") not in names:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, f"Ask for {LOOPBACK}:{self.server.port}.")
        elif origin is not None and origin not in {f"http://{name}" for name in names}:
            self._refuse(HTTPStatus.FORBIDDEN, "Pages of other origins are not answered.")
        elif self.path.startswith("/.well-known/"):
            sentence = "There is no such page: the token is not given out by a server."
            self._refuse(HTTPStatus.NOT_FOUND, sentence)
        elif scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), own):
            wants = {"WWW-Authenticate": "Bearer"}
            self._refuse(HTTPStatus.UNAUTHORIZED, "Send the token of this server as a bearer token.", **wants)
        elif self.path.partition("?")[0].rstrip("/") != _PATH:
            self._refuse(HTTPStatus.NOT_FOUND, f"Messages are taken at {_PATH}.")
        elif self.headers.get("MCP-Protocol-Version", VERSIONS[0]) not in VERSIONS:
            self._refuse(HTTPStatus.BAD_REQUEST, f"Spoken are the versions {', '.join(VERSIONS)}.")
        else:
            return True
        return False

    def _body(self) -> bytes | None:
        """Return what was sent; None when it was refused."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "Send a message with its Content-Length.")
        elif int(length) > _MAX_BODY:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A message has at most {_MAX_BODY:,} bytes.")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send application/json.")
        else:
            return self.rfile.read(int(length))
        return None

    def _send(self, status: HTTPStatus, message: dict[str, Any] | None) -> None:
        data = b"" if message is None else json.dumps(message).encode()
        self._answer(status, data, "application/json")

    def _refuse(self, status: HTTPStatus, sentence: str, **headers: str) -> None:
        """Say no; what was sent is not read, so the connection ends."""
        self.close_connection = True
        self._answer(status, sentence.encode() + b"\n", "text/plain", Connection="close", **headers)

    def _answer(self, status: HTTPStatus, data: bytes, kind: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Log nothing: messages hold what people said."""
