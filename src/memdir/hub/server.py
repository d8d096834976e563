"""The process of one node: its routes, the address it binds, and how it serves until it is told to stop."""

from __future__ import annotations

import signal
import socket
from asyncio import Transport, get_running_loop
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memdir.disk import files
from memdir.errors import Rejected
from memdir.hub.cache import Caches
from memdir.hub.calls import PROTOCOL, HubNode, RequestLimits, error_answer, json_answer, limit_body
from memdir.hub.database import Database
from memdir.hub.routes import space_routes
from memdir.hub.telemetry import Telemetry, log_line
from memdir.hub.viewer import viewer_routes
from memdir.viewer.guard import with_headers

__all__ = ["OPEN_ROUTES", "HubServer", "PairedTransport", "hub_routes", "node_server"]

OPEN_ROUTES = ("/healthz", "/readyz", "/metrics")
"""What is answered without a token: they say nothing about any space."""

_GRACE = 20
"""Seconds that requests have to end after the process was told to stop."""

_HEADERS = {"memdir-protocol": PROTOCOL, "cache-control": "no-store", "x-content-type-options": "nosniff"}
_FAILURE = {"error": "The hub failed. Nothing was acknowledged; try again."}


class HubServer:
    """One node on one address."""

    def __init__(self, hub: HubNode, host: str, port: int) -> None:
        """Bind the address, port 0 for any that is free."""
        self._socket = _bind(host, port)
        config = uvicorn.Config(
            _hub_app(hub),
            log_level="error",
            http=_WholeAnswers,
            access_log=False,
            lifespan="on",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_GRACE,
        )
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """Return where the node answers."""
        host, port = self._socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def serve(self) -> None:
        """Serve until SIGTERM or Ctrl+C; requests in work are answered first."""
        log_line("node started", address=self.address)
        signal.signal(signal.SIGTERM, self._stop)  # uvicorn raises it again once everything is closed
        try:
            self._server.run(sockets=[self._socket])
        except KeyboardInterrupt:  # which uvicorn raises again once it has closed everything
            pass
        finally:
            self._socket.close()
            log_line("node stopped")

    def _stop(self, *_: object) -> None:
        self._server.should_exit = True


class _WholeAnswers(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, except that the head of an answer and its body wake the client once."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(PairedTransport(transport))  # type: ignore[arg-type]


class PairedTransport:
    """A transport that sends two writes at once; one alone goes in the next round of the event loop."""

    def __init__(self, transport: Transport) -> None:
        self._transport, self._held = transport, b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Hold a first write back; a second one sends both."""
        if self._held:
            self._held += data
            self._send()
        else:
            self._held = data
            get_running_loop().call_soon(self._send)

    def close(self) -> None:
        """Send what is held, and close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._transport.write(held)


def node_server(
    database: Database, limits: RequestLimits, env: Mapping[str, str], *, copies: int, host: str, port: int
) -> HubServer:
    """Return a node that is bound to its address; this process writes nothing that has to last."""
    files.durable = False
    return HubServer(HubNode(database, limits, Telemetry(), Caches(env, most=copies)), host, port)


def hub_routes(hub: HubNode) -> list[BaseRoute]:
    """Return all routes of one node."""

    async def health(_: Request) -> Response:
        return json_answer({"ok": True})

    async def readiness(_: Request) -> Response:
        problem = await hub.in_thread(hub.database.problem)
        return json_answer({"ok": not problem, "because": problem or ""}, 503 if problem else 200)

    async def metrics(_: Request) -> Response:
        return Response(hub.telemetry.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    answers = zip(OPEN_ROUTES, (health, readiness, metrics), strict=True)
    opened = [Route(path, answer, methods=["GET"]) for path, answer in answers]
    return [*opened, *space_routes(hub), *viewer_routes(hub)]


def _hub_app(hub: HubNode) -> ASGIApp:
    """Return the application of one node: bodies are bounded, and every answer has our headers."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hub.database.open()
        yield
        await run_in_threadpool(hub.close)

    app = Starlette(
        routes=hub_routes(hub),
        lifespan=lifespan,
        exception_handlers={
            HTTPException: lambda _, error: error_answer(error),
            Exception: lambda _request, _error: json_answer(_FAILURE, 500),
        },
    )

    async def limited_app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            receive, send = limit_body(receive, hub.limits.body_bytes), with_headers(send, _HEADERS)
        await app(scope, receive, send)

    return hub.telemetry.observe(limited_app)


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)  # told to be TCP, asyncio sends answers without delay
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(1024)
    except OSError as error:
        raise Rejected(
            f"{host}:{port} cannot be used: {error.strerror}. Choose another host or port."
        ) from error
    return bound
