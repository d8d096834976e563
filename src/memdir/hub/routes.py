"""The routes of a space: machines sync with it, administrators look after it, agents use its memory.

Agents without a disk have the verbs of a memory over HTTP, and MCP with one answer a request: there the token
names the space, and the same server answers as on a machine of one's own.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any, NoReturn
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memdir import __version__
from memdir.errors import NoSuchMemory
from memdir.hub.administration import purge_space
from memdir.hub.calls import (
    GrantedCall,
    HubCall,
    HubNode,
    grant_endpoint,
    json_answer,
    json_text,
    space_endpoint,
)
from memdir.hub.jobs import DREAM, EXTRACT, add_job, found_job, repeat_job
from memdir.hub.spaces import MAX_CALL_BYTES, MAX_CHANGES, SCOPES, FileChange, SpaceSession, is_storable
from memdir.mcp.server import VERSIONS, McpServer
from memdir.mcp.tools import TOOLS
from memdir.memories.topic import Header
from memdir.memory import Memory
from memdir.memory_tool.tool import refuse_rule
from memdir.sync.remote import MAX_REMOTE_FILES, Authorship
from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.fast_search import without_secrets
from memdir.transfer.purge import SHORTEST_WORD

__all__ = ["space_routes"]

_NEWEST = 2**62
_MOST_DAYS = 36_500

_REWOUND = '"rewound" : true'
"""As PostgreSQL writes it: few answers have it, and only these are read before they are sent."""

_RECALL_SECONDS = 5.0
"""How long a recall may take: nobody types meanwhile, so more than for a prompt."""

_MOST_LISTED = 1_000

_ABOUT = ("kind", "name", "description", "why", "how", "title", "expires", "supersedes")
"""What may be said about a memory besides its text."""

_READS = [tool.name for tool in TOOLS if tool.hints["readOnlyHint"]]
"""The tools of MCP that change nothing; no set, as a client may name a tool by anything."""

_NO_JOB = "There is no such job in this space."

Verb = Callable[[Memory], Any]


def space_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the routes."""
    at = "/v1/spaces/{space}"
    direct = [
        ("GET", "changes", "read", _changes),
        ("POST", "read", "read", _read_versions),
        ("POST", "publish", "write", _publish),
        ("POST", "meeting", "read", _find_common),
        ("GET", "log", "read", _log),
        ("GET", "usage", "admin", lambda session, _: json_text(session.json_of("usage()"))),
        ("GET", "audit", "admin", _audit),
        ("GET", "tokens", "admin", lambda session, _: json_text(session.json_of("tokens()"))),
        ("POST", "tokens", "admin", _create_token),
        ("POST", "tokens/revoke", "admin", _revoke_token),
    ]
    reading, writing = partial(_answer_verb, GrantedCall.read), partial(_answer_verb, GrantedCall.write)
    granted: list[tuple[str, str, str, Callable[[GrantedCall], Any]]] = [
        ("POST", f"{at}/purge", "admin", _purge),
        ("POST", f"{at}/memory/recall", "read", partial(reading, _recall)),
        ("POST", f"{at}/memory/list", "read", partial(reading, _list)),
        ("POST", f"{at}/memory/read", "read", partial(reading, _read)),
        ("POST", f"{at}/memory/remember", "write", partial(writing, _remember)),
        ("POST", f"{at}/memory/forget", "write", partial(writing, _forget)),
        ("POST", f"{at}/memory/extract", "write", _extract),
        ("POST", f"{at}/memory/dream", "write", partial(_add_job, DREAM, None)),
        ("GET", f"{at}/memory/jobs/{{job}}", "read", _job),
        ("POST", f"{at}/memory/jobs/{{job}}/again", "write", _again),
        ("POST", "/mcp", "read", _reply),
        ("GET", "/mcp", "read", _no_stream),
        ("DELETE", "/mcp", "read", _no_stream),
    ]
    routes = [(verb, f"{at}/{path}", space_endpoint(hub, scope, one)) for verb, path, scope, one in direct]
    routes += [(verb, path, grant_endpoint(hub, scope, one)) for verb, path, scope, one in granted]
    return [Route(path, endpoint, methods=[verb]) for verb, path, endpoint in routes]


def _changes(session: SpaceSession, call: HubCall) -> Any:
    """Return what changed since a number, and what became of a request that the caller asks for.

    `mark` is the request that published the version of that number: if it is another one here, the space
    was restored since, and the caller's numbers mean something else; unless it was `pruned`.
    """
    limit = max(1, call.number("limit", MAX_CHANGES, MAX_CHANGES))
    since, mark, asked = call.number("since", 0, _NEWEST), call.query.get("mark"), call.query.get("asked")
    done = session.earlier_answer(call.identity(asked, "asked")) if asked else None
    known = call.identity(mark, "mark") if mark else None
    found = session.json_of("changes(%s, %s, %s)", since, limit, known)
    more: dict[str, Any] = {"published": dict(done.files)} if done else {}
    if mark and _REWOUND in found:  # if pruned, nobody knows whether that version was another one
        more["pruned"] = since <= session.pruned_to()
    return json.loads(found) | more if more else json_text(found)


