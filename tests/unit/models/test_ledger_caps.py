"""A cap that is used up is told with what to do; everything that is sent counts."""

import pytest

from memdir.models.ledger import Caps, TokensUsed, input_estimate, most_tokens, refusal
from memdir.models.protocol import Message, Prefix, Question, Tool, ToolCall

CAPS = Caps(per_conversation=100, per_day=1000, per_call=5000)
ASK = Question((Message("user", "hello"),), max_tokens=10, job="extract")


def why(used: TokensUsed, question: Question = ASK, caps: Caps = CAPS) -> str:
    return str(refusal(question, used, caps, day="2026-11-15") or "")


def test_below_the_caps_everything_may_be_asked() -> None:
    assert why(TokensUsed(99, 999)) == ""


@pytest.mark.parametrize(
    ("used", "words"),
    [
        (
            TokensUsed(0, 1000),
            "1,000 of 1,000 tokens .* on 2026-11-15. The extract job pauses until .* raise cost.perDay",
        ),
        (
            TokensUsed(130, 0),
            "130 of 100 .* in this conversation. The extract job .* raise cost.perConversation",
        ),
    ],
)
def test_a_cap_that_is_used_up_says_which_and_until_when(used: TokensUsed, words: str) -> None:
    import re

    assert re.search(words, why(used))


def test_no_tokens_mean_no_calls() -> None:
    assert "0 of 0 tokens" in why(TokensUsed(0, 0), caps=Caps(0, 0))


def test_one_call_has_a_cap_of_its_own() -> None:
    assert "up to 5,014 tokens in one call, where 5,000" in why(
        TokensUsed(0, 0), Question((Message("user", "x" * 8),), max_tokens=5010)
    )


@pytest.mark.parametrize(
    "question",
    [
        Question((Message("user", "x" * 4000),)),
        Question((), system="x" * 4000),
        Question((Message("assistant", "", (ToolCall("1", "look", {"at": "x" * 4000}),)),)),
        Question((), schema={"type": "x" * 4000}),
        Question((), tools=(Tool("look", "x" * 4000, {}),)),
        Question((), prefix=Prefix("x" * 4000, (), ())),
        Question((), prefix=Prefix("", [{"name": "x" * 4000}], ())),
        Question((), prefix=Prefix("", (), [{"role": "user", "content": "x" * 4000}])),
    ],
)
def test_everything_that_is_sent_counts(question: Question) -> None:
    assert 1000 <= input_estimate(question) < 1050
    assert most_tokens(question) >= 2 * 1000 + question.max_tokens
