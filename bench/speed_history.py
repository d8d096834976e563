"""What follows the acknowledgement of a save: history and vectors, their time, and the bytes of history."""

import os
import subprocess
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
class _Place:
    """A memory directory and its state folder, in one run."""

    ground: Ground
    memory: str
    state: str

    @property
    def repository(self) -> str:
        """Return where the history lies."""
        return os.path.join(self.state, "history.git")

    def sizes(self) -> tuple[int, int]:
        """Return the bytes of the history as they are counted, and as the disk spends them."""
        walked = os.walk(self.repository)
        found = [os.stat(os.path.join(folder, name)) for folder, _, names in walked for name in names]
        return sum(status.st_size for status in found), sum(status.st_blocks * 512 for status in found)

    def packed(self) -> int:
        """Pack the whole history, as its own tidying does in time, and return its bytes."""
        command = ["git", "--git-dir", self.repository, "repack", "--quiet", "-a", "-d"]
        subprocess.run(command, env=self.ground.env, check=True)
        return self.sizes()[0]


def rows(ground: Ground) -> list[Row]:
    """Return time and growth per save at both sizes."""
    found: list[Row] = []
    for count in _COUNTS:
        place = _Place(ground, ground.path(f"history-{count}"), ground.path(f"history-{count}-state"))
        filled(place.memory, count)
        with ground.subject(place.memory, place.state) as subject:
            subject.ask("adopt")
        found += [*_single(place, count), *_burst(place, count)]
    return found


def _single(place: _Place, count: int) -> list[Row]:
    label, before = f"history at {count:,}, saves by separate processes", place.packed()
    seconds, sizes = [], [place.sizes()]
    for number in range(count, count + _SINGLE):
        with place.ground.subject(place.memory, place.state) as subject:
            subject.ask("watch", follow=True)
            seconds.append(float(subject.ask("save", **draft(number))["history"]))
        sizes.append(place.sizes())
    # The median of the steps: packing may fall into the middle of them and make one negative.
    counted, spent = (median(new[at] - old[at] for old, new in pairwise(sizes)) for at in (0, 1))
    return [
        Row(f"{label}: time a save", median(seconds), "s"),
        Row(f"{label}: growth a save, loose", counted, "bytes"),
        Row(f"{label}: growth a save, loose, disk blocks", spent, "bytes"),
        Row(f"{label}: growth a save, packed", (place.packed() - before) / _SINGLE, "bytes"),
    ]


def _burst(place: _Place, count: int) -> list[Row]:
    label, before = f"history at {count:,}, {_BURST} saves in a row", place.packed()
    with place.ground.subject(place.memory, place.state) as subject:
        subject.ask("watch", follow=True)
        answers = [subject.ask("save", **draft(number)) for number in range(10**6, 10**6 + _BURST)]
        whole = sum(float(answer["seconds"]) + float(answer["history"]) for answer in answers)
    with place.ground.subject(place.memory, place.state) as subject:
        subject.ask("adopt")
    left, _ = place.sizes()
    return [
        Row(f"{label}: time a save", sum(float(answer["history"]) for answer in answers) / _BURST, "s"),
        Row(f"{label}: save and history together", whole / _BURST, "s"),
        Row(f"{label}: vectors a save", sum(float(answer["vectors"]) for answer in answers) / _BURST, "s"),
        Row(f"{label}: growth a save, as left", (left - before) / _BURST, "bytes"),
        Row(f"{label}: growth a save, packed", (place.packed() - before) / _BURST, "bytes"),
    ]
