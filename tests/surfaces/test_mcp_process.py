"""`memdir mcp` serves a real host: over its streams until they close, or over HTTP to who has the token."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from tests.environment import WORDS_ALONE

from memdir.cli.commands.setup.hosts import host_target
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.loopback import LOOPBACK
from memdir.mcp.http import HttpServer
from memdir.mcp.server import McpServer

MEMDIR = "import sys; from memdir.cli.main import main; sys.exit(main())"
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
TOKEN = "a-token-made-up-for-tests"


def listen(port: int, token: str = "") -> HttpServer:
    return HttpServer(McpServer(Target().memory), port, token)


@contextmanager
def running(home: Path, *words: str, code: str = MEMDIR, **env: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the command in a home and a project of its own; it is gone when the block ends."""
    (home / "project").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=home / "project",
        env={"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), **WORDS_ALONE, **env},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def answered(process: "subprocess.Popen[str]", method: str, **params: Any) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    number = {"initialize": 1}.get(method, 2)
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_a_host_talks_to_it_over_its_streams_until_they_close(tmp_path: Path) -> None:
    with running(tmp_path, "mcp") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        assert answered(process, "server/discover")["error"]["code"] == -32601
        assert (
            answered(process, "initialize", **INITIALIZE["params"])["result"]["serverInfo"]["name"]
            == "memdir"
        )
        process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        saved = answered(
            process,
            "tools/call",
            name="remember",
            arguments={"text": "Deploys go out on Tuesdays.", "name": "deploys"},
        )
        assert "deploys" in saved["result"]["content"][0]["text"]
        assert len(answered(process, "tools/list")["result"]["tools"]) == 6
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == ""
    assert len(list((tmp_path / ".claude" / "projects").glob("*-project/memory/*_deploys.md"))) == 1


def test_an_interrupt_ends_it_though_the_stream_is_open(tmp_path: Path) -> None:
    with running(tmp_path, "mcp") as process:
        answered(process, "server/discover")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT


def test_the_hosts_project_is_served_wherever_it_starts_its_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert host_target(Target()) == Target(cwd=str(tmp_path))
    assert host_target(Target(cwd="here")) == Target(cwd="here")
    assert host_target(Target(directory="there")) == Target(directory="there")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "gone"))
    assert host_target(Target()) == Target()


def posted(port: int, **headers: str) -> tuple[int, str]:
    connection = HTTPConnection(LOOPBACK, port, timeout=20)
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        connection.request("POST", "/mcp", json.dumps(INITIALIZE), {**usual, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_over_http_only_who_has_the_token_is_answered(tmp_path: Path) -> None:
    with running(tmp_path, "mcp", "--http", "0") as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().split(":")[-1].removesuffix("/mcp\n"))
        token = process.stderr.readline().split("Token: ")[1].strip()
        bearer = f"Bearer {token}"
        status, text = posted(port, Authorization=bearer)
        assert (status, json.loads(text)["result"]["serverInfo"]["name"]) == (200, "memdir")
        assert posted(port)[0] == 401
        assert posted(port, Authorization="Bearer another")[0] == 401
        assert posted(port, Authorization=bearer, Origin="http://evil.example")[0] == 403
        assert posted(port, Authorization=bearer, Host="evil.example")[0] == 421
        process.terminate()
        process.wait(20)
        assert token not in process.stderr.read()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((LOOPBACK, port), timeout=5).close()


def test_the_sdks_client_speaks_to_it_over_streams_and_over_http(tmp_path: Path) -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    (tmp_path / "project").mkdir()
    env = {"HOME": str(tmp_path), "PATH": os.environ.get("PATH", os.defpath), **WORDS_ALONE}
    streams = StdioServerParameters(
        command=sys.executable, args=["-c", MEMDIR, "mcp"], env=env, cwd=tmp_path / "project"
    )

    async def talk(to: Any) -> list[str]:
        async with Client(to) as client:
            await client.call_tool("remember", {"text": "Deploys go out on Tuesdays.", "name": "deploys"})
            found = await client.call_tool("list", {})
            return [block.text for block in found.content]  # type: ignore[union-attr]

    async def over_http(port: int) -> list[str]:
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
            return await talk(streamable_http_client(f"http://{LOOPBACK}:{port}/mcp", http_client=http))

    (listed,) = asyncio.run(talk(streams))
    assert "_deploys.md" in listed
    with running(tmp_path, "mcp", "--http", "0", MEMDIR_MCP_TOKEN=TOKEN) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().split(":")[-1].removesuffix("/mcp\n"))
        (again,) = asyncio.run(over_http(port))
    assert "_deploys.md" in again


