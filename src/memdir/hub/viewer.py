"""The viewer on a space: a token is exchanged for a cookie, and the pages show the node's copy.

The cookie is known to all nodes and ends with the token. It goes to the pages of its space alone, is sent by
no page of others, and no address carries it or a token.
"""

from __future__ import annotations

import hashlib
import hmac
from contextvars import ContextVar
from functools import partial
from secrets import token_urlsafe
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message

from memdir.errors import MemdirError
from memdir.hub.cache import Opened, SpaceCache
from memdir.hub.calls import HubNode, error_answer
from memdir.hub.space_memory import OPEN_LOG
from memdir.hub.spaces import ENTER_BY_COOKIE, Denied, secret_hash
from memdir.text.value import value_class
from memdir.viewer.app import pages_app, static_file
from memdir.viewer.guard import PAGE_HEADERS, cookie_in
from memdir.viewer.page import Site, sign_in_page

__all__ = ["viewer_routes"]

_COOKIE = "memdir"

_PATHS = ("/", "/memory/{file:path}", "/ask", "/timeline", "/undo", "/inbox", "/help")
"""The pages that are about a space; the others are about a machine or a project."""

_SIGN_IN = "INSERT INTO memdir.sign_in (space, hash, token) VALUES (memdir.current_space(), %s, %s)"
_SIGN_OUT = "DELETE FROM memdir.sign_in WHERE hash = %s OR expires_at < now()"

_present: ContextVar[str] = ContextVar("present", default="")
"""The cookie of the request that is being answered: the tokens of its forms come from it."""


@value_class(frozen=True, slots=True)
class _Visit:
    """One request of a browser."""

    request: Request
    space: str
    path: str
    """Below the pages of the space, with a slash before it."""

    @property
    def root(self) -> str:
        return f"/ui/{self.space}"

    @property
    def cookie(self) -> str:
        return cookie_in(self.request.headers.get("cookie", ""), _COOKIE)

    @property
    def changes(self) -> bool:
        return self.request.method == "POST"

    @property
    def is_own(self) -> bool:
        """Whether it comes from a page of this hub, as its browser says."""
        origin = self.request.headers.get("origin", "")
        return urlsplit(origin).netloc == self.request.headers.get("host") and "://" in origin

    def asks_for_token(self, trouble: str = "") -> Response:
        return sign_in_page(self.root, f"Memories of {self.space}", trouble)


def viewer_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the pages of all spaces."""

    async def endpoint(request: Request) -> Response:
        visit = _Visit(request, request.path_params["space"], f"/{request.path_params['path']}")
        try:
            answer = await _answer(hub, visit)
        except (MemdirError, HTTPException) as error:
            answer = error_answer(error)
        for name, value in PAGE_HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer

    return [Route("/ui/{space}/{path:path}", endpoint, methods=["GET", "POST"])]


async def _answer(hub: HubNode, visit: _Visit) -> Response:
    if visit.path.startswith("/static/") and not visit.changes:
        return static_file(visit.path.removeprefix("/static/"))
    if visit.changes and not visit.is_own:
        raise HTTPException(403, "This form did not come from a page of this hub. Reload the page.")
    if visit.changes and visit.path == "/sign-in":
        return await _sign_in(hub, visit)
    if not visit.cookie:
        return visit.asks_for_token()
    with hub.gate.admit(visit.cookie.encode("latin-1", "replace")):
        if visit.changes and visit.path == "/sign-out":
            return await _sign_out(hub, visit)
        return await _page(hub, visit)


async def _sign_in(hub: HubNode, visit: _Visit) -> Response:
    """Exchange the token of the form for a cookie."""
    form = parse_qs((await visit.request.body()).decode("ascii", "replace"), max_num_fields=5)
    secret, cookie = form.get("token", [""])[0].strip(), token_urlsafe(32)

    def sign_in() -> None:
        with hub.database.enter_space(secret, visit.space, "read") as session:
            session.connection.execute(_SIGN_OUT, [b""])
            session.connection.execute(_SIGN_IN, [secret_hash(cookie), session.token])

    try:
        await hub.in_thread(sign_in)
    except Denied:
        return visit.asks_for_token("This token does not open this space. It may be expired or revoked.")
    welcome, safe = RedirectResponse(path := f"{visit.root}/", 303), visit.request.url.scheme == "https"
    welcome.set_cookie(_COOKIE, cookie, path=path, secure=safe, httponly=True, samesite="strict")
    return welcome


async def _sign_out(hub: HubNode, visit: _Visit) -> Response:
    def sign_out() -> None:
        with _entry(hub, visit, "read")() as session:
            session.connection.execute(_SIGN_OUT, [secret_hash(visit.cookie)])

    await hub.in_thread(sign_out)
    gone = RedirectResponse(f"{visit.root}/", 303)
    gone.delete_cookie(_COOKIE, path=f"{visit.root}/")
    return gone


async def _page(hub: HubNode, visit: _Visit) -> Response:
    """Let the pages of the space answer, if the browser may ask for that."""
    reading, writing = _entry(hub, visit, "read"), _entry(hub, visit, "write")
    try:
        space, token = await hub.in_thread(_enter, writing if visit.changes else reading)
    except Denied as denied:
        if denied.status == 403:
            raise
        return visit.asks_for_token()
    visit.request.scope.setdefault("memdir", {}).update(space=space, token=token)
    who = await hub.in_thread(hub.token_name, space, token)
    copies = hub.caches.of(space)
    cache = await hub.in_thread(copies.__enter__)
    try:
        await hub.in_thread(cache.read, reading, lambda _: None)
        cache.pages = cache.pages or await hub.in_thread(_pages, cache, visit.space, visit.root)
        past, present = OPEN_LOG.set(reading), _present.set(visit.cookie)
        try:
            with cache.each_change(writing, who):  # each is published before it is shown
                answer = await _call_pages(cache.pages, visit)
        finally:
            OPEN_LOG.reset(past)
            _present.reset(present)
        if visit.changes:
            await hub.in_thread(cache.store_records, writing, who)
        return answer
    finally:
        await hub.in_thread(copies.__exit__, None, None, None)


def _entry(hub: HubNode, visit: _Visit, scope: str) -> Opened:
    """Return what opens a transaction for the browser of a visit."""
    return partial(hub.database.enter_space, visit.cookie, visit.space, scope, entry=ENTER_BY_COOKIE)


def _enter(opened: Opened) -> tuple[UUID, UUID]:
    with opened() as session:
        if session.token is None:
            raise Denied(401, "Sign in again.")
        return session.space, session.token


def _pages(cache: SpaceCache, space: str, root: str) -> ASGIApp:
    def form_token(path: str) -> str:
        key = _present.get().encode()
        return hmac.new(key, path.removeprefix(root).encode(), hashlib.sha256).hexdigest()

    return pages_app(lambda: cache.memory, Site(form_token, root, f"The space {space}", _PATHS))


async def _call_pages(pages: ASGIApp, visit: _Visit) -> Response:
    """Ask the pages, which know nothing of what is above them, and return their whole answer."""
    scope = {**visit.request.scope, "path": visit.path, "raw_path": visit.path.encode(), "root_path": ""}
    for name in ("app", "router", "endpoint", "route", "path_params", "app_root_path"):
        scope.pop(name, None)
    answer = Response()
    body = bytearray()

    async def keep_message(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status_code = message["status"]
            answer.raw_headers = list(message["headers"])
        body.extend(message.get("body", b""))

    await pages(scope, visit.request.receive, keep_message)
    answer.body = bytes(body)
    return answer
