"""How the work of a function grows with its text: a ratio of processor times in one run, not a time."""

import gc
from collections.abc import Callable
from time import process_time

__all__ = ["grows_with_the_text"]

_STEP = 8
"""How many times larger the second text is: the work of a quadratic function is then 64 times as much."""

_MOST = 32
"""Growth that is let pass: linear work is 8 times as much; a busy machine can measure four times too much."""

_LEAST_SECONDS = 0.002
"""Below this a measurement is noise."""

_TRIES = 5


def grows_with_the_text(function: Callable[[str], object], unit: str, characters: int) -> bool:
    """Tell whether eight times the text takes clearly less than 64 times the work.

    The least of a few tries counts: other processes can only make a measurement larger.
    """
    small, large = unit * (characters // _STEP // len(unit)), unit * (characters // len(unit))
    least = _seconds(function, large)
    for _ in range(_TRIES):
        if least <= _MOST * max(_LEAST_SECONDS, _seconds(function, small)):
            return True
        least = min(least, _seconds(function, large))
    return False


def _seconds(function: Callable[[str], object], text: str) -> float:
    """Return the processor time of one call, without collecting what earlier tests left behind."""
    gc.disable()
    try:
        began = process_time()
        function(text)
        return process_time() - began
    finally:
        gc.enable()
