"""The routes for administrators of one space: tokens, use, the audit log, and removal for good."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route

from memdir.hub.administration import purge_space
from memdir.hub.calls import HubCall, HubNode, grant_endpoint, json_text, space_endpoint
from memdir.hub.space_calls import opened_by
from memdir.hub.spaces import MAX_CHANGES, SpaceSession
from memdir.hub.tokens import SCOPES, Grant
from memdir.transfer.purge import SHORTEST_WORD

__all__ = ["admin_routes"]

_MOST_DAYS = 36_500


def admin_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the routes; each needs the scope admin."""
    answers = [
        ("GET", "usage", lambda session, _: json_text(session.usage_json())),
        ("GET", "audit", _audit),
        ("GET", "tokens", lambda session, _: json_text(session.tokens_json())),
        ("POST", "tokens", _create_token),
        ("POST", "tokens/revoke", _revoke_token),
    ]
    at = "/v1/spaces/{space}"
    return [
        *[
            Route(f"{at}/{path}", space_endpoint(hub, "admin", answer), methods=[method])
            for method, path, answer in answers
        ],
        Route(f"{at}/purge", grant_endpoint(hub, "admin", partial(_purge, hub)), methods=["POST"]),
    ]


def _audit(session: SpaceSession, call: HubCall) -> Any:
    return json_text(session.audit_json(max(1, call.number("limit", 100, 1_000))))


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


def _purge(hub: HubNode, grant: Grant, call: HubCall) -> Any:
    names = [call.body.get(kind, []) for kind in ("files", "contents", "words")]
    for some in names:
        if not (isinstance(some, list) and len(some) <= MAX_CHANGES * 2 and all(map(_is_text, some))):
            raise HTTPException(
                400, f"files, contents and words are lists of at most {MAX_CHANGES * 2} texts."
            )
    if short := [word for word in names[2] if len(word) < SHORTEST_WORD]:
        raise HTTPException(400, f"{short[0]!r} is too short to look for: it would be found everywhere.")
    with opened_by(hub, grant, call, "admin")() as session:
        return purge_space(session, *names)


def _is_text(name: Any) -> bool:
    """Tell whether this is text that PostgreSQL can compare with."""
    return (
        isinstance(name, str) and "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)
    )
