"""The verbs of a memory over HTTP, and MCP with one answer a request, for agents without a disk.

Over MCP the token names the space, and the same server answers as on a machine of one's own.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NoReturn
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memdir import __version__
from memdir.errors import NoSuchMemory
from memdir.hub.calls import GrantedCall, HubCall, HubNode, grant_endpoint, json_answer
from memdir.hub.jobs import DREAM, EXTRACT, add_job, found_job, repeat_job
from memdir.mcp.server import VERSIONS, McpServer
from memdir.mcp.tools import TOOLS
from memdir.memories.topic import Header
from memdir.memory import Memory
from memdir.memory_tool.tool import refuse_rule
from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["memory_routes"]

_RECALL_SECONDS = 5.0
"""How long a recall may take: nobody types meanwhile, so more than for a prompt."""

_MOST_LISTED = 1_000

_ABOUT = ("kind", "name", "description", "why", "how", "title", "expires", "supersedes")
"""What may be said about a memory besides its text."""

_READS = {tool.name for tool in TOOLS if tool.hints["readOnlyHint"]}
"""The tools of MCP that change nothing."""

_NO_JOB = "There is no such job in this space."

Verb = Callable[[Memory], Any]


def memory_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the routes."""
    at = "/v1/spaces/{space}/memory"
    reading, writing = partial(_answer_verb, GrantedCall.read), partial(_answer_verb, GrantedCall.write)
    answers: list[tuple[str, str, str, Callable[[GrantedCall], Any]]] = [
        ("POST", f"{at}/recall", "read", partial(reading, _recall)),
        ("POST", f"{at}/list", "read", partial(reading, _list)),
        ("POST", f"{at}/read", "read", partial(reading, _read)),
        ("POST", f"{at}/remember", "write", partial(writing, _remember)),
        ("POST", f"{at}/forget", "write", partial(writing, _forget)),
        ("POST", f"{at}/extract", "write", _extract),
        ("POST", f"{at}/dream", "write", partial(_add_job, DREAM, None)),
        ("GET", f"{at}/jobs/{{job}}", "read", _job),
        ("POST", f"{at}/jobs/{{job}}/again", "write", _again),
        ("POST", "/mcp", "read", _reply),
        ("GET", "/mcp", "read", _no_stream),
        ("DELETE", "/mcp", "read", _no_stream),
    ]
    return [
        Route(path, grant_endpoint(hub, scope, answer), methods=[method])
        for method, path, scope, answer in answers
    ]


def _answer_verb(
    run: Callable[[GrantedCall, Verb], Any], verb: Callable[[HubCall], Verb], granted: GrantedCall
) -> Any:
    granted.call.refuse_unsayable()
    try:
        return run(granted, verb(granted.call))
    except NoSuchMemory as error:
        raise HTTPException(404, str(error)) from error


def _remember(call: HubCall) -> Verb:
    given = _texts(call, "text", *_ABOUT, "source", "reason", "session")
    about: dict[str, Any] = {name: given[name] for name in _ABOUT if given[name]}
    pinned = call.body.get("pinned") is True

    def verb(memory: Memory) -> Any:
        saved = memory.remember(
            given["text"],
            **about,
            pinned=pinned,
            source=given["source"] or "assistant",
            actor="host",
            reason=given["reason"] or "through the hub",
        )
        shown = {"created": saved.created, "operation": saved.operation, "warnings": list(saved.warnings)}
        return _memory(saved.header) | shown

    return verb


def _forget(call: HubCall) -> Verb:
    given = _texts(call, "name", "reason", "session")

    def verb(memory: Memory) -> Any:
        topic = memory.read(given["name"])
        refuse_rule(topic.header.file, topic.text)
        reason = given["reason"] or "through the hub"
        gone = memory.forget(given["name"], actor="host", source="assistant", reason=reason)
        return {"file": gone.file, "operation": gone.operation, "warnings": list(gone.warnings)}

    return verb


def _recall(call: HubCall) -> Verb:
    given, limit = _texts(call, "query"), _number(call, "limit", 1, 20)

    def verb(memory: Memory) -> Any:
        found = memory.recall(given["query"], limit=limit, budget=_RECALL_SECONDS)
        return {
            "text": found.text,
            "files": list(found.files),
            "likely": list(found.likely),
            "because": found.receipt.because or ("" if found.text else "no memory is likely enough to help"),
        }

    return verb


