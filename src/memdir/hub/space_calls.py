"""Answer a request from the node's copy of its space, for whoever the token belongs to."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from starlette.exceptions import HTTPException

from memdir.hub.cache import Opened, Work
from memdir.hub.calls import HubCall, HubNode, bearer
from memdir.hub.tokens import Grant
from memdir.memory import Memory

__all__ = ["opened_by", "read_space", "refuse_unsayable", "token_name", "work_of", "write_space"]

_TOKEN = "SELECT name FROM memdir.token WHERE id = %s"  # noqa: S105


def read_space(hub: HubNode, grant: Grant, call: HubCall, verb: Callable[[Memory], Any]) -> Any:
    """Return what a verb answers that changes nothing."""
    with hub.caches.of(grant.space) as cache:
        direct = partial(hub.database.direct, bearer(call.headers), grant.name, "read")
        return cache.read(opened_by(hub, grant, call, "read"), partial(_placeless, verb), direct)


def write_space(hub: HubNode, grant: Grant, call: HubCall, verb: Callable[[Memory], Any]) -> Any:
    """Do a verb, once a request, and return its answer when PostgreSQL has what it changed."""
    with hub.caches.of(grant.space) as cache:
        work = work_of(hub, grant, call)
        return cache.write(opened_by(hub, grant, call, "write"), partial(_placeless, verb), work)


def refuse_unsayable(call: HubCall) -> None:
    """Refuse text that PostgreSQL cannot keep: NUL, and halves of characters."""
    try:
        text = json.dumps(call.body, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        raise HTTPException(400, "The body holds half a character. Send whole ones.") from None
    if "\\u0000" in text:
        raise HTTPException(400, "The body holds NUL characters. Take them out.")


def opened_by(hub: HubNode, grant: Grant, call: HubCall, scope: str) -> Opened:
    """Return what opens a transaction for a token, which must still be valid then."""
    return partial(hub.database.enter_space, bearer(call.headers), grant.name, scope)


def work_of(hub: HubNode, grant: Grant, call: HubCall) -> Work:
    """Return who asks for what; a request that is named may come again."""
    key, session = call.headers.get("idempotency-key", ""), call.body.get("session")
    request = call.identity(key, "Idempotency-Key") if key else uuid4()
    shape = json.dumps([dict(call.path), call.body], sort_keys=True) if key else ""
    asked = hashlib.sha256(shape.encode()).hexdigest() if key else ""
    who = token_name(hub, grant.space, grant.token)
    return Work(request, who, session if isinstance(session, str) else "", asked, again=bool(key))


def _placeless(verb: Callable[[Memory], Any], memory: Memory) -> Any:
    """Return what a verb answers without the folder in which this node happens to keep its copy."""
    answer = verb(memory)
    text, place = json.dumps(answer), json.dumps(memory.directory)[1:-1]
    return json.loads(text.replace(f"{place}/", "").replace(place, "")) if place in text else answer


def token_name(hub: HubNode, space: UUID, token: UUID) -> str:
    """Return what a token is called: it never changes, so it is asked once."""
    if token not in hub.token_names:
        with hub.database.space(space) as session:
            row = session.connection.execute(_TOKEN, [token]).fetchone()
        hub.token_names[token] = row[0] if row else ""
    return hub.token_names[token]
