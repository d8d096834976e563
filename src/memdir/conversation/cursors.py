"""How far a worker has read each conversation: moved only forward from where it stood, or not at all."""

import json
import os
from contextlib import suppress

from memdir.conversation.state import session_hash
from memdir.conversation.transcripts import Cursor
from memdir.disk.files import NO_FILE, Folder, Unreadable, make_folder, storage_errors, sweep
from memdir.disk.lock import DirectoryLock

__all__ = ["MOST_CURSORS", "Cursors"]

MOST_CURSORS = 4_096
"""Conversations whose cursor is kept: years of them. Reading a forgotten one again adds nothing."""


class Cursors:
    """The cursors of one job in the state folder, a file for each session."""

    def __init__(self, state: str, job: str = "extract") -> None:
        """Remember where they lie; nothing is read yet."""
        self._path = os.path.join(state, "cursors", job)

    def of(self, session: str) -> Cursor | None:
        """Return how far this conversation was read; None when it was not, or nobody knows any more."""
        try:
            with Folder(self._path) as folder:
                return _read(folder, f"{session_hash(session)}.json")
        except FileNotFoundError:
            return None

    def advance(self, session: str, was: Cursor | None, to: Cursor) -> bool:
        """Move the cursor, durably, if it still stands where the caller found it; tell whether it did."""
        name = f"{session_hash(session)}.json"
        with (
            storage_errors("The cursor was not moved"),
            make_folder(self._path) as folder,
            DirectoryLock(self._path, os.path.join(self._path, "lock")),
        ):
            if _read(folder, name) != was:
                return False
            new = not folder.exists(name)
            fields = {key: getattr(to, key) for key in Cursor.__match_args__}
            folder.write(name, json.dumps(fields).encode())
            names = [name for name in os.listdir(self._path) if name.endswith(".json")] if new else []
            if new:
                sweep(self._path)
            if len(names) > MOST_CURSORS:
                for old in sorted(names, key=lambda name: folder.identity(name)[2:3])[: len(names) // 2]:
                    with suppress(OSError):
                        folder.remove(old)
        return True


def _read(folder: Folder, name: str) -> Cursor | None:
    try:
        found = json.loads(folder.read(name)[0])
        offset, line = int(found["offset"]), int(found["line"])
        if offset < 0 or line < 0:  # a cursor stands at the beginning or behind it
            return None
        return Cursor(offset, line, str(found["last"]), str(found["at"]), str(found["check"]))
    except OSError as error:
        if isinstance(error, Unreadable) or error.errno in NO_FILE:
            return None
        raise
    except (ValueError, TypeError, KeyError):
        return None
