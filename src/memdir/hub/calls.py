"""One request to the hub: its token, its body, the copy of its space that answers it, and its errors."""

import hashlib
import json
from asyncio import get_running_loop
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from memdir.errors import MemdirError, RemoteError
from memdir.hub.cache import Opened, Work
from memdir.hub.caches import Caches
from memdir.hub.database import Database
from memdir.hub.limits import Gate, RequestLimits
from memdir.hub.spaces import Denied, Grant, Moved, PublishRefused, SpaceSession, secret_hash
from memdir.hub.telemetry import Telemetry
from memdir.memory import Memory
from memdir.text.value import value_class

__all__ = [
    "PROTOCOL",
    "Endpoint",
    "HubCall",
    "HubNode",
    "error_answer",
    "grant_endpoint",
    "json_answer",
    "json_text",
    "opened_by",
    "read_space",
    "refuse_unsayable",
    "space_endpoint",
    "token_name",
    "work_of",
    "write_space",
]

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

PROTOCOL = "1"

_Done = TypeVar("_Done")

_THREADS = 40
"""Requests that one node works on at the same time; the others wait their turn."""

_TOKEN = "SELECT name FROM memdir.token WHERE id = %s"  # noqa: S105

_MOST_GRANTS = 20_000
"""Tokens whose space is remembered."""


class HubNode:
    """What the routes of one node share."""

    def __init__(
        self, database: Database, limits: RequestLimits, telemetry: Telemetry, caches: Caches
    ) -> None:
        self.database, self.limits, self.telemetry, self.caches = database, limits, telemetry, caches
        self.gate = Gate(limits)
        self.token_names: dict[UUID, str] = {}
        self.grants: dict[tuple[bytes, str | None, str], Grant] = {}
        """Which space a token is of; what it may do is checked where the space is opened."""
        self._threads = ThreadPoolExecutor(_THREADS, "memdir-hub")

    async def in_thread(self, work: Callable[..., _Done], *arguments: Any) -> _Done:
        """Do work that waits in a thread of its own."""
        return await get_running_loop().run_in_executor(self._threads, work, *arguments)

    def close(self) -> None:
        """End the threads, close the database and remove the copies."""
        self._threads.shutdown()
        self.database.close()
        self.caches.close()


@value_class(frozen=True, slots=True)
class HubCall:
    """One request as an answer needs it."""

    path: Mapping[str, Any]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: dict[str, Any]
    """The JSON of a POST; empty otherwise."""

    def number(self, name: str, usual: int, most: int) -> int:
        """Return a number of the query, from 0 to a limit."""
        text = self.query.get(name, "")
        if not text:
            return usual
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise HTTPException(400, f"{name} must be a whole number.")
        return min(int(text), most)

    def identity(self, value: Any, name: str) -> UUID:
        """Return a value as the UUID that it must be."""
        try:
            return UUID(value)
        except (ValueError, AttributeError, TypeError):
            raise HTTPException(400, f"{name} must be a UUID.") from None


def space_endpoint(hub: HubNode, scope: str, answer: Callable[[SpaceSession, HubCall], Any]) -> Endpoint:
    """Return an endpoint that answers from the token's space, each call to it in a transaction of its own."""

    def answer_call(secret: str, call: HubCall, note: dict[str, Any]) -> Any:
        with hub.database.direct(secret, call.path.get("space"), scope) as session:
            try:
                return answer(session, call)
            finally:
                note |= {"space": session.space, "token": session.token}

    return _endpoint(hub, answer_call)


