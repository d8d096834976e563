"""The viewer as a web application: addresses, forms, errors."""

import mimetypes
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from memdir.errors import Conflict, MemdirError, NoSuchMemory
from memdir.memories.history.undo import ChangedSince
from memdir.memory import Memory
from memdir.text.diff import file_diff
from memdir.text.secrets.fast_search import without_secrets
from memdir.viewer import pages as other
from memdir.viewer.guard import Guard, Keys
from memdir.viewer.memories import change_memory, memories_page, memory_page, undo_change
from memdir.viewer.page import Pages, Site
from memdir.viewer.survey import Survey

__all__ = ["pages_app", "static_file", "viewer_app"]

_MOST_BYTES = 3 << 20
"""Of a form: more than the largest memory takes when it is sent."""

Show = Callable[[Pages, Request], Response]
Act = Callable[[Pages, Request, Mapping[str, str]], Response]
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]


def viewer_app(opened: Callable[[], Memory], keys: Keys) -> ASGIApp:
    """Return the application that shows a memory to whoever has the keys."""
    return Guard(pages_app(opened, Site(keys.form), watched=True), keys)


def pages_app(opened: Callable[[], Memory], site: Site, *, watched: bool = False) -> ASGIApp:
    """Return the pages of a memory, for whoever is let in; watched, they show each edit of a file at once."""
    survey = Survey(opened, watched=watched)
    pages, reports = Pages(survey, site), other.Reports(survey)
    shown: dict[str, Show] = {
        "/": memories_page,
        "/memory/{file:path}": memory_page,
        "/ask": other.ask_page,
        "/timeline": other.timeline_page,
        "/context": lambda pages, request: other.context_page(pages, reports, request),
        "/inbox": other.inbox_page,
        "/rules": lambda pages, request: other.rules_page(pages, reports, request),
        "/doctor": lambda pages, request: other.doctor_page(pages, reports, request),
        "/team": other.team_page,
        "/agents": other.agents_page,
        "/help": other.help_page,
    }
    done: dict[str, Act] = {
        "/memory/{file:path}": change_memory,
        "/undo": undo_change,
        "/ask": other.judge_recall,
        "/inbox": other.decide_proposal,
        "/team": other.sync_team,
        "/rules": lambda pages, _, form: other.decide_rule(pages, reports, form),
        "/doctor": lambda pages, _, form: other.mend(pages, reports, form),
    }
    gets = {path: _page_endpoint(pages, show) for path, show in shown.items() if site.has(path)}
    posts = {path: _action_endpoint(pages, act) for path, act in done.items() if site.has(path)}
    gets = {"/static/{name}": _static, **gets}
    routes = [Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items()]
    routes += [Route(path, endpoint, methods=["POST"]) for path, endpoint in posts.items()]
    return Starlette(routes=routes, exception_handlers={HTTPException: partial(_error, pages)})


def _page_endpoint(pages: Pages, show: Show) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(_answer, pages, request, lambda: show(pages, request))

    return endpoint


def _action_endpoint(pages: Pages, act: Act) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        form = await _form(request)
        if form.get("form_token") != pages.site.form_token(request.url.path):
            raise HTTPException(403, "This form did not come from a page of this viewer. Reload the page.")
        return await run_in_threadpool(_answer, pages, request, lambda: act(pages, request, form))

    return endpoint


def _answer(pages: Pages, request: Request, answer: Callable[[], Response]) -> Response:
    """Return the answer; what memdir refuses on purpose becomes a page that says so."""
    try:
        return answer()
    except ChangedSince as error:
        both = "\n".join(file_diff(one.file, one.before, one.after) for one in error.collisions)
        said = {"said": error.fact, "diff": both, "operation": error.operation, "made_new": error.made_new}
        return pages.show(request, "collision", 409, **said)
    except (MemdirError, OSError) as error:
        status = 404 if isinstance(error, NoSuchMemory) else 409 if isinstance(error, Conflict) else 400
        notes = [without_secrets(note) for note in getattr(error, "__notes__", ())]
        return pages.show(
            request, "error", status, said=without_secrets(str(error)), notes=notes, missing=status == 404
        )


async def _form(request: Request) -> dict[str, str]:
    """Read a form, which may not be large, from the plain encoding alone."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > _MOST_BYTES:
            raise HTTPException(413, "That is more than a memory can hold.")
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise HTTPException(415, "Send a form.")
    try:
        return dict(parse_qsl(data.decode("ascii"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise HTTPException(400, "The form cannot be read.") from None


def _error(pages: Pages, request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = str(error.detail) if isinstance(error, HTTPException) else "Something went wrong."
    said = "There is no page at this address." if status == 404 else said
    return pages.show(request, "error", status, said=said, notes=[], missing=False)


async def _static(request: Request) -> Response:
    return static_file(request.path_params["name"])


def static_file(name: str) -> Response:
    """Return one of our own files."""
    files = {path.name: path for path in (Path(__file__).parent / "static").iterdir()}
    if name not in files:
        raise HTTPException(404, "There is no such file.")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(files[name].read_bytes(), media_type=kind)
