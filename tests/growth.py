"""How the work of a function grows with its text: a ratio of processor times in one run, not a time."""

from collections.abc import Callable
from time import process_time

__all__ = ["grows_with_the_text"]

_STEP = 4
"""How many times larger the second text is: the work of a quadratic function is then 16 times as much."""

_MOST = 10
"""Growth that is let pass: linear work is 4 times as much, and a busy machine measures badly."""

_LEAST_SECONDS = 0.004
"""Below this a measurement is noise."""


def grows_with_the_text(function: Callable[[str], object], unit: str, characters: int) -> bool:
    """Tell whether four times the text takes clearly less than sixteen times the work; three tries."""
    small, large = unit * (characters // _STEP // len(unit)), unit * (characters // len(unit))
    for _ in range(3):
        if _seconds(function, large) <= _MOST * max(_LEAST_SECONDS, _seconds(function, small)):
            return True
    return False


def _seconds(function: Callable[[str], object], text: str) -> float:
    began = process_time()
    function(text)
    return process_time() - began
