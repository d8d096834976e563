"""How far a job has read each conversation: a cursor moves only from where it stood, or not at all."""

from __future__ import annotations

import json
import os
from contextlib import suppress

from memdir.conversation.state import session_hash
from memdir.disk.files import Folder, make_folder, storage_errors, sweep
from memdir.disk.lock import DirectoryLock
from memdir.text.value import value_class

__all__ = ["MOST_CURSORS", "Cursor", "Cursors"]

MOST_CURSORS = 4_096
"""Conversations whose cursor is kept: years of them. Reading a forgotten one again adds nothing."""


@value_class(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read."""

    offset: int = 0
    """Bytes; always the end of a line."""
    line: int = 0
    """Lines before it."""
    last: str = ""
    """The id of the last message before it."""
    at: str = ""
    """The time of that message, or of one before it."""
    check: str = ""
    """A checksum of the last bytes before it: a file that was replaced or cut has others."""


class Cursors:
    """The cursors of one job in the state folder, a file for each session."""

    def __init__(self, state: str, job: str = "extract") -> None:
        self._path = os.path.join(state, "cursors", job)

    def of(self, session: str) -> Cursor | None:
        """Return how far this conversation was read; None when it was not, or the record is damaged."""
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
            is_new = not folder.exists(name)
            fields = {key: getattr(to, key) for key in Cursor.__match_args__}
            folder.write(name, json.dumps(fields).encode())
            if is_new:
                sweep(self._path)
                names = [one for one in os.listdir(self._path) if one.endswith(".json")]
                surplus = len(names) // 2 if len(names) > MOST_CURSORS else 0
                for old in sorted(names, key=lambda one: folder.identity(one)[2:3])[:surplus]:
                    with suppress(OSError):
                        folder.remove(old)
        return True


def _read(folder: Folder, name: str) -> Cursor | None:
    written = folder.read_if_there(name)
    try:
        found = json.loads(written[0]) if written else {}
        offset, line = int(found["offset"]), int(found["line"])
        texts = [str(found[key]) for key in ("last", "at", "check")]
    except (ValueError, TypeError, KeyError):
        return None
    return Cursor(offset, line, *texts) if min(offset, line) >= 0 else None
