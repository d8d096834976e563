"""The world around one conversation: environment, working directory, home, clocks and session."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from memdir.text.value import value_class

__all__ = ["World", "home_of", "utc_now"]


utc_now: Callable[[], datetime] = partial(datetime.now, UTC)
"""Returns the present moment; only the front door and the surfaces call this."""


def home_of(env: Mapping[str, str]) -> str:
    """Return the home directory of the user that an environment belongs to."""
    return env.get("HOME") or os.path.expanduser("~")


@value_class(frozen=True, slots=True)
class World:
    """What the code below the front door may know of the outside; it never looks by itself."""

    env: Mapping[str, str]
    cwd: str
    """Absolute."""
    home: str
    clock: Callable[[], datetime] = utc_now
    session: str = ""
    """The id of the conversation; empty when nobody named one."""
    timer: Callable[[], float] = monotonic
    """Seconds that only ever grow."""
