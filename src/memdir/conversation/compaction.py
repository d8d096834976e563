"""When a conversation has to be compacted, and when to stop trying."""

from memdir.text.value import value_class

__all__ = ["CompactionDecision", "compaction"]


@value_class(frozen=True, slots=True)
class CompactionDecision:
    """Whether to compact now, and the reason."""

    compact: bool
    because: str


def compaction(
    used: int, *, window: int, output: int, reserve: int, failures: int, max_failures: int
) -> CompactionDecision:
    """Decide whether to compact a conversation of this many tokens after so many failures in a row.

    The effective window is the model's window less the output that it may write. Compaction begins when
    only the reserve is left of it: room for the summary and for the turn that is under way.
    """
    at = max(0, window - output) - reserve
    if at <= 0:
        because = (
            f"the threshold is {at:,} tokens: the window less output and reserve leaves no room. "
            "Lower compact.reserveTokens or the output limit, or use a model with a larger window."
        )
    elif used < at:
        because = f"{used:,} tokens are used and compaction begins at {at:,}: {at - used:,} are left."
    elif failures >= max_failures:
        because = f"compaction failed {failures} times in a row and is not tried again in this conversation."
    else:
        return CompactionDecision(True, f"{used:,} tokens are used and compaction begins at {at:,}.")
    return CompactionDecision(False, because)
