"""Every adapter beside something real that it can be asked against, and behaves as a test wishes."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from tests.conformance.server import Act, Server, hang, hang_inside, http, reset, send_slowly, served
from tests.processes import is_running

from memdir.models.protocol import Model, ToolCall
from memdir.models.vendors.address import Address
from memdir.models.vendors.anthropic import AnthropicModel
from memdir.models.vendors.claude_cli import ClaudeCli
from memdir.models.vendors.http import Backoff
from memdir.models.vendors.openai import OpenAIModel

__all__ = ["KEY", "VENDORS", "HttpVendor", "Vendor", "open_vendor"]

KEY = "made-up-key-000"
FAST = Backoff(attempts=3, first=0.002, longest=0.004)
TEXT = "Grüße, 世界"
HUGE = 5_000_000


class Vendor(Protocol):
    """One adapter and its other side."""

    model: Model

    def will(self, act: str) -> None:
        """Let the next answer be this one."""

    def asked(self) -> str:
        """Return everything that arrived in the last question, as one text."""

    def wait(self) -> None:
        """Wait until a question has arrived."""

    def is_free(self) -> bool:
        """Tell whether nothing of the question is left on the other side."""


class HttpVendor:
    """An adapter that speaks HTTP, and a server."""

    def __init__(self, vendor: str, server: Server) -> None:
        self.server, self._vendor = server, vendor
        made = AnthropicModel if vendor == "anthropic" else OpenAIModel
        address = Address(server.url, key_name="SOME_KEY", env={"SOME_KEY": KEY})
        self.model: Model = made("some-model", address, backoff=FAST)

    def will(self, act: str) -> None:
        self.server.acts.put(self._act(act))

    def asked(self) -> str:
        return json.dumps(self.server.requests[-1].body, ensure_ascii=False)

    def wait(self) -> None:
        assert self.server.received.wait(10)

    def is_free(self) -> bool:
        return self.server.gone.wait(10)

    def _act(self, act: str) -> Act:
        if act in _LINES:
            return _LINES[act]
        if act.isdigit():
            return http(int(act), b'{"error": {"message": "it says so"}}')
        data = json.dumps(_WIRES[self._vendor](act), ensure_ascii=act == "plain").encode()
        if act == "charset":
            return http(200, data, content_type="application/json; charset=iso-8859-1")
        return http(200, data[:-20] if act == "truncated" else data)


class CliVendor:
    """The command, and a program in its place."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        program = folder / "claude"
        program.write_text(f"#!{sys.executable} -IS\n{_PROGRAM}")
        program.chmod(0o755)
        env = {"PATH": "/usr/bin:/bin", "FOLDER": str(folder)}
        self.model: Model = ClaudeCli(str(program), "some-model", env=env)

    def will(self, act: str) -> None:
        (self._folder / "started").unlink(missing_ok=True)
        (self._folder / "act").write_text(json.dumps({"act": act, "result": _cli(act)}))

    def asked(self) -> str:
        return (self._folder / "asked").read_text()

    def wait(self) -> None:
        while not (self._folder / "started").exists():
            os.sched_yield()

    def is_free(self) -> bool:
        started = self._folder / "started"
        pids = started.read_text().split() if started.exists() else []
        end = monotonic() + 10  # a killed process takes a moment to go
        while any(map(is_running, pids)) and monotonic() < end:
            os.sched_yield()
        return not any(map(is_running, pids))


@contextmanager
def open_vendor(name: str, folder: Path) -> Iterator[Vendor]:
    if name == "claude-cli":
        yield CliVendor(folder)
        return
    with served() as server:
        yield HttpVendor(name, server)


VENDORS = ("anthropic", "openai", "claude-cli")


def _anthropic(act: str) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": _said(act)},
    ]
    if act == "tools":
        blocks += [
            {"type": "tool_use", "id": f"id{c.id}", "name": c.name, "input": c.arguments} for c in CALLS
        ]
    return {
        "content": blocks,
        "stop_reason": {"refusal": "refusal", "length": "max_tokens", "tools": "tool_use"}.get(
            act, "end_turn"
        ),
        "model": "some-model-1",
        "usage": {
            "input_tokens": 70,
            "output_tokens": 9,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": None,
        },
    }


