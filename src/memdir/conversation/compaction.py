"""When a conversation has to be compacted, and when to stop trying."""

from memdir.text.value import value_class

__all__ = [
    "FAILURES",
    "RESERVE",
    "Breaker",
    "CompactionDecision",
    "compaction",
    "effective_window",
    "threshold",
]

RESERVE = 13_000
"""Tokens left free below the effective window: room for the summary and for the turn that is under way."""

FAILURES = 3
"""Failures in a row after which it is not tried again: one more would cost as much and fail as well."""


@value_class(frozen=True, slots=True)
class Breaker:
    """How often compaction has failed in a row."""

    failures: int = 0
    limit: int = FAILURES

    @property
    def open(self) -> bool:
        """Whether it has failed so often that it is not tried any more."""
        return self.failures >= self.limit


@value_class(frozen=True, slots=True)
class CompactionDecision:
    """Whether to compact now, and the reason."""

    compact: bool
    because: str


def effective_window(window: int, output: int) -> int:
    """Return what a conversation may fill of the model's window: all but the output that it may write."""
    return max(0, window - output)


def threshold(window: int, output: int, reserve: int = RESERVE) -> int:
    """Return the tokens from which a conversation is compacted; 0 or less leaves no room for one at all."""
    return effective_window(window, output) - reserve


def compaction(used: int, at: int, breaker: Breaker | None = None) -> CompactionDecision:
    """Decide whether a conversation of this many tokens is compacted, given the threshold."""
    breaker = breaker or Breaker()
    if at <= 0:
        return CompactionDecision(compact=False, because=_NO_ROOM.format(at=at))
    if used < at:
        return CompactionDecision(compact=False, because=_BELOW.format(used=used, at=at, left=at - used))
    if breaker.open:
        return CompactionDecision(compact=False, because=_BROKEN.format(failures=breaker.failures))
    return CompactionDecision(compact=True, because=_REACHED.format(used=used, at=at))


_NO_ROOM = (
    "the threshold is {at:,} tokens: the window less output and reserve leaves no room. "
    "Lower compact.reserveTokens or the output limit, or use a model with a larger window."
)
_BELOW = "{used:,} tokens are used and compaction begins at {at:,}: {left:,} are left."
_BROKEN = "compaction failed {failures} times in a row and is not tried again in this conversation."
_REACHED = "{used:,} tokens are used and compaction begins at {at:,}."
