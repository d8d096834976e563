"""Forgotten memories as plain files: they can be read and restored without git."""

import os
import shutil

from memdir.disk.files import make_folder, temp_name
from memdir.memories.change import Change, file_bytes
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import value_class

__all__ = ["Trash", "Trashed"]


@value_class(frozen=True, slots=True)
class Trashed:
    """One forgotten memory."""

    id: str
    """The operation that forgot it."""
    file: str
    path: str


class Trash:
    """The folder `trash` in the state folder: one folder an operation, the files as they were."""

    def __init__(self, state: str) -> None:
        """Remember where it lies; the first forgotten memory makes it."""
        self._path = os.path.join(state, "trash")

    def keep(self, operation: str, changes: list[Change]) -> None:
        """Keep the texts that are about to be removed, durably, with their times, secrets masked."""
        if not changes:
            return
        temp = os.path.join(os.path.dirname(self._path), temp_name())
        try:
            _write(temp, changes)
            with make_folder(self._path) as trash:
                os.rename(temp, os.path.join(self._path, operation))
                trash.sync()
        except BaseException:
            shutil.rmtree(temp, ignore_errors=True)
            raise

    def items(self) -> list[Trashed]:
        """Return everything that was forgotten."""
        found = [
            Trashed(operation, os.path.relpath(path, os.path.join(self._path, operation)), path)
            for operation in (os.listdir(self._path) if os.path.isdir(self._path) else [])
            for path in _files_below(os.path.join(self._path, operation))
        ]
        return sorted(found, key=lambda item: (item.id, item.file))


def _write(path: str, changes: list[Change]) -> None:
    with make_folder(path) as folder:
        for change in changes:
            if change.before is not None:
                data = file_bytes(mask_secrets(change.before.text))
                folder.write(change.file, data, saved_ns=change.before.saved_ns)


def _files_below(path: str) -> list[str]:
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