def test_over_http_whatever_is_no_message_is_refused_with_its_reason(tmp_path: Path) -> None:
    bearer = {"Authorization": f"bEaReR {TOKEN}", "Content-Type": "application/json"}
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    table: list[tuple[str, str, dict[str, str], str, int]] = [
        ("POST", "/mcp", bearer, ping, 200),
        ("POST", "/mcp/", bearer, ping, 200),
        ("POST", "/mcp", bearer, '{"jsonrpc": "2.0", "method": "notifications/initialized"}', 202),
        ("POST", "/mcp", bearer, "not json", 400),
        ("POST", "/mcp", bearer, f"[{ping}]", 400),
        ("POST", "/mcp", {**bearer, "MCP-Protocol-Version": "1999-01-01"}, ping, 400),
        ("POST", "/mcp", {**bearer, "Content-Type": "text/plain"}, ping, 415),
        ("POST", "/mcp", {**bearer, "Content-Length": "5000000"}, "", 413),
        ("POST", "/mcp", {**bearer, "Content-Length": "x"}, "", 411),
        ("POST", "/other", bearer, ping, 404),
        ("GET", "/mcp", bearer, "", 405),
        ("DELETE", "/mcp", bearer, "", 405),
        ("GET", "/.well-known/oauth-protected-resource", {}, "", 404),
        ("GET", "/.well-known/oauth-authorization-server/mcp", {}, "", 404),
        ("GET", "/mcp", {}, "", 401),
        ("POST", "/mcp", {"Authorization": f"Basic {TOKEN}"}, ping, 401),
        ("POST", "/mcp", {"Authorization": TOKEN}, ping, 401),
    ]
    with running(tmp_path, "mcp", "--http", "0", MEMDIR_MCP_TOKEN=TOKEN) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().split(":")[-1].removesuffix("/mcp\n"))
        for method, path, headers, body, status in table:
            connection = HTTPConnection(LOOPBACK, port, timeout=20)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == status, (method, path, headers, body, text)
            assert TOKEN not in text
            connection.close()


def test_a_slow_call_does_not_hold_up_a_ping(tmp_path: Path) -> None:
    slow = "import time, memdir.mcp.answers as a; a.Answers.listing = lambda *_: time.sleep(30)\n"
    with running(tmp_path, "mcp", code=slow + MEMDIR) as process:
        assert process.stdin is not None
        process.stdin.write('{"id": 7, "method": "tools/call", "params": {"name": "list"}}\n')
        assert answered(process, "ping") == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_a_start_loads_neither_the_sdk_nor_what_answers_calls(tmp_path: Path) -> None:
    seen = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    with running(tmp_path, "mcp", code=seen + MEMDIR) as process:
        talk = "".join([json.dumps({**INITIALIZE, "method": m}) + "\n" for m in ("initialize", "tools/list")])
        _, errors = process.communicate(talk, timeout=20)
    loaded = set(errors.split())
    assert "memdir.mcp.server" in loaded
    heavy = {"mcp", "mcp_types", "pydantic", "memdir.memory", "memdir.mcp.answers", "http.server"}
    assert loaded & heavy == set()


def test_a_token_of_the_users_own_is_taken() -> None:
    listener = listen(0, TOKEN)
    assert listener.socket.getsockname()[0] == "127.0.0.1"
    listener.socket.close()
    assert listener.token == TOKEN
    assert listener.address == f"http://127.0.0.1:{listener.port}/mcp"


@pytest.mark.parametrize("token", ["short", "with a space in the middle", "not-ascii-é-not-ascii"])
def test_a_token_that_cannot_be_sent_or_is_guessed_is_refused(token: str) -> None:
    with pytest.raises(Rejected, match="MEMDIR_MCP_TOKEN"):
        listen(0, token)


def test_a_port_in_use_is_refused_with_advice() -> None:
    first = listen(0)
    with first.socket, pytest.raises(Rejected, match="Choose another"):
        listen(first.port)
    assert len(first.token) > 40
