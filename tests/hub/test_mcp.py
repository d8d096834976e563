"""The client of the MCP SDK speaks to a node over HTTP: its token names the space."""

import asyncio
from typing import Any

import pytest

from memdir.hub.administration import Spaces, Tokens
from tests.hub.node import Node

pytestmark = pytest.mark.hub


async def _called(node: Node, secret: str, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with create_mcp_http_client(headers={"Authorization": f"Bearer {secret}"}) as http:
        to = streamable_http_client(f"{node.address}/mcp", http_client=http)
        async with Client(to) as client:
            answers = [await client.call_tool(name, given) for name, given in calls]
    return [(bool(one.is_error), one.content[0].text) for one in answers]  # type: ignore[union-attr]


def called(node: Node, secret: str, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """Return of each call whether it failed, and its text."""
    return asyncio.run(_called(node, secret, *calls))


def test_an_agent_saves_on_one_node_and_recalls_on_another(
    url: str, node: Node, spaces: Spaces, tokens: Tokens
) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop")
    ((failed, said),) = called(
        node, secret, ("remember", {"text": "Deploys go out on Tuesdays.", "name": "deploys"})
    )
    assert (failed, "deploys" in said) == (False, True)
    made = {
        "command": "create",
        "path": "/memories/project_ports.md",
        "file_text": "The hub listens on 8377.",
    }
    with Node(url) as other:
        answers = called(
            other,
            secret,
            ("recall", {"query": "When do deploys go out?"}),
            ("memory", made),
            ("list", {}),
            ("read", {"name": "project_ports.md"}),
            ("forget", {"name": "deploys"}),
            ("read", {"name": "deploys"}),
        )
    assert [failed for failed, _ in answers] == [False, False, False, False, False, True]
    assert "Tuesdays" in answers[0][1]
    assert "/tmp" not in answers[0][1]  # noqa: S108 - where a node keeps its copy is nobody's business
    assert "project_ports.md" in answers[2][1]
    assert "8377" in answers[3][1]
    ((_, left),) = called(node, secret, ("list", {}))
    assert "deploys" not in left


def test_a_token_that_may_only_read_changes_nothing(node: Node, spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop", ["read"])
    made = {"command": "create", "path": "/memories/a.md", "file_text": "A"}
    answers = called(node, secret, ("remember", {"text": "x"}), ("memory", made), ("list", {}))
    assert [failed for failed, _ in answers] == [True, True, False]
    assert "may only read" in answers[0][1]
    with node.client(secret) as client:
        assert client.get("/v1/spaces/one/changes").json()["seq"] == 0


def test_what_is_no_message_is_refused(node: Node, spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop")
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with node.client(secret) as client, node.client() as nobody:
        assert client.post("/mcp", json=ping).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert (
            client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code
            == 202
        )
        assert client.get("/mcp").status_code == 405
        assert nobody.post("/mcp", json=ping).status_code == 401
        evil = {"Origin": "http://evil.example"}
        assert client.post("/mcp", json=ping, headers=evil).status_code == 403
        old = {"MCP-Protocol-Version": "1999-01-01"}
        assert client.post("/mcp", json=ping, headers=old).status_code == 400
        odd = {**ping, "method": "tools/call", "params": {"name": ["recall"]}}
        assert "There is no tool" in client.post("/mcp", json=odd).json()["error"]["message"]
