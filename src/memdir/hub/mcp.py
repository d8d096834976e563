"""MCP over HTTP for agents without a disk: the streamable transport, one answer a request, no sessions.

The token names the space. Each message is answered by the same server as on a machine of one's own.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memdir.config.package import package_version
from memdir.hub.calls import Call, Hub, grant_endpoint, json_answer
from memdir.hub.space_calls import read_space, write_space
from memdir.hub.tokens import Grant
from memdir.mcp.server import VERSIONS, McpServer
from memdir.mcp.tools import TOOLS
from memdir.memory import Memory

__all__ = ["mcp_routes"]

_READS = {tool.name for tool in TOOLS if tool.hints["readOnlyHint"]}


def mcp_routes(hub: Hub) -> list[BaseRoute]:
    """Return the one route."""
    return [
        Route("/mcp", grant_endpoint(hub, "read", partial(_reply, hub)), methods=["POST"]),
        Route("/mcp", grant_endpoint(hub, "read", _no_stream), methods=["GET", "DELETE"]),
    ]


def _reply(hub: Hub, grant: Grant, call: Call) -> Response:
    version = call.headers.get("mcp-protocol-version", VERSIONS[0])
    if version not in VERSIONS:
        raise HTTPException(400, f"Spoken are the versions {', '.join(VERSIONS)}.")
    message = call.body
    reply = _answered(hub, grant, call, message)
    return Response(status_code=202) if reply is None else json_answer(reply)


def _answered(hub: Hub, grant: Grant, call: Call, message: Mapping[str, Any]) -> Any:
    params = message.get("params")
    tool = params.get("name") if isinstance(params, dict) else None

    def verb(memory: Memory) -> Any:
        return McpServer(lambda: memory, package_version()).reply(message)

    if message.get("method") != "tools/call" or tool in _READS or "write" not in grant.scopes:
        return read_space(hub, grant, call, verb)
    return write_space(hub, grant, call, verb)


def _no_stream(_grant: Grant, _call: Call) -> Any:
    raise HTTPException(405, "Send messages with POST.", {"Allow": "POST"})
