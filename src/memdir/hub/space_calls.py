"""Answer a request from the node's copy of its space, for whoever the token belongs to."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

from memdir.hub.cache import Opened, Work
from memdir.hub.calls import Call, Hub, bearer
from memdir.hub.tokens import Grant
from memdir.memory import Memory

__all__ = ["opened_by", "read_space", "token_name", "work_of", "write_space"]

T = TypeVar("T")

_TOKEN = "SELECT name FROM memdir.token WHERE id = %s"  # noqa: S105


def read_space(hub: Hub, grant: Grant, call: Call, verb: Callable[[Memory], T]) -> T:
    """Return what a verb answers that changes nothing."""
    with hub.caches.of(grant.space) as cache:
        return cache.read(opened_by(hub, grant, call, "read"), verb)


def write_space(hub: Hub, grant: Grant, call: Call, verb: Callable[[Memory], Any]) -> Any:
    """Do a verb, once a request, and return its answer when PostgreSQL has what it changed."""
    with hub.caches.of(grant.space) as cache:
        return cache.write(opened_by(hub, grant, call, "write"), verb, work_of(hub, grant, call))


def opened_by(hub: Hub, grant: Grant, call: Call, scope: str) -> Opened:
    """Return what opens a transaction for a token, which must still be valid then."""
    return partial(hub.database.entered, bearer(call.headers), grant.name, scope)


def work_of(hub: Hub, grant: Grant, call: Call) -> Work:
    """Return who asks for what; a request that is named may come again."""
    key, session = call.headers.get("idempotency-key", ""), call.body.get("session")
    request = call.identity(key, "Idempotency-Key") if key else uuid4()
    asked = hashlib.sha256(json.dumps([dict(call.path), call.body], sort_keys=True).encode()).hexdigest()
    who = token_name(hub, grant)
    return Work(request, who, session if isinstance(session, str) else "", asked, again=bool(key))


def token_name(hub: Hub, grant: Grant) -> str:
    """Return what a token is called: it never changes, so it is asked once."""
    if grant.token not in hub.token_names:
        with hub.database.space(grant.space) as session:
            row = session.connection.execute(_TOKEN, [grant.token]).fetchone()
        hub.token_names[grant.token] = row[0] if row else ""
    return hub.token_names[grant.token]
