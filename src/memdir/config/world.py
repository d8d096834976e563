"""The world around one conversation: environment, working directory, home, clocks and session."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from memdir.hook_paths import home_of, in_home
from memdir.text.value import value_class

__all__ = ["World", "utc_now", "world_in"]


utc_now: Callable[[], datetime] = partial(datetime.now, UTC)
"""Returns the present moment; only the front door and the surfaces call this."""


@value_class(frozen=True, slots=True)
class World:
    """Environment, clock and place. The code below the front door never asks the system for them itself."""

    env: Mapping[str, str]
    cwd: str
    """Absolute."""
    home: str
    clock: Callable[[], datetime] = utc_now
    """Returns the present moment, in UTC."""
    session: str = ""
    """The id of the conversation; empty when nobody named one."""
    timer: Callable[[], float] = monotonic
    """Seconds that only ever grow."""

    def full_path(self, path: str) -> str:
        """Return the path that a person means: `~` is their home, and a relative one counts from here."""
        return os.path.join(self.cwd, in_home(path, self.home))


def world_in(
    cwd: str | os.PathLike[str],
    env: Mapping[str, str],
    session: str = "",
    clock: Callable[[], datetime] = utc_now,
) -> World:
    """Return the world around a conversation that began in a directory; the clock may tell any time zone."""
    in_utc = clock if clock is utc_now else lambda: clock().astimezone(UTC)
    return World(env, os.path.abspath(cwd), home_of(env), in_utc, session)
