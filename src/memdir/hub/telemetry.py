"""What a node tells about itself: Prometheus metrics, and one line of JSON a request, without memory text."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Telemetry", "log_line"]

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Seconds: from one statement in PostgreSQL to an extraction by a model."""


def log_line(event: str, **about: Any) -> None:
    """Write one line of JSON to standard error."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    print(json.dumps({"at": at, "event": event, **about}), file=sys.stderr, flush=True)


class Telemetry:
    """Counts and logs the requests of one node; addresses appear as their route, never as they are."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "memdir_requests", "Requests answered", ["route", "method", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "memdir_request_seconds", "Time to answer", ["route"], buckets=_BOUNDS, registry=self._registry
        )
        self._running = Gauge("memdir_requests_running", "Requests in work", registry=self._registry)

    def text(self) -> bytes:
        """Return all metrics as Prometheus reads them."""
        return generate_latest(self._registry)

    def observe(self, app: ASGIApp) -> ASGIApp:
        """Return the application with every request counted and logged."""

        async def counting_app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            status, start = 500, time.perf_counter()

            async def note_status(message: Message) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            self._running.inc()
            try:
                await app(scope, receive, note_status)
            finally:
                self._running.dec()
                self._note(scope, status, time.perf_counter() - start)

        return counting_app

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = getattr(scope.get("route"), "path", "none"), scope["method"]
        self._requests.labels(route, method, status).inc()
        self._seconds.labels(route).observe(seconds)
        who = {name: str(value) for name, value in scope.get("memdir", {}).items()}
        about = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        log_line("request", **about, **who)
