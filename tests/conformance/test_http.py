"""Over HTTP a question is sent again while that helps, and the key goes to one server only."""

import json
from collections.abc import Iterator
from dataclasses import replace
from socket import socket
from threading import Event
from time import monotonic

import pytest
from tests.conformance.server import Request, Server, http, reset, served
from tests.conformance.vendors import CALLS, FAST, KEY, TEXT, HttpVendor

from memdir.errors import Cancelled, ModelBusy, ModelRejected, ModelReplyError, ModelTimeout
from memdir.models.protocol import Cancel, Message, Model, Prefix, Question, Tool, ToolCall
from memdir.models.vendors.address import Address
from memdir.models.vendors.anthropic import AnthropicModel
from memdir.models.vendors.http import Backoff
from memdir.models.vendors.openai import OpenAIModel

ASK = Question((Message("user", "hello"),), timeout=20)
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
SCHEMA_TEXT = json.dumps(SCHEMA)
CLOSED = {**SCHEMA, "required": ["n"], "additionalProperties": False}
LOOK = Tool("look", "Look.", {"type": "object"})
VENDORS: dict[str, type[AnthropicModel] | type[OpenAIModel]] = {
    "anthropic": AnthropicModel,
    "openai": OpenAIModel,
}


@pytest.fixture(params=VENDORS)
def vendor(request: pytest.FixtureRequest) -> Iterator[HttpVendor]:
    with served() as server:
        yield HttpVendor(request.param, server)


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as server:
        yield server


def model_at(url: str, *, vendor: str = "openai", backoff: Backoff = FAST, **env: str) -> Model:
    address = Address(url, key_name="SOME_KEY", env={"SOME_KEY": KEY, **env})
    return VENDORS[vendor]("some-model", address, backoff=backoff)


def last_words(request: Request) -> str:
    content = request.body["messages"][-1]["content"]
    return content if isinstance(content, str) else str(content[-1]["text"])


def sent(vendor: HttpVendor, question: Question) -> dict[str, object]:
    """Return the body that a question becomes."""
    vendor.will("plain")
    vendor.model.ask(question)
    return vendor.server.requests[-1].body


def test_trouble_that_passes_is_waited_out(vendor: HttpVendor) -> None:
    for act in ("529", "reset", "plain"):
        vendor.will(act)
    assert vendor.model.ask(ASK).stop == "end"
    assert len(vendor.server.requests) == 3


def test_trouble_that_stays_is_told_after_the_last_attempt(vendor: HttpVendor) -> None:
    vendor.will("500")
    with pytest.raises(ModelBusy, match="after 3 attempts"):
        vendor.model.ask(ASK)
    assert len(vendor.server.requests) == 3


def test_what_another_attempt_cannot_mend_is_asked_once(vendor: HttpVendor) -> None:
    vendor.will("404")
    with pytest.raises(ModelRejected):
        vendor.model.ask(ASK)
    assert len(vendor.server.requests) == 1


def test_a_server_that_asks_to_wait_a_little_is_asked_after_that(server: Server) -> None:
    server.acts.put(http(429, retry_after="0.4"))
    server.acts.put(http(200, b'{"choices": [{"message": {"content": "yes"}}]}'))
    model, began = (
        model_at(server.url, backoff=Backoff(attempts=2, first=10_000, longest=10_000)),
        monotonic(),
    )
    assert model.ask(ASK).text == "yes"
    assert monotonic() - began >= 0.4  # a busy machine only makes it longer
    assert len(server.requests) == 2


def test_a_server_that_asks_to_wait_too_long_is_not_waited_for(server: Server) -> None:
    server.acts.put(http(429, retry_after="100"))
    with pytest.raises(ModelBusy, match="asks to wait 100 s"):
        model_at(server.url).ask(ASK)
    assert len(server.requests) == 1


def test_the_time_of_a_question_holds_over_all_attempts(server: Server) -> None:
    def reset_later(line: socket) -> None:
        Event().wait(0.05)
        reset(line)

    server.acts.put(reset_later)
    with pytest.raises(ModelTimeout):
        model_at(server.url, backoff=Backoff(attempts=40, first=0)).ask(replace(ASK, timeout=0.3))
    assert len(server.requests) < 40


