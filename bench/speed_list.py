"""Listing every memory: 2,000 in a running process, and 100,000 in three states of the catalog."""

from collections.abc import Callable
from statistics import median

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.listing import Listed, checked_list, fresh_listing, reading_seconds, without_state
from bench.topics import Filled

__all__ = ["rows"]

_SMALL, _LARGE = 2_000, 100_000
_SMALL_ROUNDS, _LARGE_ROUNDS = 60, 5
"""A listing of 2,000 takes milliseconds, so that many samples are cheap; one of 100,000 takes a second."""


def rows(ground: Ground) -> list[Row]:
    """Return the figures of both sizes."""
    return [_small(ground), *_large(ground)]


def _small(ground: Ground) -> Row:
    memories = ground.memories(_SMALL)
    with ground.subject(memories.directory, ground.path("list-state")) as subject:
        checked_list(subject, memories)
        return interleaved(
            lambda: checked_list(subject, memories), lambda: reading_seconds(ground, memories), _SMALL_ROUNDS
        ).row("list of 2,000, warm", 1.5)


def _large(ground: Ground) -> list[Row]:
    memories, state = ground.memories(_LARGE), ground.path("large-state")
    return [
        *_fresh(ground, memories, "no catalog yet", lambda: without_state(state), 4),
        *_fresh(ground, memories, "catalog on disk", lambda: state, 2),
        *_warm(ground, memories, state),
    ]


def _fresh(
    ground: Ground, memories: Filled, case: str, state: Callable[[], str], at_most: float
) -> list[Row]:
    listed: list[Listed] = []

    def ours() -> float:
        listed.append(fresh_listing(ground, memories, state(), None))
        return listed[-1].seconds

    pair = interleaved(ours, lambda: reading_seconds(ground, memories), _LARGE_ROUNDS)
    whole, cpu = median(one.whole for one in listed), median(one.cpu for one in listed)
    return [
        pair.row(f"list of 100,000, {case}", at_most),
        Row(f"list of 100,000, {case}, resident", max(one.peak for one in listed) / 1e6, "MB", at_most=160),
        Row(f"list of 100,000, {case}, interpreter start included", whole, "s", median(pair.yardstick)),
        Row(f"list of 100,000, {case}, processor time", cpu, "s"),
    ]


def _warm(ground: Ground, memories: Filled, state: str) -> list[Row]:
    with ground.subject(memories.directory, state) as subject:
        checked_list(subject, memories)
        pair = interleaved(
            lambda: checked_list(subject, memories), lambda: reading_seconds(ground, memories), _LARGE_ROUNDS
        )
        peak = int(subject.ask("peak")["bytes"])
    return [
        pair.row("list of 100,000, warm", 2),
        Row("list of 100,000, warm, resident", peak / 1e6, "MB", at_most=160),
    ]
