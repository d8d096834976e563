"""The price of a call by the vendor's public list, where the vendor itself was asked."""

import re
from collections.abc import Mapping

from memdir.models.protocol import Usage
from memdir.text.value import value_class

__all__ = ["PRICES", "PRICES_DATE", "Price", "listed_price", "price_of"]

PRICES_DATE = "2026-11-15"
"""The day on which the lists were read; a later change makes the figures wrong, never the caps."""


@value_class(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def of(self, usage: Usage) -> float:
        """Return the price of one call, in dollars."""
        cost = usage.input * self.input + usage.output * self.output
        return (cost + usage.cache_read * self.cache_read + usage.cache_write * self.cache_write) / 1_000_000


PRICES: Mapping[str, Price] = {
    "anthropic:claude-fable-5-1": Price(10, 50, 0.25, 12.5),
    "anthropic:claude-fable-5": Price(10, 50, 1, 12.5),
    "anthropic:claude-opus-5-5": Price(4, 20, 0.2, 5),
    "anthropic:claude-opus-5": Price(5, 25, 0.5, 6.25),
    "anthropic:claude-opus-4-8": Price(5, 25, 0.5, 6.25),
    "anthropic:claude-opus-4-7": Price(5, 25, 0.5, 6.25),
    "anthropic:claude-opus-4-6": Price(5, 25, 0.5, 6.25),
    "anthropic:claude-opus-4-5": Price(5, 25, 0.5, 6.25),
    "anthropic:claude-sonnet-5-5": Price(2, 10, 0.1, 2.5),
    "anthropic:claude-sonnet-5": Price(2, 10, 0.2, 2.5),
    "anthropic:claude-sonnet-4-6": Price(3, 15, 0.3, 3.75),
    "anthropic:claude-sonnet-4-5": Price(3, 15, 0.3, 3.75),
    "anthropic:claude-haiku-5-5": Price(0.1, 0.5, 0.01, 0.125),
    "anthropic:claude-haiku-4-5": Price(1, 5, 0.1, 1.25),
    "openai:gpt-6-sol": Price(2, 10, 0.2, 2.5),
    "openai:gpt-6-luna": Price(0.1, 0.5, 0.01, 0.125),
    "openai:gpt-5.4": Price(2.5, 15, 0.25, 0),
    "openai:gpt-5.4-mini": Price(0.75, 4.5, 0.075, 0),
    "openai:gpt-5.4-nano": Price(0.2, 1.25, 0.02, 0),
    "openai:gpt-5.2": Price(1.75, 14, 0.175, 0),
    "openai:gpt-5": Price(1.25, 10, 0.125, 0),
    "openai:gpt-5-mini": Price(0.25, 2, 0.025, 0),
    "openai:gpt-4.1": Price(2, 8, 0.5, 0),
    "openai:gpt-4.1-mini": Price(0.4, 1.6, 0.1, 0),
    "openai:gpt-4o-mini": Price(0.15, 0.6, 0.075, 0),
}
"""By the name that settings use; a model at another address has that in its name, and so no price."""

_LONG = {"anthropic:claude-haiku-5-5": (100_000, 5.0)}
"""Models whose price is a multiple of the listed one when more tokens than this are sent."""

_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


def price_of(model: str, usage: Usage) -> float | None:
    """Return what a call cost in dollars; None when no list names the model."""
    price = listed_price(model)
    if price is None:
        return None
    limit, factor = _LONG.get(_undated(model), (0, 1.0))
    sent = usage.input + usage.cache_read + usage.cache_write
    return price.of(usage) * (factor if limit and sent > limit else 1.0)


def listed_price(model: str) -> Price | None:
    """Return the price of a model, whichever date its name ends in; None when no list names it."""
    return PRICES.get(_undated(model))


def _undated(model: str) -> str:
    return _DATED.sub("", model)
