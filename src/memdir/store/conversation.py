"""What one conversation was already shown, kept under its session id: hooks are separate processes."""

import os
from collections.abc import Iterable
from contextlib import suppress

__all__ = ["Conversation"]

_FOLDER = "conversations"


class Conversation:
    """The state of one session; without an id it lives in this handle alone."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where the state lies; nothing is read yet."""
        self._folder = os.path.join(state, _FOLDER) if session else ""
        self._session = session
        self._seen: set[str] = set()

    def instructions_seen(self) -> frozenset[str]:
        """Return the real paths of the instruction files that were loaded so far."""
        if self._folder:
            self._seen |= self._read()
        return frozenset(self._seen)

    def add_instructions(self, paths: Iterable[str]) -> None:
        """Remember that these files were loaded."""
        self._seen |= set(paths)
        if not self._folder:
            return
        import json

        from memdir.store.files import folder_made
        from memdir.store.lock import locked

        with folder_made(self._folder) as folder, locked(self._folder, os.path.join(self._folder, "lock")):
            self._seen |= self._read()
            folder.replace_cache(self._name(), json.dumps({"instructions": sorted(self._seen)}).encode())

    def forget_instructions(self) -> None:
        """Let everything load again: after a compaction the model no longer sees it."""
        self._seen = set()
        if self._folder:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self._folder, self._name()))

    def _name(self) -> str:
        """Return the name of the file: an id may hold anything, its hash is safe."""
        import hashlib

        return hashlib.sha256(self._session.encode("utf-8", "surrogatepass")).hexdigest()[:32] + ".json"

    def _read(self) -> set[str]:
        import json

        path = os.path.join(self._folder, self._name())
        with suppress(OSError, ValueError, TypeError, KeyError), open(path, "rb") as file:
            return {str(path) for path in json.loads(file.read())["instructions"]}
        return set()
