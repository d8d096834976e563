"""The newest 200 of 100,000 memories, by a fresh process that has no catalog."""

from statistics import median

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.listing import Listed, fresh_listing, reading_seconds, without_state
from bench.topics import NEWEST

__all__ = ["rows"]

_COUNT, _ROUNDS = 100_000, 7
_FEW_DESCRIPTORS = ("sh", "-c", 'ulimit -n 256; exec "$@"', "sh")


def rows(ground: Ground) -> list[Row]:
    """Return time, memory, and whether anything is lost with few descriptors."""
    memories, state = ground.memories(_COUNT), ground.path("newest-state")
    listed: list[Listed] = []

    def ours() -> float:
        listed.append(fresh_listing(ground, memories, without_state(state), NEWEST))
        return listed[-1].seconds

    pair = interleaved(ours, lambda: reading_seconds(ground, memories), _ROUNDS)
    whole = median(one.whole for one in listed)
    # `fresh_listing` raises when one of the 200, or their order, is not right.
    fresh_listing(ground, memories, without_state(state), NEWEST, *_FEW_DESCRIPTORS)
    fresh_listing(ground, memories, without_state(state), None, *_FEW_DESCRIPTORS)
    return [
        pair.row("newest 200 of 100,000", 1),
        Row("newest 200 of 100,000, resident", max(one.peak for one in listed) / 1e6, "MB", at_most=80),
        Row("newest 200 and all of 100,000, lost under ulimit -n 256", 0, "files", at_most=0),
        Row("newest 200 of 100,000, interpreter start included", whole, "s", median(pair.yardstick)),
    ]
