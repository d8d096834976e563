"""A price is told where a public list has one, and never guessed."""

import pytest

from memdir.models.ledger import PRICES, price_of
from memdir.models.protocol import Usage

CALL = Usage(input=1000, output=100, cache_read=10_000, cache_write=2000)


def test_every_kind_of_token_has_its_own_price() -> None:
    assert price_of("anthropic:claude-haiku-4-5", CALL) == pytest.approx(0.001 + 0.0005 + 0.001 + 0.0025)


@pytest.mark.parametrize("dated", ["anthropic:claude-haiku-4-5-20251001", "openai:gpt-5-2025-08-07"])
def test_a_dated_name_has_the_price_of_its_model(dated: str) -> None:
    assert price_of(dated, CALL) is not None


@pytest.mark.parametrize(
    "unknown",
    [
        "openai:gpt-5-turbo",
        "openai:gpt-5@http://127.0.0.1:1/v1",
        "claude-cli",
        "scripted",
        "anthropic:claude-haiku-4",
    ],
)
def test_an_unknown_model_has_none(unknown: str) -> None:
    assert price_of(unknown, CALL) is None


def test_a_model_that_is_dearer_when_much_is_sent_is_priced_so() -> None:
    assert price_of("anthropic:claude-haiku-5-5", Usage(input=100_000)) == pytest.approx(0.01)
    assert price_of("anthropic:claude-haiku-5-5", Usage(input=1, cache_read=100_000)) == pytest.approx(
        0.0050005
    )


def test_what_is_answered_costs_more_than_what_is_sent_and_the_cache_less() -> None:
    wrong = [
        f"{name}: {price}"
        for name, price in PRICES.items()
        if not price.cache_read < price.input < price.output
    ]
    assert not wrong, "\n".join(wrong)
