"""One line of the reliability report: what was tried, how often, and whether the promise held."""

import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

__all__ = ["Effort", "Figure", "needs_root", "needs_strace", "not_run"]

T = TypeVar("T")

_SHOWN = 8
"""Problems printed below a figure; the first few tell what to look at."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one case showed."""

    what: str
    figure: str
    problems: Sequence[str] = ()
    because: str = ""
    """Why it could not run here; empty when it ran."""

    @property
    def verdict(self) -> str:
        """Return ok, FAILED with the first problems, or why it was not run."""
        if self.because:
            return f"not run: {self.because}"
        if not self.problems:
            return "ok"
        shown = "".join(f"\n    {problem}" for problem in list(self.problems)[:_SHOWN])
        return f"FAILED ({len(self.problems)} problems){shown}"

    def __str__(self) -> str:
        return " | ".join(part for part in (self.what, self.figure, self.verdict) if part)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of a case to run: everything, or a sample that the seed decides."""

    seed: int = 0
    sample: bool = False
    chance: random.Random = field(default_factory=random.Random)

    @classmethod
    def of(cls, seed: int, *, sample: bool) -> "Effort":
        """Return an effort whose choices follow from the seed alone."""
        return cls(seed, sample, random.Random(seed))

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return all items in a full run, else so many of them in their order."""
        if not self.sample or len(items) <= count:
            return list(items)
        return [items[number] for number in sorted(self.chance.sample(range(len(items)), count))]

    def size(self, full: int, sample: int) -> int:
        """Return a number of repetitions."""
        return sample if self.sample else full


def not_run(what: str, because: str) -> Figure:
    """Return the figure of a case that this machine cannot run."""
    return Figure(what, "", (), because)


@cache
def needs_strace() -> str:
    """Say what is missing for cases that trace system calls, or nothing."""
    program = shutil.which("strace")
    if program is None:
        return "needs strace"
    tried = subprocess.run([program, "-o", os.devnull, "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "needs strace with the right to trace"


def needs_root() -> str:
    """Say what is missing for cases that mount file systems or make devices, or nothing."""
    return "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "needs root"
