"""The price of a call by the vendor's public list, where the vendor itself was asked."""

import re
from collections.abc import Mapping

from memdir.models.protocol import Usage
from memdir.resources import read_table, rows_of
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
    name: Price(*map(float, dollars.split()))
    for name, dollars in rows_of(read_table(__file__, "prices.txt")["prices"]).items()
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
