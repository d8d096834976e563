"""One request to the hub: its limits, token and body, the copy of its space that answers it, its errors."""

from __future__ import annotations

import hashlib
import json
import time
from asyncio import get_running_loop
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive

from memdir.errors import MemdirError, RemoteError
from memdir.hub.cache import Caches, Opened, Work
from memdir.hub.database import Database
from memdir.hub.spaces import Denied, Grant, Moved, PublishRefused, SpaceSession, secret_hash
from memdir.hub.telemetry import Telemetry
from memdir.memory import Memory
from memdir.text.value import value_class

__all__ = [
    "PROTOCOL",
    "Gate",
    "GrantedCall",
    "HubCall",
    "HubNode",
    "RequestLimits",
    "error_answer",
    "grant_endpoint",
    "json_answer",
    "json_text",
    "limit_body",
    "space_endpoint",
]

_Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

PROTOCOL = "1"

_Done = TypeVar("_Done")

_THREADS = 40
"""Requests that one node works on at the same time; the others wait their turn."""

_MOST_TOKENS = 20_000
"""Tokens whose use and whose space are remembered."""


@value_class(frozen=True, slots=True)
class RequestLimits:
    """The limits of one node."""

    rate: int = 500
    """Requests a second that one token may send; after a pause, twice as many at once."""
    at_once: int = 64
    """Requests of one token that are answered at the same time."""
    body_bytes: int = 6 << 20
    """Bytes of one request: more than the largest publishing takes."""


@dataclass(slots=True)
class _Use:
    """What one token has left."""

    left: float
    at: float
    running: int = 0


