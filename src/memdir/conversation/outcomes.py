"""What workers saved or could not do, left in a small file for the next conversation to be told once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from memdir.disk.files import make_folder, read_once
from memdir.text.value import value_class

__all__ = ["Outcome", "Outcomes"]

_FILE = "outcomes"
_LARGEST = 16_000
"""Bytes before the file begins anew: where no conversation follows for long, only the last of it matters."""

_LONGEST = 600
"""Characters of one line."""


@value_class(frozen=True, slots=True)
class Outcome:
    """What came of one job, in one line."""

    job: str
    wrote: bool
    """Whether memory changed; otherwise something went wrong."""
    said: str
    operation: str = ""
    """The change that can be undone."""


class Outcomes:
    """The outcomes that wait in one state folder; whoever takes them first is the only one."""

    def __init__(self, state: str) -> None:
        self._state = state

    def leave(self, outcomes: Iterable[Outcome]) -> None:
        """Add outcomes to those that wait."""
        rows = [
            f"{'+' if one.wrote else '-'}{one.job}/{one.operation} {' '.join(one.said.split())[:_LONGEST]}\n"
            for one in outcomes
        ]
        if not rows:
            return
        with make_folder(self._state) as folder:
            with suppress(OSError):
                if os.stat(os.path.join(self._state, _FILE)).st_size > _LARGEST:
                    folder.remove(_FILE)
            folder.append(_FILE, "".join(rows).encode("utf-8", "replace"), durably=False)

    def take(self) -> tuple[Outcome, ...]:
        """Return what waits, each once and the oldest first; afterwards nothing does."""
        rows = read_once(self._state, _FILE)[: 2 * _LARGEST].decode("utf-8", "replace").splitlines()
        return tuple([_outcome(row) for row in dict.fromkeys(rows) if row[:1] in ("+", "-")])


def _outcome(row: str) -> Outcome:
    head, _, said = row[1:].partition(" ")
    job, _, operation = head.partition("/")
    return Outcome(job, row[0] == "+", said, operation)
