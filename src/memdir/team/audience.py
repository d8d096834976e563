"""Whether team memory is on, which a project may only deny, and what private memory calls its files.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from contextlib import suppress

from memdir.config.location import Verdict, remote_rows
from memdir.memories.names import TEAM_FOLDER
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from memdir.config.settings import Settings
    from memdir.memories.topic import Draft

    T = TypeVar("T")

__all__ = ["as_team", "from_team", "remote_audiences", "team_enabled", "team_name"]


def as_team(value: "T") -> "T":
    """Return a header, memory or result of the team's directory with its file as private memory sees it."""
    fields: tuple[str, ...] = value.__match_args__  # type: ignore[attr-defined]  # each is a value class
    changes: dict[str, Any] = {}
    for name in fields:
        part = getattr(value, name)
        if name == "file":
            changes[name] = f"{TEAM_FOLDER}{part}"
        elif name == "files":
            changes[name] = type(part)(f"{TEAM_FOLDER}{file}" for file in part)
        elif name in _PARTS and part is not None:
            changes[name] = as_team(part)
    return replace(value, **changes)  # type: ignore[type-var]  # see above


_PARTS = frozenset({"header", "undid"})
"""Fields that hold such a value in turn."""


def from_team(draft: "Draft") -> "Draft":
    """Return a draft that names what it supersedes as the team's directory does: `x` for `team/x`."""
    names = map(str.strip, draft.supersedes.split(","))
    return replace(draft, supersedes=",".join(team_name(name) or name for name in names))


def team_name(name: str) -> str:
    """Return what a name of the form `team/x` is called in the team's directory; empty for any other."""
    return name[len(TEAM_FOLDER) :] if name.startswith(TEAM_FOLDER) else ""


def remote_audiences(config_home: str, directory: str) -> frozenset[str]:
    """Return for which audiences a private memory directory has a remote; none if that is damaged.

    A damaged row of another directory changes nothing here: the rules of the team would no longer hold.
    """
    with suppress(OSError, ValueError, TypeError, RecursionError):
        return frozenset(remote_rows(config_home).get(os.path.realpath(directory), {}))
    return frozenset()


def team_enabled(
    private: Verdict, settings: "Settings | None", *, known: bool, directory: str = ""
) -> Verdict:
    """Return whether team memory is on: never without private memory, and a project may only switch it off.

    `known` tells whether `memdir team init` was run for this directory.
    """
    if not private.on:
        return private
    if os.path.islink(os.path.join(directory, "team")):
        return Verdict(on=False, because=f"{directory}/team is a link, which may lead anywhere", rule="link")
    setting = settings["team.enabled"] if settings else None
    if setting is not None and setting.value is not None:
        word = "true" if setting.value else "false"
        return Verdict(bool(setting.value), f'"team.enabled" is {word} in {setting.source}', "setting")
    because = "`memdir team init` was run here" if known else "`memdir team init` was not run here"
    return Verdict(known, because, "init")