def _find_common(session: SpaceSession, call: HubCall) -> Any:
    what = "pairs, each of a number and the request that published the version"
    rows = call.items("versions", MAX_REMOTE_FILES * 2, what, _is_version)
    return {"seq": session.newest_common({seq: call.identity(one, "request") for seq, one in rows})}


def _read_versions(session: SpaceSession, call: HubCall) -> Any:
    seqs = call.items("seqs", MAX_CHANGES, "numbers", _is_number)
    return json_text(session.json_of("read(%s::bigint[], %s)", seqs, MAX_CALL_BYTES))


def _publish(session: SpaceSession, call: HubCall) -> Any:
    rows = call.items("changes", MAX_CHANGES, "objects", lambda row: isinstance(row, dict))
    request = call.identity(call.body.get("request"), "request")
    done = session.publish([_change(row) for row in rows], request)
    return {"seq": done.seq, "files": done.files}


def _log(session: SpaceSession, call: HubCall) -> Any:
    limit = max(1, call.number("limit", MAX_CHANGES, MAX_CHANGES))
    return json_text(session.json_of("log(%s, %s)", call.number("before", _NEWEST, _NEWEST), limit))


def _audit(session: SpaceSession, call: HubCall) -> Any:
    return json_text(session.json_of("audit_log(%s)", max(1, call.number("limit", 100, 1_000))))


def _change(row: dict[str, Any]) -> FileChange:
    """Read one change; what is not of its type is refused."""
    words = [row.get(key, "") for key in ("file", "content", "who", "session", "actor")]
    numbers, data = [row.get(key, 0) for key in ("base", "saved_ns", "was")], row.get("data")
    right = all(isinstance(word, str) for word in words) and all(map(_is_number, numbers))
    if not (right and (data is None or isinstance(data, str))):
        raise HTTPException(400, "A change has file, base, data, content, saved_ns, who, session and actor.")
    (file, content, who, session, actor), (base, saved_ns, was) = words, numbers
    try:
        decoded = None if data is None else base64.b64decode(data, validate=True)
    except ValueError:
        raise HTTPException(400, "data must be base64.") from None
    return FileChange(file, base, decoded, content, saved_ns, Authorship(who, "", session, actor), was)


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < _NEWEST


def _is_version(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_number(value[0])


def _create_token(session: SpaceSession, call: HubCall) -> Any:
    name, scope, days = call.body.get("name"), call.body.get("scope", "write"), call.body.get("days")
    if not (isinstance(name, str) and name.strip() and scope in SCOPES):
        raise HTTPException(400, f"A token has a name and a scope: {', '.join(SCOPES)}.")
    if days is not None and not (type(days) is int and 1 <= days <= _MOST_DAYS):
        raise HTTPException(400, f"days must be a whole number from 1 to {_MOST_DAYS}.")
    expires = datetime.now(UTC) + timedelta(days=days) if days else None
    return {"token": session.create_token(name, scope, expires)}


def _revoke_token(session: SpaceSession, call: HubCall) -> Any:
    if not session.revoke_token(call.identity(call.body.get("id"), "id")):
        raise HTTPException(400, "This space has no such token.")
    return {"revoked": call.body["id"]}


def _purge(granted: GrantedCall) -> Any:
    call, named = granted.call, dict[str, list[str]]()

    def is_text(value: Any) -> bool:
        return isinstance(value, str) and is_storable(value)

    for kind in ("files", "contents", "words"):
        named[kind] = call.items(kind, MAX_CHANGES * 2, "texts", is_text) if kind in call.body else []
    if short := [word for word in named["words"] if len(word) < SHORTEST_WORD]:
        raise HTTPException(400, f"{short[0]!r} is too short to look for: it would be found everywhere.")
    with granted.opener("admin")() as session:
        return purge_space(session, **named)


def _answer_verb(
    run: Callable[[GrantedCall, Verb], Any], verb: Callable[[HubCall], Verb], granted: GrantedCall
) -> Any:
    granted.call.refuse_unstorable_text()
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
    call.refuse_unstorable_text()
    messages = call.body.get("messages")
    if not (isinstance(messages, list) and messages and all(isinstance(one, dict) for one in messages)):
        raise HTTPException(400, "messages must be a list of objects, each with role and content.")
    session = _texts(call, "session", beside=("messages",))["session"]
    return _add_job(EXTRACT, {"messages": messages, "session": session}, granted)


def _add_job(task: str, about: Any, granted: GrantedCall) -> Response:
    request = granted.work().request
    with granted.opener("write")() as session:
        add_job(session, task, request, about)
    return json_answer({"job": str(request), "status": "waiting"}, 202)


def _job(granted: GrantedCall) -> Any:
    wanted = granted.call.identity(granted.call.path["job"], "job")
    with granted.opener("read")() as session:
        found = found_job(session, wanted)
    if found is None:
        raise HTTPException(404, _NO_JOB)
    return found


def _again(granted: GrantedCall) -> Response:
    """Put what a failed job was about on the queue again."""
    failed, request = granted.call.identity(granted.call.path["job"], "job"), granted.work().request
    with granted.opener("write")() as session:
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
    call.refuse_unstorable_text()
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
