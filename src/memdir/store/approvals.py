"""What the user approved: files that a project may import from outside, and rules that others wrote.

A file is approved by its real path for one project root, a rule by its exact words for one memory directory.
"""

import os
from contextlib import suppress

__all__ = ["Approvals"]

_FILE = "approvals.json"


class Approvals:
    """The user's approvals, kept in our own folder and never in a project."""

    def __init__(self, config_home: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir")

    def of(self, root: str) -> frozenset[str]:
        """Return the real paths that were approved for one project."""
        return frozenset(self._read().get(os.path.realpath(root), ()))

    def approve(self, root: str, path: str) -> None:
        """Record one approval."""
        import json

        from memdir.store.disk_error import storage_errors
        from memdir.store.files import folder_made
        from memdir.store.lock import locked

        with (
            storage_errors("The approval was not recorded"),
            folder_made(self._folder) as folder,
            locked(self._folder, os.path.join(self._folder, "approvals.lock")),
        ):
            everything = self._read()
            project = os.path.realpath(root)
            everything[project] = sorted({*everything.get(project, ()), path})
            folder.write(_FILE, (json.dumps(everything, indent=1, ensure_ascii=False) + "\n").encode())

    def _read(self) -> dict[str, list[str]]:
        with suppress(FileNotFoundError, ValueError, AttributeError):
            import json

            with open(os.path.join(self._folder, _FILE), encoding="utf-8") as file:
                found = json.load(file)
            return {str(root): [str(path) for path in paths] for root, paths in found.items()}
        return {}
