"""What many recalls add up to: `memdir stats`."""

from collections import Counter
from collections.abc import Sequence

from memdir.conversation.receipts import Receipt
from memdir.text.value import value_class

__all__ = ["Stats", "stats_of"]


@value_class(frozen=True, slots=True)
class Stats:
    """What the receipts that are kept say together."""

    recalls: int
    """Those that looked for memories, whether they found any or not."""
    empty: int
    skipped: dict[str, int]
    """Prompts that were not looked at, by reason."""
    methods: dict[str, int]
    fallbacks: int
    tokens: int
    model_tokens: int
    recalled: dict[str, int]
    """How often each memory was shown, in full or as a line; most often first."""
    never: tuple[str, ...]
    """Memories that were never shown."""
    milliseconds: dict[str, float]
    """Time of a recall at the 50th, 90th and 99th percentile, and the longest."""
    since: str = ""


def stats_of(receipts: Sequence[Receipt], files: Sequence[str]) -> Stats:
    """Add receipts up, newest first, over the memories there are now."""
    done = [receipt for receipt in receipts if not receipt.because]
    counts = Counter(file for receipt in done for file in receipt.given)
    times = sorted(receipt.milliseconds for receipt in done)
    return Stats(
        recalls=len(done),
        empty=sum(not receipt.given for receipt in done),
        skipped=dict(Counter(receipt.because for receipt in receipts if receipt.because).most_common()),
        methods=dict(Counter(receipt.method for receipt in done).most_common()),
        fallbacks=sum(bool(receipt.fallbacks) for receipt in receipts),
        tokens=sum(receipt.tokens for receipt in done),
        model_tokens=sum(receipt.model_tokens for receipt in done),
        recalled=dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        never=tuple([file for file in files if file not in counts]),
        milliseconds={name: _percentile(times, share) for name, share in _SHARES.items()} if times else {},
        since=receipts[-1].at if receipts else "",
    )


_SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1.0}


def _percentile(times: Sequence[float], share: float) -> float:
    """Return the smallest time that this share of all does not exceed."""
    return times[max(0, -int(-share * len(times) // 1) - 1)]
