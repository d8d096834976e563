"""Healing the view of an index over 10,000 memories against listing them."""

import os
from statistics import median

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.listing import checked_list, without_state
from bench.process import Served
from bench.topics import Filled, filled

__all__ = ["rows"]

_COUNT, _ROUNDS, _COLD_ROUNDS = 10_000, 25, 7
_INDEX = "MEMORY.md"


def rows(ground: Ground) -> list[Row]:
    """Return the view of a missing, a damaged and a complete index, warm; and of a missing one, cold."""
    memories = filled(ground.path("view-memories"), _COUNT)
    found = [_warm(ground, memories, "index missing", 3), *_cold(ground, memories)]
    with ground.subject(memories.directory, ground.path("view-state")) as subject:
        subject.ask("adopt")
    found.append(_warm(ground, memories, "index complete", 3))
    _damage(os.path.join(memories.directory, _INDEX))
    found.append(_warm(ground, memories, "every other pointer gone, as many to nothing", 3))
    return found


def _warm(ground: Ground, memories: Filled, case: str, at_most: float) -> Row:
    with ground.subject(memories.directory, ground.path("view-state")) as subject:
        _view(subject)
        return interleaved(lambda: _view(subject), lambda: checked_list(subject, memories), _ROUNDS).row(
            f"healed view of 10,000, {case}, warm", at_most
        )


def _cold(ground: Ground, memories: Filled) -> list[Row]:
    state = ground.path("view-cold-state")

    def first_call(verb: str) -> float:
        with ground.subject(memories.directory, without_state(state)) as subject:
            return _view(subject) if verb == "index" else checked_list(subject, memories)

    pair = interleaved(lambda: first_call("index"), lambda: first_call("list"), _COLD_ROUNDS)
    return [
        Row(
            "healed view of 10,000, index missing, first call without a catalog",
            median(pair.ours),
            "s",
            median(pair.yardstick),
            note=pair.spread(),
        )
    ]


def _view(subject: Served) -> float:
    answer = subject.ask("index")
    if not answer["lines"]:
        raise RuntimeError("The healed view is empty.")
    return float(answer["seconds"])


def _damage(index: str) -> None:
    """Let every other pointer of the index lead to a file that is not there."""
    with open(index, encoding="utf-8") as file:
        lines = file.read().split("\n")
    broken = [line.replace("](", "](gone_", 1) if number % 2 else line for number, line in enumerate(lines)]
    with open(index, "w", encoding="utf-8") as file:
        file.write("\n".join(broken))
