"""The hub as a web application: all routes, the limits before them, and how it starts and ends."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from memdir.hub.admin_routes import admin_routes
from memdir.hub.calls import PROTOCOL, Endpoint, HubNode, error_answer, json_answer
from memdir.hub.limits import limit_body
from memdir.hub.mcp import mcp_routes
from memdir.hub.memory_routes import memory_routes
from memdir.hub.sync_routes import sync_routes
from memdir.hub.viewer import viewer_routes

__all__ = ["OPEN_ROUTES", "hub_app", "hub_routes"]

OPEN_ROUTES = ("/healthz", "/readyz", "/metrics")
"""What is answered without a token: they say nothing about any space."""

_ROUTES: Sequence[Callable[[HubNode], list[BaseRoute]]] = (
    sync_routes,
    memory_routes,
    mcp_routes,
    viewer_routes,
    admin_routes,
)
"""Each module with routes of its own."""

_HEADERS = (
    (b"memdir-protocol", PROTOCOL.encode()),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
)


def hub_app(hub: HubNode) -> ASGIApp:
    """Return the application of one node."""
    app = Starlette(
        routes=hub_routes(hub),
        lifespan=_lifespan(hub),
        exception_handlers={HTTPException: _refusal_answer, Exception: _failure_answer},
    )
    return hub.telemetry.observe(_limit_bodies(app, hub.limits.body_bytes))


def hub_routes(hub: HubNode) -> list[BaseRoute]:
    """Return all routes of one node."""
    answers = {"/healthz": _health, "/readyz": _readiness(hub), "/metrics": _metrics(hub)}
    return [
        *(Route(path, answers[path], methods=["GET"]) for path in OPEN_ROUTES),
        *(route for made in _ROUTES for route in made(hub)),
    ]


def _limit_bodies(app: ASGIApp, body_bytes: int) -> ASGIApp:
    """Return the application with bodies bounded, and with the headers of every answer."""

    async def limited_app(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in _HEADERS if h[0] not in given)]
            await send(message)

        is_http = scope["type"] == "http"
        await app(scope, limit_body(receive, body_bytes) if is_http else receive, with_headers)

    return limited_app


def _lifespan(hub: HubNode) -> Lifespan[Starlette]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hub.database.open()
        yield
        await run_in_threadpool(hub.close)

    return lifespan


async def _health(_: Request) -> Response:
    return json_answer({"ok": True})


def _readiness(hub: HubNode) -> Endpoint:
    async def ready(_: Request) -> Response:
        problem = await hub.in_thread(hub.database.problem)
        return json_answer({"ok": not problem, "because": problem or ""}, 503 if problem else 200)

    return ready


def _metrics(hub: HubNode) -> Endpoint:
    async def metrics(_: Request) -> Response:
        return Response(hub.telemetry.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return metrics


def _refusal_answer(_: Request, error: Exception) -> Response:
    return error_answer(error)


def _failure_answer(_: Request, error: Exception) -> Response:
    del error
    return json_answer({"error": "The hub failed. Nothing was acknowledged; try again."}, 500)
