"""Operations that are not yet in history: one durable line each, with the texts before and after."""

import json
import os
from collections.abc import Callable, Sequence

from memdir.disk.files import make_folder
from memdir.memories.change import Change, Operation, Version
from memdir.memories.topic import Provenance
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["Journal"]

_OPEN, _CLOSED = "journal", "journal.closed"


class Journal:
    """The log between an acknowledged change and its commit; appended to under the directory's lock."""

    def __init__(self, state: str) -> None:
        """Remember where the log lies; nothing is read yet."""
        self._state = state

    def append(self, operation: Operation) -> None:
        """Add one operation durably, with every secret masked."""
        with make_folder(self._state) as folder:
            folder.append(_OPEN, (json.dumps(_as_json(operation)) + "\n").encode())

    def pending(self) -> list[Operation]:
        """Return what history does not have yet, oldest first."""
        return [*self._read(_CLOSED), *self._read(_OPEN)]

    def close_segment(self) -> bool:
        """Set the log aside for committing, under the directory's lock; False when there is none."""
        with make_folder(self._state) as folder:
            if folder.exists(_CLOSED):
                return True
            if not folder.exists(_OPEN):
                return False
            os.rename(os.path.join(self._state, _OPEN), os.path.join(self._state, _CLOSED))
            folder.sync()  # or a power cut brings it back as new
        return True

    def closed(self) -> list[Operation]:
        """Return the operations that were set aside for committing."""
        return self._read(_CLOSED)

    def drop_closed(self) -> None:
        """Remove what was set aside: history has it now."""
        with make_folder(self._state) as folder:
            folder.remove(_CLOSED)

    def rewrite(self, kept: Callable[[Operation], Operation | None]) -> None:
        """Replace what waits by what is kept of it."""
        left = [operation for operation in map(kept, self.pending()) if operation]
        lines = [json.dumps(_as_json(operation)) + "\n" for operation in left]
        with make_folder(self._state) as folder:
            if folder.exists(_OPEN) or lines:
                folder.write(_OPEN, "".join(lines).encode())
            if folder.exists(_CLOSED):
                folder.remove(_CLOSED)
                folder.sync()

    def _read(self, name: str) -> list[Operation]:
        try:
            with open(os.path.join(self._state, name), "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return []
        return [operation for operation in map(_operation, lines) if operation]


def _as_json(operation: Operation) -> dict[str, object]:
    """Return an operation as it is kept, with every secret masked: all of it comes from callers."""
    by = operation.by
    return {
        "id": operation.id,
        "at": operation.at,
        "verb": operation.verb,
        "by": [without_secrets(one) for one in (by.actor, by.source, by.method, by.session, by.reason)],
        "undoes": operation.undoes,
        "changes": [[c.file, _pair(c.before), _pair(c.after)] for c in operation.changes],
    }


def _pair(version: Version | None) -> Sequence[object] | None:
    return None if version is None else (without_secrets(version.text), version.saved_ns, version.sha)


def _operation(line: bytes) -> Operation | None:
    """Read one line; None for a torn one, whose operation was never acknowledged."""
    try:
        row = json.loads(line)
        changes = tuple(
            Change(file, before and Version(*before), after and Version(*after))
            for file, before, after in row["changes"]
        )
        return Operation(row["id"], row["at"], row["verb"], Provenance(*row["by"]), changes, row["undoes"])
    except (ValueError, KeyError, TypeError):
        return None