def grant_endpoint(hub: HubNode, scope: str, answer: Callable[[Grant, HubCall], Any]) -> Endpoint:
    """Return an endpoint that opens the space itself, knowing which one the token is of.

    A token that was valid once is not looked up again before that. An error, too, is told only to those who
    may ask at that moment.
    """

    def answer_call(secret: str, call: HubCall, note: dict[str, Any]) -> Any:
        asked = (secret, call.path.get("space"), scope)
        key = (secret_hash(secret), *asked[1:])
        known = hub.grants.get(key)
        grant = known or hub.database.check(*asked)
        note |= {"space": grant.space, "token": grant.token}
        if len(hub.grants) >= _MOST_GRANTS:
            hub.grants.clear()
        hub.grants[key] = grant
        try:
            return answer(grant, call)
        except (MemdirError, HTTPException) as error:
            hub.grants.pop(key, None)
            if known and not isinstance(error, Denied | RemoteError):
                hub.database.check(*asked)
            raise

    return _endpoint(hub, answer_call)


def _bearer(headers: Mapping[str, str]) -> str:
    """Return the token of a request that speaks our protocol; `Denied` where there is none."""
    kind, _, secret = headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret.strip():
        raise Denied(401, "Send a token: Authorization: Bearer TOKEN.")
    if headers.get("memdir-protocol", PROTOCOL) != PROTOCOL:
        raise HTTPException(400, f"This hub speaks protocol {PROTOCOL}. Upgrade the older side.")
    return secret.strip()


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, dict(headers or {}), "application/json")


def json_text(text: str) -> Response:
    """Return an answer whose JSON the database made."""
    return Response(text, media_type="application/json")


def error_answer(error: Exception) -> Response:
    """Return what an error is in HTTP, with a sentence that says what to do."""
    if isinstance(error, HTTPException):
        return json_answer({"error": error.detail}, error.status_code, error.headers)
    said: dict[str, Any] = {"error": str(error)}
    match error:
        case Denied(status=status):
            return json_answer(said, status, {"WWW-Authenticate": "Bearer"} if status == 401 else {})
        case Moved():
            return json_answer(said | {"moved": error.files}, 409)
        case PublishRefused():
            return json_answer(said | {"refused": error.files}, 422)
        case RemoteError():
            return json_answer(said, 503, {"Retry-After": "1"})
    return json_answer(said, 422)


def read_space(hub: HubNode, grant: Grant, call: HubCall, verb: Callable[[Memory], Any]) -> Any:
    """Return what a verb answers that changes nothing."""
    with hub.caches.of(grant.space) as cache:
        direct = partial(hub.database.direct, _bearer(call.headers), grant.name, "read")
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
    return partial(hub.database.enter_space, _bearer(call.headers), grant.name, scope)


def work_of(hub: HubNode, grant: Grant, call: HubCall) -> Work:
    """Return who asks for what; a request that is named may come again."""
    key, session = call.headers.get("idempotency-key", ""), call.body.get("session")
    named = session if isinstance(session, str) else ""
    who = token_name(hub, grant.space, grant.token)
    if not key:
        return Work(uuid4(), who, named, again=False)
    shape = json.dumps([dict(call.path), call.body], sort_keys=True)
    asked = hashlib.sha256(shape.encode()).hexdigest()
    return Work(call.identity(key, "Idempotency-Key"), who, named, asked)


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


def _endpoint(hub: HubNode, answered: Callable[[str, HubCall, dict[str, Any]], Any]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        note: dict[str, Any] = request.scope.setdefault("memdir", {})
        try:
            secret = _bearer(request.headers)
            with hub.gate.admit(secret.encode("latin-1", "replace")):
                call = HubCall(
                    request.path_params, request.query_params, request.headers, await _body(request)
                )
                answer = await hub.in_thread(answered, secret, call, note)
        except (MemdirError, HTTPException) as error:
            return error_answer(error)
        return answer if isinstance(answer, Response) else json_answer(answer)

    return endpoint


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request that has one."""
    if request.method not in ("POST", "PUT", "PATCH"):
        return {}
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Send JSON: Content-Type: application/json.")
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "The body is not JSON.") from None
    if not isinstance(body, dict):
        raise HTTPException(400, "The body must be a JSON object.")
    return body
