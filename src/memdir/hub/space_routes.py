"""The routes of a space itself: a directory is kept in step by them, and an administrator looks after it."""

import base64
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route

from memdir.hub.administration import purge_space
from memdir.hub.calls import GrantedCall, HubCall, HubNode, grant_endpoint, json_text, space_endpoint
from memdir.hub.spaces import MAX_CALL_BYTES, MAX_CHANGES, SCOPES, FileChange, SpaceSession
from memdir.sync.remote import MAX_REMOTE_FILES, Authorship
from memdir.transfer.purge import SHORTEST_WORD

__all__ = ["space_routes"]

_NEWEST = 2**62
_MOST_DAYS = 36_500

_REWOUND = '"rewound" : true'
"""As PostgreSQL writes it: few answers have it, and only these are read before they are sent."""


def space_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the routes."""
    at = "/v1/spaces/{space}"
    answers = [
        ("GET", "changes", "read", _changes),
        ("POST", "read", "read", _read),
        ("POST", "publish", "write", _publish),
        ("POST", "meeting", "read", _find_common),
        ("GET", "log", "read", _log),
        ("GET", "usage", "admin", lambda session, _: json_text(session.json_of("usage()"))),
        ("GET", "audit", "admin", _audit),
        ("GET", "tokens", "admin", lambda session, _: json_text(session.json_of("tokens()"))),
        ("POST", "tokens", "admin", _create_token),
        ("POST", "tokens/revoke", "admin", _revoke_token),
    ]
    return [
        *[
            Route(f"{at}/{path}", space_endpoint(hub, scope, answer), methods=[method])
            for method, path, scope, answer in answers
        ],
        Route(f"{at}/purge", grant_endpoint(hub, "admin", _purge), methods=["POST"]),
    ]


def _changes(session: SpaceSession, call: HubCall) -> Any:
    """Return what changed since a number, and what became of a request that the caller asks for.

    `mark` is the request that published the version of that number: where it is another one here, the space
    was restored since, and numbers that the caller knows mean something else; unless it was `pruned`.
    """
    limit = max(1, call.number("limit", MAX_CHANGES, MAX_CHANGES))
    since, mark, asked = call.number("since", 0, _NEWEST), call.query.get("mark"), call.query.get("asked")
    done = session.earlier_answer(call.identity(asked, "asked")) if asked else None
    known = call.identity(mark, "mark") if mark else None
    told = session.json_of("changes(%s, %s, %s)", since, limit, known)
    more: dict[str, Any] = {"published": dict(done.files)} if done else {}
    if mark and _REWOUND in told:  # if pruned, nobody knows whether that version was another one
        more["pruned"] = since <= session.pruned_to()
    return json.loads(told) | more if more else json_text(told)


def _find_common(session: SpaceSession, call: HubCall) -> Any:
    what = "pairs, each of a number and the request that published the version"
    rows = call.items("versions", MAX_REMOTE_FILES * 2, what, _is_version)
    return {"seq": session.newest_common({seq: call.identity(one, "request") for seq, one in rows})}


def _read(session: SpaceSession, call: HubCall) -> Any:
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
    for kind in ("files", "contents", "words"):
        named[kind] = call.items(kind, MAX_CHANGES * 2, "texts", _is_text) if kind in call.body else []
    if short := [word for word in named["words"] if len(word) < SHORTEST_WORD]:
        raise HTTPException(400, f"{short[0]!r} is too short to look for: it would be found everywhere.")
    with granted.opened("admin")() as session:
        return purge_space(session, **named)


def _is_text(name: Any) -> bool:
    """Tell whether this is text that PostgreSQL can compare with."""
    return isinstance(name, str) and not re.search("[\0\ud800-\udfff]", name)
