"""The viewer as a web application, and the process that serves it: addresses, forms, errors, one port."""

from __future__ import annotations

import mimetypes
import os
import select
import sys
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Concatenate
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from memdir.errors import Conflict, MemdirError, NoSuchMemory
from memdir.loopback import bind_loopback
from memdir.memories.history.undo import ChangedSince
from memdir.memory import Memory
from memdir.text.diff import file_diff
from memdir.text.secrets.fast_search import without_secrets
from memdir.viewer import pages as other
from memdir.viewer.guard import Guard, Keys
from memdir.viewer.memories import change_memory, memories_page, memory_page, undo_change
from memdir.viewer.page import Pages, Site
from memdir.viewer.survey import Survey

__all__ = ["ViewerServer", "pages_app", "static_file", "viewer_app"]

_MOST_BYTES = 3 << 20
"""Of a form: more than the largest memory takes when it is sent."""

_LOOK = 0.5
"""Seconds between two looks whether the terminal is still there."""

_STATUS = {NoSuchMemory: 404, Conflict: 409}
"""The status of a page that says what memdir refused; of any other refusal it is 400."""

_Form = Mapping[str, str]

_PAGES: dict[str, Callable[[Pages, Request], Response]] = {
    "/": memories_page,
    "/memory/{file:path}": memory_page,
    "/ask": other.ask_page,
    "/timeline": other.timeline_page,
    "/context": other.context_page,
    "/inbox": other.inbox_page,
    "/rules": other.rules_page,
    "/doctor": other.doctor_page,
    "/team": other.team_page,
    "/agents": other.agents_page,
    "/help": other.help_page,
}
_ACTIONS: dict[str, Callable[[Pages, Request, _Form], Response]] = {
    "/memory/{file:path}": change_memory,
    "/undo": undo_change,
    "/ask": other.judge_recall,
    "/inbox": other.decide_proposal,
    "/team": other.sync_team,
    "/rules": other.decide_rule,
    "/doctor": other.mend,
}


class ViewerServer:
    """A bound port of this machine, its keys, and what serves pages there until its terminal is gone."""

    def __init__(self, opened: Callable[[], Memory], port: int = 0) -> None:
        """Bind a port, 0 for any that is free."""
        # Both are noted before anybody hears the address: who started us may be gone at once.
        self._parent, self._terminal = os.getppid(), _hang_ups_of_terminal()
        self._socket = bind_loopback(port)
        self.keys = Keys.create(self._socket.getsockname()[1])
        config = uvicorn.Config(
            viewer_app(opened, self.keys),
            log_level="error",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    def serve(self) -> None:
        """Serve until the process is told to stop, or until nobody is there any more."""
        Thread(target=self._stop_with_terminal, daemon=True).start()
        # Uvicorn raises an interrupt again once it has closed everything.
        with closing(self._socket), suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._socket])

    def _stop_with_terminal(self) -> None:
        """Stop soon after whoever started us is gone: the parent process, or the terminal itself."""
        while os.getppid() == self._parent and not self._terminal.poll(0):
            sleep(_LOOK)
        self._server.should_exit = True


def _hang_ups_of_terminal() -> select.poll:
    """Return what reports that the terminal of this process was closed, if it has one."""
    hang_ups = select.poll()
    if sys.stdin is not None and sys.stdin.isatty():
        hang_ups.register(sys.stdin.fileno(), 0)  # a hang-up is reported without being asked for
    return hang_ups


def viewer_app(opened: Callable[[], Memory], keys: Keys) -> ASGIApp:
    """Return the application that shows a memory to whoever has the keys."""
    return Guard(pages_app(opened, Site(keys.form), watched=True), keys)


def pages_app(opened: Callable[[], Memory], site: Site, *, watched: bool = False) -> ASGIApp:
    """Return the pages of a memory, for whoever is let in; watched, they show each edit of a file at once."""
    pages = Pages(Survey(opened, watched=watched), site)
    gets = [(path, partial(_answer, pages, show)) for path, show in _PAGES.items() if site.has(path)]
    posts = [(path, partial(_act, pages, act)) for path, act in _ACTIONS.items() if site.has(path)]
    routes = [
        Route("/static/{name}", lambda request: static_file(request.path_params["name"])),
        *[Route(path, endpoint, methods=["GET"]) for path, endpoint in gets],
        *[Route(path, endpoint, methods=["POST"]) for path, endpoint in posts],
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: partial(_error, pages)})


async def _act(pages: Pages, act: Callable[[Pages, Request, _Form], Response], request: Request) -> Response:
    form = await _form(request)
    if form.get("form_token") != pages.site.form_token(request.url.path):
        raise HTTPException(403, "This form did not come from a page of this viewer. Reload the page.")
    return await run_in_threadpool(_answer, pages, act, request, form)


def _answer(
    pages: Pages, answer: Callable[Concatenate[Pages, Request, ...], Response], request: Request, *form: _Form
) -> Response:
    """Return the answer; what memdir refuses on purpose becomes a page that says so."""
    try:
        return answer(pages, request, *form)
    except ChangedSince as error:
        both = "\n".join(file_diff(one.file, one.before, one.after) for one in error.collisions)
        about = {"said": error.fact, "diff": both, "operation": error.operation, "made_new": error.made_new}
        return pages.show(request, "collision", 409, **about)
    except (MemdirError, OSError) as error:
        status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 400)
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
    text = str(error.detail) if isinstance(error, HTTPException) else "Something went wrong."
    text = "There is no page at this address." if status == 404 else text
    return pages.show(request, "error", status, said=text, notes=[], missing=False)


def static_file(name: str) -> Response:
    """Return one of our own files."""
    files = {path.name: path for path in (Path(__file__).parent / "static").iterdir()}
    if name not in files:
        raise HTTPException(404, "There is no such file.")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(files[name].read_bytes(), media_type=kind)