def test_a_pause_between_attempts_can_be_called_off(server: Server) -> None:
    cancel = Cancel()

    def busy(line: socket) -> None:
        http(503)(line)
        Event().wait(0.1)  # by then the pause has begun
        cancel.set()

    server.acts.put(busy)
    model = model_at(server.url, backoff=Backoff(first=10_000, longest=10_000))
    with pytest.raises(Cancelled):
        model.ask(replace(ASK, timeout=20_000, cancel=cancel))
    assert len(server.requests) == 1


def test_where_nobody_listens_one_attempt_is_enough() -> None:
    with served() as server:
        url = server.url
    with pytest.raises(ModelBusy, match=r"cannot be reached at http://127\S+: connection refused\. Check"):
        model_at(url).ask(ASK)  # after several attempts the message would say how many


def test_a_redirect_is_not_followed_and_the_key_stays_here(server: Server) -> None:
    with served() as other:
        server.acts.put(http(307, location=other.url))
        with pytest.raises(ModelRejected, match="sends questions elsewhere"):
            model_at(server.url).ask(ASK)
        assert other.requests == []


def test_a_key_that_a_server_repeats_is_not_told(server: Server) -> None:
    server.acts.put(http(400, json.dumps({"error": {"message": f"bad header {KEY}!"}}).encode()))
    with pytest.raises(ModelRejected, match=r"bad header \[key\]!"):
        model_at(server.url).ask(ASK)


def test_this_machine_is_never_asked_through_a_proxy(server: Server) -> None:
    server.acts.put(http(200, b'{"choices": [{"message": {"content": "yes"}}]}'))
    model = model_at(server.url, http_proxy="http://127.0.0.1:9", ALL_PROXY="http://127.0.0.1:9")
    assert model.ask(ASK).text == "yes"


def test_other_machines_are_asked_through_the_proxy_that_the_environment_names(server: Server) -> None:
    server.acts.put(http(200, b'{"choices": [{"message": {"content": "yes"}}]}'))
    assert model_at("http://model.invalid/v1", http_proxy=server.url).ask(ASK).text == "yes"
    (request,) = server.requests
    assert request.path == "http://model.invalid/v1/chat/completions"
    assert KEY not in str(request.headers)  # http to another machine would show it


def test_the_key_goes_into_the_header_of_its_vendor(server: Server) -> None:
    for vendor in VENDORS:
        server.acts.put(http(404))
        with pytest.raises(ModelRejected):
            model_at(server.url, vendor=vendor).ask(ASK)
    first, second = server.requests
    assert (first.path, first.headers["x-api-key"]) == ("/v1/messages", KEY)
    assert first.headers["anthropic-version"] == "2023-06-01"
    assert (second.path, second.headers["authorization"]) == ("/chat/completions", f"Bearer {KEY}")


def test_a_server_that_takes_no_schema_gets_it_in_words_from_then_on(vendor: HttpVendor) -> None:
    question = replace(ASK, schema=SCHEMA)
    for act in ("400", "schema", "schema"):
        vendor.will(act)
    assert [vendor.model.ask(question).text for _ in range(2)] == ['{"answer": 42}'] * 2
    assert [SCHEMA_TEXT in last_words(request) for request in vendor.server.requests] == [False, True, True]
    formats = [{"output_config", "response_format"} & set(r.body) for r in vendor.server.requests]
    assert [bool(one) for one in formats] == [True, False, False]


def test_a_question_that_is_refused_either_way_is_told_as_refused(vendor: HttpVendor) -> None:
    vendor.will("400")
    with pytest.raises(ModelRejected, match="it says so"):
        vendor.model.ask(replace(ASK, schema=SCHEMA))
    assert len(vendor.server.requests) == 2


def test_anthropics_wire_form() -> None:
    with served() as server:
        vendor = HttpVendor("anthropic", server)
        exchange = (
            Message("user", "one"),
            Message("assistant", "", (ToolCall("a", "look", {"at": 1}), ToolCall("b", "look", {}))),
            Message("tool", "found", call_id="a"),
            Message("tool", "gone", call_id="b", failed=True),
        )
        body = sent(vendor, Question(exchange, "System.", SCHEMA, (LOOK,), 9, 20, cached=True))
    assert body == {
        "model": "some-model",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "System.", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "look", "description": "Look.", "input_schema": {"type": "object"}}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "one"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "a", "name": "look", "input": {"at": 1}},
                    {"type": "tool_use", "id": "b", "name": "look", "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "found"},
                    {"type": "tool_result", "tool_use_id": "b", "content": "gone", "is_error": True},
                ],
            },
        ],
    }


