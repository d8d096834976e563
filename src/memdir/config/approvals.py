"""What the user approved: files that a project may import from outside, and rules that others wrote.

A file is approved by its real path for one project root, a rule by its exact words for one memory directory.
Which directories and remote folders belong to a project is recorded in the same form, in another file.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memdir.disk.files import make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.errors import StorageError
from memdir.text.value import value_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["IDENTITIES", "Approvals"]

IDENTITIES = "identities.json"
"""The file of choices about identity: `adopted:DIRECTORY`, `declined:DIRECTORY` and the like, by project."""


@value_class(frozen=True, slots=True)
class Approvals:
    """The user's approvals, kept in our own folder and never in a project."""

    config_home: str
    file: str = "approvals.json"

    def of(self, root: str) -> frozenset[str]:
        """Return the real paths that were approved for one project; a damaged file approves nothing."""
        with suppress(*_DAMAGE):
            return frozenset(self._read().get(os.path.realpath(root), ()))
        return frozenset()

    def approve(self, root: str, path: str) -> None:
        """Record one approval."""
        self._change(root, lambda known: known | {path})

    def withdraw(self, root: str, approved: Iterable[str]) -> frozenset[str]:
        """Remove approvals; return those that existed."""
        there = self.of(root).intersection(approved)
        if there:
            self._change(root, lambda known: known - there)
        return there

    def _change(self, root: str, changed: Callable[[frozenset[str]], frozenset[str]]) -> None:
        """Replace what a project has approved, under a lock; a damaged file is not overwritten."""
        path = os.path.join(self.config_home, "memdir")
        with (
            storage_errors("The approvals were not changed"),
            make_folder(path) as folder,
            DirectoryLock(path, os.path.join(path, "approvals.lock")),
        ):
            try:
                everything, project = self._read(), os.path.realpath(root)
            except _DAMAGE as error:
                raise StorageError(
                    f"{os.path.join(path, self.file)} is damaged, so what you approved before is "
                    "not known; nothing was changed. Mend the file, or move it away and approve again."
                ) from error
            approved = sorted(changed(frozenset(everything.pop(project, ()))))
            everything |= {project: approved} if approved else {}
            folder.write(self.file, (json.dumps(everything, indent=1) + "\n").encode())

    def _read(self) -> dict[str, list[str]]:
        try:
            with open(os.path.join(self.config_home, "memdir", self.file), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            return {}
        return {str(root): [str(path) for path in paths] for root, paths in found.items()}


_DAMAGE = (ValueError, AttributeError, TypeError, RecursionError)
