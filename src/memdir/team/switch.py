"""Whether team memory is on: decided outside the project, which may only switch it off.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from contextlib import suppress

from memdir.config.enabled import Verdict
from memdir.config.location import remotes_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.config.settings import Settings

__all__ = ["remote_audiences", "team_enabled"]

_DAMAGE = (OSError, ValueError, AttributeError, TypeError, RecursionError)


def remote_audiences(config_home: str, directory: str) -> frozenset[str]:
    """Return for which audiences a private memory directory has a remote; none if the file is damaged."""
    path = remotes_path(config_home)
    if not os.path.exists(path):
        return frozenset()
    import json

    with suppress(*_DAMAGE), open(path, encoding="utf-8") as file:
        return frozenset(json.load(file).get(os.path.realpath(directory), {}))
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
        said = "true" if setting.value else "false"
        return Verdict(bool(setting.value), f'"team.enabled" is {said} in {setting.source}', "setting")
    because = "`memdir team init` was run here" if known else "`memdir team init` was not run here"
    return Verdict(known, because, "init")