def _openai(act: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": _said(act)}
    if act == "tools":
        message["tool_calls"] = [
            {"id": f"id{c.id}", "function": {"name": c.name, "arguments": json.dumps(c.arguments)}}
            for c in CALLS
        ]
    if act == "refusal":
        message |= {"content": None, "refusal": "I will not."}
    return {
        "choices": [
            {
                "message": message,
                "finish_reason": {"length": "length", "tools": "tool_calls"}.get(act, "stop"),
            }
        ],
        "model": "some-model-1",
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 9,
            "prompt_tokens_details": {"cached_tokens": 30},
        },
    }


def _cli(act: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": "result",
        "is_error": act.isdigit(),
        "api_error_status": int(act) if act.isdigit() else None,
        "result": "it says so" if act.isdigit() else _said(act),
        "stop_reason": {"refusal": "refusal", "length": "max_tokens", "schema": "tool_use"}.get(
            act, "end_turn"
        ),
        "usage": {"input_tokens": 70, "output_tokens": 9, "cache_read_input_tokens": 30},
        "modelUsage": {"some-model-1": {}},
    }
    if act == "schema":
        result["structured_output"] = {"answer": 42}
    if act == "tools":
        calls = [{"name": call.name, "arguments": call.arguments} for call in CALLS]
        result["structured_output"] = {"text": TEXT, "calls": calls}
    return result


def _said(act: str) -> str:
    told = {"text": TEXT, "calls": [{"name": call.name, "arguments": call.arguments} for call in CALLS]}
    texts = {"schema": '{"answer": 42}', "refusal": "I will not.", "told": json.dumps(told)}
    return texts.get(act, '{"calls": [' if act == "told-badly" else TEXT)


CALLS = (ToolCall("1", "look", {"at": "a/b.md"}), ToolCall("2", "look", {"at": "ü"}))

_WIRES = {"anthropic": _anthropic, "openai": _openai}

_LINES: dict[str, Act] = {
    "hang": hang,
    "hang-inside": hang_inside,
    "slow": send_slowly,
    "reset": reset,
    "empty": http(200),
    "garbage": http(200, b"<html>Welcome</html>", content_type="text/html"),
    "array": http(200, b"[1, 2]"),
    "deep": http(200, b"[" * 200_000),
    "not-utf-8": http(200, b'{"content": [{"type": "text", "text": "Gr\xfc\xdfe"}]}'),
    "huge": http(200, b" " * HUGE),
    "stranger": http(200, b'{"hello": "there"}'),
}

_PROGRAM = f"""
import json, os, subprocess, sys, time
folder = os.environ["FOLDER"]
with open(folder + "/asked", "w") as file:
    file.write(json.dumps({{"argv": sys.argv[1:], "env": dict(os.environ)}}) + sys.stdin.read())
with open(folder + "/act") as file:
    wish = json.load(file)
act, result = wish["act"], json.dumps(wish["result"], ensure_ascii=False)
child = subprocess.Popen(["sleep", "30"]) if act in ("hang", "hang-inside", "slow") else None
with open(folder + "/starting", "w") as file:
    file.write(f"{{os.getpid()}} {{child.pid if child else ''}}")
os.rename(folder + "/starting", folder + "/started")
out = sys.stdout.buffer
if act == "hang-inside":
    out.write(b'{{"result":')
    out.flush()
if child and act != "slow":
    time.sleep(30)
while act == "slow":
    out.write(b" ")
    out.flush()
    time.sleep(0.01)
if act == "reset":
    os.kill(os.getpid(), 9)
plain = {{
    "empty": b"",
    "garbage": b"Welcome",
    "array": b"[1, 2]",
    "deep": b"[" * 200000,
    "not-utf-8": b'{{"result": "Gr\\xfc\\xdfe"}}',
    "huge": b" " * {HUGE},
    "stranger": b'{{"hello": "there"}}',
    "truncated": result.encode()[:-20],
}}
out.write(plain.get(act, result.encode()))
out.flush()
sys.exit(1 if act.isdigit() else 0)
"""
