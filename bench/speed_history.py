"""What history adds to a save: time after the acknowledgement, and bytes on disk before and after packing."""

import os
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from bench.figures import Row
from bench.ground import Ground
from bench.topics import draft, filled

__all__ = ["rows"]

_COUNTS = (2_000, 4_000)
_SINGLE, _BURST = 24, 300
"""Saves by processes of their own, each of which starts git; and saves of one process in a row."""


@dataclass(frozen=True, slots=True)
class _Size:
    """The bytes of a folder as they are counted and as the disk spends them."""

    counted: int
    spent: int


def rows(ground: Ground) -> list[Row]:
    """Return time and growth per save at both sizes."""
    return [row for count in _COUNTS for row in _at(ground, count)]


def _at(ground: Ground, count: int) -> list[Row]:
    directory, state = ground.path(f"history-{count}"), ground.path(f"history-{count}-state")
    filled(directory, count)
    _tidied(ground, directory, state, "adopt")
    return [*_single(ground, directory, state, count), *_burst(ground, directory, state, count)]


def _single(ground: Ground, directory: str, state: str, count: int) -> list[Row]:
    label, packed = (
        f"history at {count:,}, saves by separate processes",
        _tidied(ground, directory, state, "pack"),
    )
    seconds, sizes = [], [packed]
    for number in range(count, count + _SINGLE):
        with ground.subject(directory, state) as subject:
            seconds.append(float(subject.ask("save", **draft(number))["history"]))
        sizes.append(_size(state))
    growth = [(new.counted - old.counted, new.spent - old.spent) for old, new in pairwise(sizes)]
    repacked = _tidied(ground, directory, state, "pack")
    return [
        Row(f"{label}: time a save", median(seconds), "s"),
        Row(f"{label}: growth a save, loose", median(one[0] for one in growth), "bytes"),
        Row(f"{label}: growth a save, loose, disk blocks", median(one[1] for one in growth), "bytes"),
        Row(f"{label}: growth a save, packed", (repacked.counted - packed.counted) / _SINGLE, "bytes"),
    ]


def _burst(ground: Ground, directory: str, state: str, count: int) -> list[Row]:
    label, packed = (
        f"history at {count:,}, {_BURST} saves in a row",
        _tidied(ground, directory, state, "pack"),
    )
    with ground.subject(directory, state) as subject:
        answers = [subject.ask("save", **draft(number)) for number in range(10**6, 10**6 + _BURST)]
        last = float(subject.ask("commit")["seconds"])
    loose = _size(state)
    repacked = _tidied(ground, directory, state, "pack")
    seconds = sum(float(answer["history"]) for answer in answers) + last
    return [
        Row(f"{label}: time a save", seconds / _BURST, "s"),
        Row(f"{label}: growth a save, as left", (loose.counted - packed.counted) / _BURST, "bytes"),
        Row(f"{label}: growth a save, packed", (repacked.counted - packed.counted) / _BURST, "bytes"),
    ]


def _tidied(ground: Ground, directory: str, state: str, verb: str) -> _Size:
    with ground.subject(directory, state) as subject:
        subject.ask(verb)
    return _size(state)


def _size(state: str) -> _Size:
    found = [
        os.stat(os.path.join(folder, name))
        for folder, _, names in os.walk(os.path.join(state, "history.git"))
        for name in names
    ]
    return _Size(sum(status.st_size for status in found), sum(status.st_blocks * 512 for status in found))
