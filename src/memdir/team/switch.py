"""Whether team memory is on, and which remote it is shared through: decided and kept outside the project.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Mapping

from memdir.config.enabled import Verdict
from memdir.text.suppress import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.config.settings import Settings

__all__ = ["TeamRecords", "team_enabled"]

_FILE = "team.json"
_DAMAGE = (OSError, ValueError, AttributeError, TypeError, RecursionError)


class TeamRecords:
    """For each private memory directory what `memdir team init` recorded: where its team memory is shared."""

    def __init__(self, config_home: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir")

    @property
    def path(self) -> str:
        """The file that holds them."""
        return os.path.join(self._folder, _FILE)

    def of(self, directory: str) -> Mapping[str, str] | None:
        """Return what was recorded for a directory; None when nothing was, or the file is damaged."""
        with suppress(*_DAMAGE):
            found = self._read().get(os.path.realpath(directory))
            return {str(key): str(value) for key, value in found.items()} if found is not None else None
        return None

    def record(self, directory: str, remote: Mapping[str, str]) -> None:
        """Record the remote of a directory's team memory."""
        import json

        from memdir.disk.files import make_folder, storage_errors
        from memdir.disk.lock import DirectoryLock

        with (
            storage_errors("The remote of team memory was not recorded"),
            make_folder(self._folder) as folder,
            DirectoryLock(self._folder, os.path.join(self._folder, "team.lock")),
        ):
            everything = {**self._read(), os.path.realpath(directory): dict(remote)}
            folder.write(_FILE, (json.dumps(everything, indent=1) + "\n").encode())

    def _read(self) -> dict[str, Mapping[str, str]]:
        import json

        try:
            with open(self.path, encoding="utf-8") as file:
                found: dict[str, Mapping[str, str]] = json.load(file)
        except FileNotFoundError:
            return {}
        return found


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
