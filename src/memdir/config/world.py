"""The world around one conversation: working directory, home, clocks, session, and variables that are set.

Of each variable our name is looked up first, then those that other tools use for the same.
"""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from memdir.config.layout import Layout
from memdir.config.safe_path import Refused, memory_directory, valid_directory
from memdir.hook_paths import home_of, in_home
from memdir.text.value import replace, value_class

__all__ = [
    "HUB_TOKEN",
    "VARIABLES",
    "Switch",
    "VariableFolder",
    "World",
    "config_home",
    "folder",
    "switch",
    "utc_now",
    "variable",
    "world_in",
]

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "MEMDIR_DIRECTORY": ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "CLAUDE_CODE_AUTO_MEM_PATH"),
    "MEMDIR_BASE": ("CLAUDE_CODE_REMOTE_MEMORY_DIR",),
    "MEMDIR_CONFIG_DIR": ("CLAUDE_CONFIG_DIR",),
    "MEMDIR_DISABLE": ("CLAUDE_CODE_DISABLE_AUTO_MEMORY",),
    "MEMDIR_BARE": ("CLAUDE_CODE_SIMPLE",),
    "MEMDIR_REMOTE": ("CLAUDE_CODE_REMOTE",),
    "MEMDIR_EXTRA_GUIDELINES": ("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES",),
    "MEMDIR_STATE": (),
    "MEMDIR_MODEL": (),
    "MEMDIR_LAYOUT": (),
}
"""Our names, each with the others' names in the order they are looked up."""

HUB_TOKEN = "MEMDIR_HUB_TOKEN"  # noqa: S105 - the name of a variable


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


@value_class(frozen=True, slots=True)
class Switch:
    """A variable that says yes or no."""

    on: bool
    said: str
    """Under which name it was found and what it says: `MEMDIR_BARE is 1`."""


@value_class(frozen=True, slots=True)
class VariableFolder:
    """The directory that a variable names, if any, and warnings about those that were refused."""

    path: str = ""
    """Without a trailing separator; empty when no variable names a usable directory."""
    warnings: tuple[str, ...] = ()


def variable(env: Mapping[str, str], ours: str) -> tuple[str, str] | None:
    """Return the first variable that is not blank, as name and value; our name is looked up first."""
    return next(((name, env[name]) for name in (ours, *VARIABLES[ours]) if env.get(name, "").strip()), None)


def switch(env: Mapping[str, str], ours: str) -> Switch | None:
    """Return the first of the names whose value is a clear yes or no; any other value is ignored."""
    for name in (ours, *VARIABLES[ours]):
        word = env.get(name, "").strip().lower()
        if word in _YES or word in _NO:
            return Switch(word in _YES, f"{name} is {env[name].strip()}")
    return None


def folder(world: World, ours: str) -> VariableFolder:
    """Return the first directory among the names that may be used; those refused become warnings."""
    # What names the memory directory is taken as it stands, and aims an agent's writes.
    aims = ours == "MEMDIR_DIRECTORY"
    judge = memory_directory if aims else valid_directory
    warnings: list[str] = []
    for name in (ours, *VARIABLES[ours]):
        if name not in world.env:
            continue
        path = judge(world.env[name], expand_tilde=not aims, home=world.home)
        if not isinstance(path, Refused):
            return VariableFolder(path[:-1], tuple(warnings))
        warnings.append(f"{name} is ignored: {path.because}. Set it to an absolute path, or unset it.")
    return VariableFolder(warnings=tuple(warnings))


def config_home(layout: Layout, world: World) -> VariableFolder:
    """Return the folder of the user's own settings: the one a variable names, else the layout's."""
    chosen = folder(world, "MEMDIR_CONFIG_DIR")
    return chosen if chosen.path else replace(chosen, path=os.path.join(world.home, layout.dot_folder))


_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
