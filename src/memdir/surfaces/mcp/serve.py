"""Runs the server for a host: over its standard streams, or over HTTP on this machine alone."""

import hmac
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdir.errors import MissingExtra, Rejected
from memdir.memory import Memory

if TYPE_CHECKING:  # the protocol's own package is an extra, and takes its time
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["LOOPBACK", "Door", "door_at", "serve_http", "serve_stdio"]

LOOPBACK = "127.0.0.1"

_LEAST_TOKEN = 16
"""Characters of a token that cannot be guessed in the time a server runs."""


def serve_stdio(opened: Callable[[], Memory], version: str = "") -> None:
    """Serve until the host closes our standard input."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else an interrupt would wait for the host's next line
    _server(opened, version).run("stdio")


class Door:
    """A bound port on this machine and the token that opens it."""

    def __init__(self, bound: socket.socket, token: str) -> None:
        """Keep both."""
        self.socket, self.token = bound, token
        self.port: int = bound.getsockname()[1]

    @property
    def address(self) -> str:
        """Return where the server is reached."""
        return f"http://{LOOPBACK}:{self.port}/mcp"


def door_at(port: int, token: str = "") -> Door:
    """Bind a port of this machine, 0 for any that is free; without a token one is made."""
    if token and (
        len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token
    ):
        raise Rejected(
            f"MEMDIR_MCP_TOKEN needs at least {_LEAST_TOKEN} plain characters without spaces. Set another, "
            "or unset it: one is made then."
        )
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((LOOPBACK, port))
        bound.listen()  # who connects from now on waits until the server is up
    except OSError as error:
        bound.close()
        raise Rejected(f"Port {port} cannot be used: {error.strerror}. Choose another, or 0.") from error
    from secrets import token_urlsafe

    return Door(bound, token or token_urlsafe(32))


def serve_http(opened: Callable[[], Memory], door: Door, version: str = "") -> None:
    """Serve behind a door until the process is told to stop."""
    server = _server(opened, version)
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    names = [f"{LOOPBACK}:{door.port}", f"localhost:{door.port}"]
    app = server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        # A page in a browser may reach this port under a name of its own: only ours are answered.
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )
    config = uvicorn.Config(_guarded(app, door.token), log_level="error", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[door.socket])


def _server(opened: Callable[[], Memory], version: str) -> "MCPServer":
    try:
        from memdir.surfaces.mcp.server import server_for
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types"}:
            raise
        raise MissingExtra(
            "The MCP server needs the package mcp, which is not installed. Install it with: "
            "pip install 'memdir[mcp]'"
        ) from error
    return server_for(opened, version)


def _guarded(app: "ASGIApp", token: str) -> "ASGIApp":
    """Return the app behind the token: without it nothing is answered, whatever the path."""
    expected = f"Bearer {token}".encode()

    async def guarded(scope: "Scope", receive: "Receive", send: "Send") -> None:
        given = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, expected):
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"Send the token of this server as a bearer token.\n"}
        )

    return guarded
