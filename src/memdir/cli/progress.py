"""A sign of life on the terminal for anything that takes longer than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["working"]

_PATIENCE = 1.0
"""Seconds before anything is shown, and between two signs: what is quicker needs none."""


@contextmanager
def working(doing: str) -> Iterator[None]:
    """Say on a terminal what is going on for as long as it goes on, then take the line away."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Event, Thread

    over = Event()

    def show() -> None:
        seconds = 0
        while not over.wait(_PATIENCE):
            seconds += 1
            sys.stderr.write(f"\r{doing} ({seconds} s)")
            sys.stderr.flush()
        if seconds:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