def test_openais_wire_form() -> None:
    with served() as server:
        vendor = HttpVendor("openai", server)
        exchange = (
            Message("user", "one"),
            Message("assistant", "let me look", (ToolCall("a", "look", {"at": 1}),)),
            Message("tool", "found", call_id="a"),
        )
        body = sent(vendor, Question(exchange, "System.", CLOSED, (LOOK,), 9, 20, cached=True))
    form = {"name": "reply", "schema": CLOSED, "strict": True}
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    look = {"name": "look", "description": "Look.", "parameters": {"type": "object"}}
    assert body == {
        "model": "some-model",
        "max_tokens": 9,
        "tools": [{"type": "function", "function": look}],
        "response_format": {"type": "json_schema", "json_schema": form},
        "messages": [
            {"role": "system", "content": "System."},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "let me look", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "found"},
        ],
    }


HEAD = Prefix(
    [{"type": "text", "text": "Host.", "cache_control": {"type": "ephemeral"}}],
    [{"name": "look", "input_schema": {}, "function": {"name": "look"}}],
    [{"role": "user", "content": "said"}, {"role": "assistant", "content": "yes"}],
)


def head_of(body: dict[str, object]) -> bytes:
    """Return what a vendor's cache sees of the host's request: system, tools, then the messages."""
    messages = body["messages"]
    assert isinstance(messages, list)
    system = body.get("system") or messages[0]["content"]
    said = [one for one in messages if one["role"] != "system"]
    return json.dumps([system, body["tools"], said[: len(HEAD.messages)]]).encode()


def test_the_head_of_a_host_is_sent_byte_for_byte_and_our_tools_behind_it(vendor: HttpVendor) -> None:
    question = replace(ASK, system="Ours.", tools=(LOOK,), prefix=HEAD, cached=True)
    vendor.will("told")
    first = vendor.model.ask(question)
    assert first.stop == "tools"
    assert [(call.name, call.arguments) for call in first.calls] == [(c.name, c.arguments) for c in CALLS]
    results = [Message("tool", f"result of {call.id}", call_id=call.id) for call in first.calls]
    exchange = (*ASK.messages, Message("assistant", first.text, first.calls), *results)
    vendor.will("plain")
    second = vendor.model.ask(replace(question, messages=exchange))
    assert (second.text, second.calls, second.stop) == (TEXT, (), "end")
    whole = json.dumps([HEAD.system, HEAD.tools, HEAD.messages]).encode()
    for request in vendor.server.requests:
        assert head_of(request.body) == whole
        assert not {"output_config", "response_format", "tool_choice"} & request.body.keys()
    shorter, longer = (request.body["messages"] for request in vendor.server.requests)
    assert longer[: len(shorter)] == shorter, "the second turn goes on from the first"
    assert "Look." in json.dumps(shorter)
    assert f"result of {first.calls[1].id}" in json.dumps(longer)


def test_calls_behind_the_head_of_a_host_that_cannot_be_read_are_told(vendor: HttpVendor) -> None:
    vendor.will("told-badly")
    with pytest.raises(ModelReplyError, match="did not name its calls"):
        vendor.model.ask(replace(ASK, tools=(LOOK,), prefix=HEAD))


def test_a_call_of_the_hosts_own_tool_is_handed_on_to_be_refused(vendor: HttpVendor) -> None:
    vendor.will("tools")
    reply = vendor.model.ask(replace(ASK, tools=(LOOK,), prefix=HEAD))
    assert [call.name for call in reply.calls] == [call.name for call in CALLS]
    vendor.will("plain")
    answered = [Message("tool", "refused", call_id=call.id, failed=True) for call in reply.calls]
    exchange = (*ASK.messages, Message("assistant", reply.text, reply.calls), *answered)
    vendor.model.ask(replace(ASK, messages=exchange, tools=(LOOK,), prefix=HEAD))
    assert "tool_use" not in vendor.asked()
    assert "refused" in vendor.asked()