class Gate:
    """Counts the requests of each token; all of it happens in the one thread of the event loop."""

    def __init__(self, limits: RequestLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._uses: OrderedDict[bytes, _Use] = OrderedDict()

    @contextmanager
    def admit(self, key: bytes) -> Iterator[None]:
        """Let one request of a token in, or raise 429 with the time to wait."""
        use, rate = self._use(key), self._limits.rate
        if use.left < 1:
            raise _too_many(f"more than {rate} requests a second", int((1 - use.left) / rate) + 1)
        if use.running >= self._limits.at_once:
            raise _too_many(f"more than {self._limits.at_once} requests at once", 1)
        use.left -= 1
        use.running += 1
        try:
            yield
        finally:
            use.running -= 1

    def _use(self, key: bytes) -> _Use:
        """Return what a token has left now."""
        now, most = self._clock(), self._limits.rate * 2
        use = self._uses.setdefault(key, _Use(most, now))
        self._uses.move_to_end(key)
        use.left, use.at = min(most, use.left + (now - use.at) * self._limits.rate), now
        while len(self._uses) > _MOST_TOKENS and not next(iter(self._uses.values())).running:
            self._uses.popitem(last=False)
        return use


class HubNode:
    """What the routes of one node share."""

    def __init__(
        self, database: Database, limits: RequestLimits, telemetry: Telemetry, caches: Caches
    ) -> None:
        self.database, self.limits, self.telemetry, self.caches = database, limits, telemetry, caches
        self.gate = Gate(limits)
        self._token_names: dict[UUID, str] = {}
        self.grants: dict[tuple[bytes, str | None, str], Grant] = {}
        """Which space a token is of; what it may do is checked where the space is opened."""
        self._threads = ThreadPoolExecutor(_THREADS, "memdir-hub")

    async def in_thread(self, work: Callable[..., _Done], *arguments: Any) -> _Done:
        """Do work that waits in a thread of its own."""
        return await get_running_loop().run_in_executor(self._threads, work, *arguments)

    def token_name(self, space: UUID, token: UUID) -> str:
        """Return what a token is called: it never changes, so it is asked once."""
        if token not in self._token_names:
            query = "SELECT name FROM memdir.token WHERE id = %s"
            with self.database.space(space) as session:
                row = session.connection.execute(query, [token]).fetchone()
            self._token_names[token] = row[0] if row else ""
        return self._token_names[token]

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

    def items(self, name: str, most: int, what: str, is_right: Callable[[Any], bool]) -> list[Any]:
        """Return a list of the body; refuse one that is too long or has an item that is not valid."""
        found = self.body.get(name)
        if not (isinstance(found, list) and len(found) <= most and all(map(is_right, found))):
            raise HTTPException(400, f"{name} must be a list of at most {most} {what}.")
        return found

    def identity(self, value: Any, name: str) -> UUID:
        """Return a value as the UUID that it must be."""
        try:
            return UUID(value)
        except (ValueError, AttributeError, TypeError):
            raise HTTPException(400, f"{name} must be a UUID.") from None

    def refuse_unstorable_text(self) -> None:
        """Refuse text that PostgreSQL cannot keep: NUL, and halves of characters."""
        try:
            text = json.dumps(self.body, ensure_ascii=False)
            text.encode()
        except UnicodeEncodeError:
            raise HTTPException(400, "The body holds half a character. Send whole ones.") from None
        if "\\u0000" in text:
            raise HTTPException(400, "The body holds NUL characters. Take them out.")


@value_class(frozen=True, slots=True)
class GrantedCall:
    """One request whose token is of a known space: what it may do is checked where the space is opened."""

    hub: HubNode
    secret: str
    grant: Grant
    call: HubCall

    def opener(self, scope: str) -> Opened:
        """Return what opens a transaction for the token, which must still be valid then."""
        return partial(self.hub.database.enter_space, self.secret, self.grant.name, scope)

    def work(self) -> Work:
        """Return who asks for what; a request with a key may be a repetition."""
        call, key = self.call, self.call.headers.get("idempotency-key", "")
        session = call.body.get("session")
        named = session if isinstance(session, str) else ""
        who = self.hub.token_name(self.grant.space, self.grant.token)
        if not key:
            return Work(uuid4(), who, named, again=False)
        shape = json.dumps([dict(call.path), call.body], sort_keys=True)
        asked = hashlib.sha256(shape.encode()).hexdigest()
        return Work(call.identity(key, "Idempotency-Key"), who, named, asked)

    def read(self, verb: Callable[[Memory], Any]) -> Any:
        """Return the answer of a verb that changes nothing."""
        with self.hub.caches.of(self.grant.space) as cache:
            direct = partial(self.hub.database.direct, self.secret, self.grant.name, "read")
            return cache.read(self.opener("read"), partial(_without_folder, verb), direct)

    def write(self, verb: Callable[[Memory], Any]) -> Any:
        """Do a verb once for a request; return its answer when PostgreSQL has its changes."""
        with self.hub.caches.of(self.grant.space) as cache:
            return cache.write(self.opener("write"), partial(_without_folder, verb), self.work())


def space_endpoint(hub: HubNode, scope: str, answer: Callable[[SpaceSession, HubCall], Any]) -> _Endpoint:
    """Return an endpoint that answers from the token's space, each call to it in a transaction of its own."""

    def answer_call(secret: str, call: HubCall, note: dict[str, Any]) -> Any:
        with hub.database.direct(secret, call.path.get("space"), scope) as session:
            try:
                return answer(session, call)
            finally:
                note |= {"space": session.space, "token": session.token}

    return _endpoint(hub, answer_call)


def grant_endpoint(hub: HubNode, scope: str, answer: Callable[[GrantedCall], Any]) -> _Endpoint:
    """Return an endpoint that opens the space itself, knowing which one the token is of.

    A token that was valid once is not looked up again before that. An error, too, is shown only to those who
    may ask at that moment.
    """

    def answer_call(secret: str, call: HubCall, note: dict[str, Any]) -> Any:
        name = call.path.get("space")
        key = secret_hash(secret), name, scope
        known = hub.grants.get(key)
        grant = known or hub.database.check(secret, name, scope)
        note |= {"space": grant.space, "token": grant.token}
        if len(hub.grants) >= _MOST_TOKENS:
            hub.grants.clear()
        hub.grants[key] = grant
        try:
            return answer(GrantedCall(hub, secret, grant, call))
        except (MemdirError, HTTPException) as error:
            hub.grants.pop(key, None)
            if known and not isinstance(error, Denied | RemoteError):
                hub.database.check(secret, name, scope)
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
    """Return the HTTP answer for an error, with a sentence that says what to do."""
    if isinstance(error, HTTPException):
        return json_answer({"error": error.detail}, error.status_code, error.headers)
    body: dict[str, Any] = {"error": str(error)}
    match error:
        case Denied(status=status):
            return json_answer(body, status, {"WWW-Authenticate": "Bearer"} if status == 401 else {})
        case Moved():
            return json_answer(body | {"moved": error.files}, 409)
        case PublishRefused():
            return json_answer(body | {"refused": error.files}, 422)
        case RemoteError():
            return json_answer(body, 503, {"Retry-After": "1"})
    return json_answer(body, 422)


def _without_folder(verb: Callable[[Memory], Any], memory: Memory) -> Any:
    """Return an answer without the path of the folder in which this node keeps its copy."""
    answer = verb(memory)
    text, place = json.dumps(answer), json.dumps(memory.directory)[1:-1]
    return json.loads(text.replace(f"{place}/", "").replace(place, "")) if place in text else answer


def _endpoint(hub: HubNode, answer_call: Callable[[str, HubCall, dict[str, Any]], Any]) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        note: dict[str, Any] = request.scope.setdefault("memdir", {})
        try:
            secret = _bearer(request.headers)
            with hub.gate.admit(secret.encode("latin-1", "replace")):
                about = request.path_params, request.query_params, request.headers
                call = HubCall(*about, await _body(request))
                answer = await hub.in_thread(answer_call, secret, call, note)
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


def limit_body(receive: Receive, most: int) -> Receive:
    """Return what reads a request and refuses it with 413 where its body is over a limit."""
    size = 0

    async def receive_counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(413, f"A request may have {most:,} bytes. Send less at a time.")
        return message

    return receive_counting


def _too_many(what: str, seconds: int) -> HTTPException:
    message = f"This token asks {what} of this node. Wait, then go on."
    return HTTPException(429, message, headers={"Retry-After": str(seconds)})
