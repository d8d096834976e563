"""MCP over HTTP for agents without a disk: the streamable transport, one answer a request, no sessions.

The token names the space. Each message is answered by the same server as on a machine of one's own.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memdir import __version__
from memdir.hub.calls import HubCall, HubNode, grant_endpoint, json_answer
from memdir.hub.space_calls import read_space, refuse_unsayable, write_space
from memdir.hub.tokens import Grant
from memdir.mcp.server import VERSIONS, McpServer
from memdir.mcp.tools import TOOLS
from memdir.memory import Memory

__all__ = ["mcp_routes"]

_READS = {tool.name for tool in TOOLS if tool.hints["readOnlyHint"]}


def mcp_routes(hub: HubNode) -> list[BaseRoute]:
    """Return the one route."""
    return [
        Route("/mcp", grant_endpoint(hub, "read", partial(_reply, hub)), methods=["POST"]),
        Route("/mcp", grant_endpoint(hub, "read", _no_stream), methods=["GET", "DELETE"]),
    ]


def _reply(hub: HubNode, grant: Grant, call: HubCall) -> Response:
    version = call.headers.get("mcp-protocol-version", VERSIONS[0])
    if version not in VERSIONS:
        raise HTTPException(400, f"Spoken are the versions {', '.join(VERSIONS)}.")
    origin = call.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != call.headers.get("host"):
        raise HTTPException(403, "Pages of other origins are not answered.")
    refuse_unsayable(call)
    reply = _answer_message(hub, grant, call, call.body)
    return Response(status_code=202) if reply is None else json_answer(reply)


def _answer_message(hub: HubNode, grant: Grant, call: HubCall, message: Mapping[str, Any]) -> Any:
    params = message.get("params")
    tool = params.get("name") if isinstance(params, dict) else None

    def verb(memory: Memory) -> Any:
        return McpServer(lambda: memory, __version__).reply(message)

    if message.get("method") != "tools/call" or tool in _READS or "write" not in grant.scopes:
        return read_space(hub, grant, call, verb)
    return write_space(hub, grant, call, verb)


def _no_stream(_grant: Grant, _call: HubCall) -> Any:
    raise HTTPException(405, "Send messages with POST.", {"Allow": "POST"})
