"""One token cannot take a node from the others: requests in a second, at once, and bytes of a body."""

import asyncio

import pytest
from starlette.exceptions import HTTPException
from starlette.types import Message

from memdir.hub.calls import Gate, RequestLimits, limit_body


class Seconds:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def refused(gate: Gate, key: bytes) -> HTTPException | None:
    """Return why one more request is not let in; None when it is, and has ended."""
    try:
        with gate.admit(key):
            return None
    except HTTPException as error:
        return error


def test_a_token_may_send_twice_its_rate_at_first_and_then_its_rate() -> None:
    clock = Seconds()
    gate = Gate(RequestLimits(rate=5, at_once=100), clock)
    assert [refused(gate, b"a") for _ in range(10)] == [None] * 10
    error = refused(gate, b"a")
    assert error
    assert (error.status_code, dict(error.headers or {})) == (429, {"Retry-After": "1"})
    clock.now += 1
    assert [bool(refused(gate, b"a")) for _ in range(6)] == [False] * 5 + [True]


def test_another_token_has_limits_of_its_own() -> None:
    gate = Gate(RequestLimits(rate=1, at_once=1), Seconds())
    with gate.admit(b"a"):
        assert refused(gate, b"b") is None
        error = refused(gate, b"a")
    assert error
    assert "at once" in error.detail
    assert refused(gate, b"a") is None


def test_a_request_that_failed_makes_room_again() -> None:
    gate = Gate(RequestLimits(rate=50, at_once=1), Seconds())
    with pytest.raises(ZeroDivisionError), gate.admit(b"a"):
        raise ZeroDivisionError
    assert refused(gate, b"a") is None


def test_of_many_tokens_only_those_are_remembered_that_asked_last() -> None:
    gate = Gate(RequestLimits(), Seconds())
    for number in range(20_100):
        assert refused(gate, b"%d" % number) is None
    assert len(gate._uses) == 20_000
    assert b"0" not in gate._uses


def test_a_body_over_the_limit_is_refused_while_it_arrives() -> None:
    sent = iter([b"1234", b"5678", b"9"])

    async def receive() -> Message:
        return {"type": "http.request", "body": next(sent), "more_body": True}

    async def read() -> list[int]:
        counted = limit_body(receive, 8)
        return [len((await counted())["body"]) for _ in range(3)]

    with pytest.raises(HTTPException) as error:
        asyncio.run(read())
    assert error.value.status_code == 413
