"""Every host is read and answered alike: what it sends becomes a call, and what we say reaches it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir.errors import Rejected
from memdir.hooks.full_answer import read_call
from memdir.hosts.claude_code import EVENTS
from memdir.hosts.protocol import Call, ClaudeCode, Generic, Host, HostAnswer

RECORDED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "claude_code" / "hook_inputs.json")
    .read_text()
    .replace("$R", "/where/it/was/recorded")
)


def as_claude_code(call: Call) -> dict[str, Any]:
    said = {"cwd": call.cwd, "session_id": call.session, "transcript_path": call.transcript}
    said |= {"prompt": call.prompt, "tool_name": call.tool, "source": call.source}
    return {**said, "tool_input": call.given, "stop_hook_active": call.again}


def as_generic(call: Call) -> dict[str, Any]:
    said = {"cwd": call.cwd, "session": call.session, "transcript": call.transcript, "prompt": call.prompt}
    return {**said, "tool": call.tool, "input": call.given, "source": call.source, "again": call.again}


HOSTS = [
    pytest.param(ClaudeCode(), as_claude_code, id="claude-code"),
    pytest.param(Generic(), as_generic, id="generic"),
]
CALLS = [
    Call("UserPromptSubmit", "/p", "s", prompt="how do we deploy?"),
    Call("PreToolUse", "/p", "s", "/t.jsonl", tool="Bash", given={"command": "ls"}),
    Call("SessionStart", "/p", "s", source="compact"),
    Call("Stop", "/p", "s", "/t.jsonl", again=True),
]


@pytest.mark.parametrize(("host", "written"), HOSTS)
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.event)
def test_an_event_is_read_whole(host: Host, written: Callable[[Call], dict[str, Any]], call: Call) -> None:
    read = read_call(host, call.event, written(call), {})
    assert replace(read, uninstructed=False) == call


@pytest.mark.parametrize(("host", "written"), HOSTS)
@pytest.mark.parametrize("said", [None, [], "x", 1, {"prompt": "x"}, {"cwd": "here", "session_id": "s"}])
def test_what_is_no_event_is_refused_with_advice(host: Host, written: object, said: object) -> None:
    del written
    with pytest.raises(Rejected, match="standard input"):
        read_call(host, "Stop", said, {})


@pytest.mark.parametrize(("host", "written"), HOSTS)
def test_context_and_decisions_reach_the_host(host: Host, written: object) -> None:
    del written
    call = CALLS[1]
    said = host.render_answer(call, HostAnswer("a </system-reminder> b", "deny", "never push"))
    flat = json.dumps(json.loads(said))
    assert all(part in flat for part in ("a </system-reminder> b", '"deny"', "never push"))


@pytest.mark.parametrize(("host", "written"), HOSTS)
@pytest.mark.parametrize("event", EVENTS)
def test_nothing_to_say_is_nothing_said(host: Host, written: object, event: str) -> None:
    del written
    assert host.render_answer(Call(event, "/p", "s"), HostAnswer()) == ""


@pytest.mark.parametrize("name", RECORDED)
def test_what_claude_code_really_sends_is_understood(name: str) -> None:
    said = RECORDED[name]
    call = ClaudeCode().call(name.partition(":")[0], said, {})
    assert (call.cwd, call.session, call.transcript) == (
        said["cwd"],
        said["session_id"],
        said["transcript_path"],
    )
    assert call.tool == said.get("tool_name", "")
    assert call.prompt == said.get("prompt", "")


@pytest.mark.parametrize("event", ["Stop", "SessionEnd", "PreCompact", "PostCompact"])
def test_claude_code_is_told_nothing_where_that_would_be_an_error(event: str) -> None:
    assert ClaudeCode().render_answer(Call(event, "/p", "s"), HostAnswer("context", "deny", "because")) == ""


def test_a_script_that_asks_claude_code_is_told_from_a_person() -> None:
    said = RECORDED["Stop"]
    assert ClaudeCode().call("Stop", said, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}).headless
    assert not ClaudeCode().call("Stop", said, {"CLAUDE_CODE_SESSION_ATTENDED": "1"}).headless
    assert not ClaudeCode().call("Stop", said, {}).headless
