"""The routes that a directory is kept in step by: changes, read, publish, meeting, log."""

import base64
import binascii
import json
from typing import Any
from uuid import UUID

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route

from memdir.hub.calls import HubCall, HubNode, json_text, space_endpoint
from memdir.hub.spaces import MAX_CHANGES, FileChange, SpaceSession
from memdir.sync.remote import MAX_REMOTE_FILES, Authorship

__all__ = ["sync_routes"]

_NEWEST = 2**62

_REWOUND = '"rewound" : true'
"""As PostgreSQL writes it: few answers have it, and only these are read before they are sent."""


def sync_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the routes."""
    at = "/v1/spaces/{space}"
    return [
        Route(f"{at}/changes", space_endpoint(hub, "read", _changes), methods=["GET"]),
        Route(f"{at}/read", space_endpoint(hub, "read", _read), methods=["POST"]),
        Route(f"{at}/publish", space_endpoint(hub, "write", _publish), methods=["POST"]),
        Route(f"{at}/meeting", space_endpoint(hub, "read", _find_common), methods=["POST"]),
        Route(f"{at}/log", space_endpoint(hub, "read", _log), methods=["GET"]),
    ]


def _changes(session: SpaceSession, call: HubCall) -> Any:
    """Return what changed since a number, and what became of a request that the caller asks for.

    `mark` is the request that published the version of that number: where it is another one here, the space
    was restored since, and numbers that the caller knows mean something else; unless it was `pruned`.
    """
    limit = max(1, call.number("limit", MAX_CHANGES, MAX_CHANGES))
    since, mark, asked = call.number("since", 0, _NEWEST), call.query.get("mark"), call.query.get("asked")
    done = session.earlier_answer(call.identity(asked, "asked")) if asked else None
    told = session.changes_json(since, limit, call.identity(mark, "mark") if mark else None)
    more: dict[str, Any] = {"published": dict(done.files)} if done else {}
    if mark and _REWOUND in told:
        more["pruned"] = (
            since <= session.pruned_to()
        )  # then nobody knows whether that version was another one
    return json.loads(told) | more if more else json_text(told)


def _find_common(session: SpaceSession, call: HubCall) -> Any:
    rows = call.body.get("versions")
    if not (isinstance(rows, list) and len(rows) <= MAX_REMOTE_FILES * 2):
        raise HTTPException(400, f"versions must be a list of at most {MAX_REMOTE_FILES * 2} pairs.")
    known: dict[int, UUID] = {}
    for row in rows:
        if not (isinstance(row, list) and len(row) == 2 and _is_number(row[0])):
            raise HTTPException(400, "Each version is a pair: its number, and the request that published it.")
        known[row[0]] = call.identity(row[1], "request")
    return {"seq": session.newest_common(known)}


def _read(session: SpaceSession, call: HubCall) -> Any:
    seqs = call.body.get("seqs")
    if not (isinstance(seqs, list) and len(seqs) <= MAX_CHANGES and all(map(_is_number, seqs))):
        raise HTTPException(400, f"seqs must be a list of at most {MAX_CHANGES} numbers.")
    return json_text(session.read_json(seqs))


def _publish(session: SpaceSession, call: HubCall) -> Any:
    rows = call.body.get("changes")
    if not (isinstance(rows, list) and len(rows) <= MAX_CHANGES):
        raise HTTPException(400, f"changes must be a list of at most {MAX_CHANGES} objects.")
    request = call.identity(call.body.get("request"), "request")
    done = session.publish([_change(row) for row in rows], request)
    return {"seq": done.seq, "files": done.files}


def _log(session: SpaceSession, call: HubCall) -> Any:
    limit = max(1, call.number("limit", MAX_CHANGES, MAX_CHANGES))
    return json_text(session.log_json(call.number("before", _NEWEST, _NEWEST), limit))


def _change(row: Any) -> FileChange:
    """Read one change; what is not of its type is refused."""
    if not isinstance(row, dict):
        raise HTTPException(400, "Each change must be an object.")
    words = [row.get(key, "") for key in ("file", "content", "who", "session", "actor")]
    numbers, data = [row.get(key, 0) for key in ("base", "saved_ns", "was")], row.get("data")
    right = all(isinstance(word, str) for word in words) and all(map(_is_number, numbers))
    if not (right and (data is None or isinstance(data, str))):
        raise HTTPException(400, "A change has file, base, data, content, saved_ns, who, session and actor.")
    (file, content, who, session, actor), (base, saved_ns, was) = words, numbers
    by = Authorship(who, "", session, actor)
    return FileChange(file, base, _decode(data), content, saved_ns, by, was)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _NEWEST


def _decode(text: str | None) -> bytes | None:
    try:
        return None if text is None else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise HTTPException(400, "data must be base64.") from None
