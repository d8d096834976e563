"""Every adapter answers the same questions the same way, and tells the same troubles by the same errors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from threading import enumerate as threads

import pytest
from tests.conformance.vendors import CALLS, KEY, TEXT, VENDORS, Vendor, open_vendor

from memdir.errors import Cancelled, ModelBusy, ModelError, ModelRejected, ModelReplyError, ModelTimeout
from memdir.models.protocol import Cancel, Message, Prefix, Question, Tool, Usage

ASK = Question((Message("user", "What is six times seven?"),), system="Be brief.", max_tokens=77, timeout=20)
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "integer"}},
    "required": ["answer"],
    "additionalProperties": False,
}
LOOK = Tool("look", "Look at a file.", {"type": "object", "properties": {"at": {"type": "string"}}})


@pytest.fixture(params=VENDORS)
def vendor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vendor]:
    with open_vendor(request.param, tmp_path) as vendor:
        yield vendor


def test_a_plain_question_is_answered_with_what_it_used(vendor: Vendor) -> None:
    vendor.will("plain")
    reply = vendor.model.ask(ASK)
    assert (reply.text, reply.calls, reply.stop, reply.model) == (TEXT, (), "end", "some-model-1")
    assert reply.usage == Usage(70, 9, 30)
    sent = vendor.asked()
    assert "What is six times seven?" in sent
    assert "Be brief." in sent
    assert "77" in sent


def test_a_schema_is_sent_and_the_answer_is_its_json(vendor: Vendor) -> None:
    vendor.will("schema")
    reply = vendor.model.ask(replace(ASK, schema=SCHEMA))
    assert (reply.text, reply.stop) == ('{"answer": 42}', "end")
    assert "additionalProperties" in vendor.asked()


def test_tools_go_out_calls_come_back_and_results_go_out_again(vendor: Vendor) -> None:
    vendor.will("tools")
    first = vendor.model.ask(replace(ASK, tools=(LOOK,)))
    assert first.stop == "tools"
    assert first.text == TEXT
    assert [(call.name, call.arguments) for call in first.calls] == [(c.name, c.arguments) for c in CALLS]
    assert len({call.id for call in first.calls}) == 2
    assert "Look at a file." in vendor.asked()
    results = [
        Message("tool", f"result {call.id}", call_id=call.id, failed=call is first.calls[1])
        for call in first.calls
    ]
    vendor.will("plain")
    exchange = (*ASK.messages, Message("assistant", first.text, first.calls), *results)
    second = vendor.model.ask(replace(ASK, messages=exchange, tools=(LOOK,)))
    assert second.stop == "end"
    for result in results:
        assert result.text in vendor.asked()
        assert result.call_id in vendor.asked()


def test_the_head_of_a_host_goes_out_before_our_own_words(vendor: Vendor) -> None:
    vendor.will("plain")
    head = Prefix("You are the host.", (), ({"role": "user", "content": "said to the host"},))
    vendor.model.ask(replace(ASK, prefix=head))
    sent = vendor.asked()
    assert "You are the host." in sent
    assert sent.index("said to the host") < sent.index("What is six times seven?")
    assert "Be brief." in sent


def test_a_refusal_and_an_answer_that_was_cut_off_say_so(vendor: Vendor) -> None:
    vendor.will("refusal")
    refused = vendor.model.ask(ASK)
    assert (refused.stop, refused.text) == ("refusal", "I will not.")
    vendor.will("length")
    assert vendor.model.ask(replace(ASK, tools=(LOOK,))).stop == "length"


TROUBLES: list[tuple[str, type[ModelError], str]] = [
    ("400", ModelRejected, "does not take the question.*it says so.*nother model"),
    ("401", ModelRejected, r"Check SOME_KEY|log in"),
    ("403", ModelRejected, r"Check SOME_KEY|log in"),
    ("404", ModelRejected, "Check the name|another name"),
    ("408", ModelBusy, "Try again later"),
    ("409", ModelBusy, "Try again later"),
    ("429", ModelBusy, "Try again later"),
    ("500", ModelBusy, "Try again later"),
    ("529", ModelBusy, "Try again later"),
    ("reset", ModelBusy, "Check that the server runs|Try again"),
    ("empty", ModelReplyError, "nothing"),
    ("garbage", ModelReplyError, "something else"),
    ("array", ModelReplyError, "something else"),
    ("deep", ModelReplyError, "something else"),
    ("truncated", ModelReplyError, "something else"),
    ("not-utf-8", ModelReplyError, "something else"),
    ("stranger", ModelReplyError, "no answer of this kind|something else"),
    ("huge", ModelReplyError, "more than 4,000,000 bytes"),
]


@pytest.mark.parametrize(("act", "error", "words"), TROUBLES, ids=[trouble[0] for trouble in TROUBLES])
def test_a_trouble_is_told_with_what_to_do(
    vendor: Vendor, act: str, error: type[ModelError], words: str
) -> None:
    vendor.will(act)
    with pytest.raises(error, match=words) as raised:
        vendor.model.ask(ASK)
    assert vendor.model.name in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_wrong_charset_in_a_header_spoils_nothing(vendor: Vendor) -> None:
    vendor.will("charset")
    assert vendor.model.ask(ASK).text == TEXT


@pytest.mark.parametrize("act", ["hang", "hang-inside", "slow"])
def test_the_time_of_a_question_holds_and_nothing_is_left_behind(vendor: Vendor, act: str) -> None:
    vendor.will("plain")
    vendor.model.ask(ASK)  # so that the time below is not spent on starting up
    vendor.will(act)
    with pytest.raises(ModelTimeout, match=r"within 0\.15 s"):
        vendor.model.ask(replace(ASK, timeout=0.15))
    assert vendor.is_free()
    assert not [thread for thread in threads() if thread.name == "memdir-post"]


@pytest.mark.parametrize("act", ["hang", "hang-inside"])
def test_a_question_that_is_called_off_ends_and_nothing_is_left_behind(vendor: Vendor, act: str) -> None:
    vendor.will(act)
    cancel = Cancel()

    def call_off() -> None:
        vendor.wait()
        cancel.set()

    caller = Thread(target=call_off)
    caller.start()
    with pytest.raises(Cancelled):
        vendor.model.ask(replace(ASK, cancel=cancel))
    caller.join()
    assert vendor.is_free()
    assert not [thread for thread in threads() if thread.name == "memdir-post"]


def test_a_question_called_off_before_it_is_asked_reaches_nobody(vendor: Vendor) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        vendor.model.ask(replace(ASK, cancel=cancel))
    with pytest.raises((IndexError, FileNotFoundError)):
        vendor.asked()