def _list(call: HubCall) -> Verb:
    given, limit = _texts(call, "kind"), _number(call, "limit", 1, _MOST_LISTED) or _MOST_LISTED
    return lambda memory: {
        "memories": [_memory(header) for header in memory.list(kind=given["kind"] or None, limit=limit)]
    }


def _read(call: HubCall) -> Verb:
    given = _texts(call, "name")

    def verb(memory: Memory) -> Any:
        topic = memory.read(given["name"])
        return _memory(topic.header) | {"body": topic.body, "text": topic.text}

    return verb


def _extract(granted: GrantedCall) -> Response:
    """Put a conversation on the queue; the job says later what was found in it."""
    call = granted.call
    call.refuse_unsayable()
    messages = call.body.get("messages")
    if not (isinstance(messages, list) and messages and all(isinstance(one, dict) for one in messages)):
        raise HTTPException(400, "messages must be a list of objects, each with role and content.")
    session = _texts(call, "session", beside=("messages",))["session"]
    return _add_job(EXTRACT, {"messages": messages, "session": session}, granted)


def _add_job(task: str, about: Any, granted: GrantedCall) -> Response:
    request = granted.work().request
    with granted.opened("write")() as session:
        add_job(session, task, request, about)
    return json_answer({"job": str(request), "status": "waiting"}, 202)


def _job(granted: GrantedCall) -> Any:
    wanted = granted.call.identity(granted.call.path["job"], "job")
    with granted.opened("read")() as session:
        found = found_job(session, wanted)
    if found is None:
        raise HTTPException(404, _NO_JOB)
    return found


def _again(granted: GrantedCall) -> Response:
    """Put what a failed job was about on the queue again."""
    failed, request = granted.call.identity(granted.call.path["job"], "job"), granted.work().request
    with granted.opened("write")() as session:
        if not repeat_job(session, failed, request):
            raise HTTPException(404, _NO_JOB)
    return json_answer({"job": str(request), "status": "waiting"}, 202)


def _reply(granted: GrantedCall) -> Response:
    call, version = granted.call, granted.call.headers.get("mcp-protocol-version", VERSIONS[0])
    if version not in VERSIONS:
        raise HTTPException(400, f"Spoken are the versions {', '.join(VERSIONS)}.")
    origin = call.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != call.headers.get("host"):
        raise HTTPException(403, "Pages of other origins are not answered.")
    call.refuse_unsayable()
    params, may_write = call.body.get("params"), "write" in granted.grant.scopes
    tool = params.get("name") if isinstance(params, dict) else None
    changes = call.body.get("method") == "tools/call" and tool not in _READS and may_write
    run = granted.write if changes else granted.read
    reply = run(lambda memory: McpServer(lambda: memory, __version__).reply(call.body))
    return Response(status_code=202) if reply is None else json_answer(reply)


def _no_stream(_: GrantedCall) -> NoReturn:
    raise HTTPException(405, "Send messages with POST.", {"Allow": "POST"})


def _memory(header: Header) -> dict[str, Any]:
    """Return one memory as lists show it, without a credential that its header may hold."""
    return {
        "file": header.file,
        "name": header.name,
        "title": _mask(header.title),
        "kind": header.kind,
        "description": _mask(header.description),
        "saved_at": utc_stamp(header.saved_at),
        "pinned": header.pinned,
        "expires": header.expires,
    }


@lru_cache(maxsize=50_000)  # a list looks at the same lines again and again
def _mask(text: str) -> str:
    return without_secrets(text)


def _texts(call: HubCall, first: str, *others: str, beside: tuple[str, ...] = ()) -> dict[str, str]:
    """Return fields of the body, empty where they are not given; what nobody knows is refused."""
    known = (first, *others)
    if unknown := sorted(call.body.keys() - {*known, *beside, "limit", "pinned"}):
        raise HTTPException(400, f"Nothing here is called {', '.join(unknown)}. Send {', '.join(known)}.")
    given = {name: call.body.get(name) or "" for name in known}
    if wrong := [name for name, value in given.items() if not isinstance(value, str)]:
        raise HTTPException(400, f"{', '.join(wrong)} must be text.")
    return given


def _number(call: HubCall, name: str, least: int, most: int) -> int | None:
    value = call.body.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise HTTPException(400, f"{name} must be a whole number from {least} to {most}.")
    return value
