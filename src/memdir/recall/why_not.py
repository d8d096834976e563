"""Why a memory would not be recalled for a query, and what many recalls add up to."""

from collections import Counter
from collections.abc import Sequence

from memdir.conversation.receipts import Receipt
from memdir.recall.rank import Ranked, by_probability
from memdir.recall.recaller import Recaller
from memdir.recall.turn import RecallTurn
from memdir.text.value import value_class

__all__ = ["Stats", "WhyNot", "stats_of", "why_not"]


@value_class(frozen=True, slots=True)
class WhyNot:
    """Which rule keeps a memory from being recalled for a query."""

    file: str
    query: str
    because: str
    """Empty when it would be recalled."""
    rank: int = 0
    """Its place among all memories, 1 the best; 0 when none were ranked."""
    of: int = 0
    ranked: Ranked | None = None
    best: Ranked | None = None


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


def why_not(recaller: Recaller, file: str, query: str) -> WhyNot:
    """Return which rule keeps this file out; nothing is shown, charged or written down."""
    refusal = recaller.refusal(query, recaller.limits.files)
    if refusal:
        return WhyNot(file, query, refusal)
    limits = recaller.limits
    ranked = recaller.rank(query, lambda: 0.0)
    turn = RecallTurn(query, limits.files, seconds=limits.model_budget, timer=recaller.timer)
    current = recaller.without_older(ranked)
    choice = recaller.chooser.choice(turn, current.ranked, *recaller.surfacer.already_shown())
    ranked, cuts = by_probability(current.all), {**choice.cuts, **current.cuts}
    files = [one.header.file for one in ranked]
    if file not in files:
        return WhyNot(file, query, "it is not among the memories that can be read", 0, len(ranked))
    place = files.index(file)
    is_chosen = file in {one.header.file for one in (*choice.ranked, *choice.likely)}
    because = "" if is_chosen else cuts.get(file, "it was not chosen")
    return WhyNot(file, query, because, place + 1, len(ranked), ranked[place], ranked[0])


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
