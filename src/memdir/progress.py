"""Progress of long work: the worker counts, and a command may watch.

A host waits for this module: it imports without typing.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

__all__ = ["ProgressWatch", "count_progress", "count_up_to"]

Watch = Callable[[int, int], object]

_watches: list[Watch] = []
"""Those who want to know; only the last one hears of it: a process shows one piece of work at a time."""


def count_progress(things: "Collection[T]") -> "Iterable[T]":
    """Return the things to go through, and tell whoever watches how many of them are done."""
    return count_up_to(things, len(things)) if _watches else things


def count_up_to(things: "Iterable[T]", total: int) -> "Iterator[T]":
    """Yield things of a known number, and report progress; 0 of 0 is reported at the end."""
    try:
        for done, one in enumerate(things):
            if _watches:
                _watches[-1](done, total)
            yield one
    finally:
        if _watches:
            _watches[-1](0, 0)  # what comes next may take longer, and is not counted yet


class ProgressWatch:
    """Until its end, tells a function how many things are done, and of how many."""

    def __init__(self, watch: Watch) -> None:
        """Take what is called, from the thread that does the work."""
        self._watch = watch

    def __enter__(self) -> None:
        _watches.append(self._watch)

    def __exit__(self, *_: object) -> None:
        _watches.remove(self._watch)
