"""Forgotten memories as plain files: they can be read and restored without git."""

import os
import shutil
from collections.abc import Sequence

from memdir.disk.files import make_folder, temp_name
from memdir.memories.change import Change, file_bytes
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import value_class

__all__ = ["Trashed", "keep_in_trash", "list_trash"]

_FOLDER = "trash"


@value_class(frozen=True, slots=True)
class Trashed:
    """One forgotten memory."""

    id: str
    """The operation that forgot it."""
    file: str
    path: str


def keep_in_trash(state: str, operation: str, changes: Sequence[Change]) -> None:
    """Keep texts that are about to be removed, durably, with their times, secrets masked."""
    temp, path = os.path.join(state, temp_name()), os.path.join(state, _FOLDER)
    try:
        with make_folder(temp) as folder:
            for change in changes:
                if change.before is not None:
                    data = file_bytes(mask_secrets(change.before.text))
                    folder.write(change.file, data, saved_ns=change.before.saved_ns)
        with make_folder(path) as trash:
            os.rename(temp, os.path.join(path, operation))
            trash.sync()
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise


def list_trash(state: str) -> list[Trashed]:
    """Return everything that was forgotten: one folder an operation, the files as they were."""
    trash = os.path.join(state, _FOLDER)
    found = [
        Trashed(operation, os.path.relpath(path, os.path.join(trash, operation)), path)
        for operation in (os.listdir(trash) if os.path.isdir(trash) else [])
        for folder, _, names in os.walk(os.path.join(trash, operation))
        for path in (os.path.join(folder, name) for name in names)
    ]
    return sorted(found, key=lambda item: (item.id, item.file))
