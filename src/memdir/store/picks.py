"""What a model picked for an earlier prompt, left by the process that asked it for the next event to show."""

import os
import zlib

from memdir.store.files import folder_made
from memdir.store.taken import taken

__all__ = ["Picks"]

_FOLDER, _PREFIX = "conversations", "picks-"
_LONGEST = 60_000
"""Characters that wait for one conversation, about what a conversation is shown in all."""


class Picks:
    """The picks that wait for one conversation; whoever takes them first is the only one."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where they lie; `surfaces.hooks.guard` looks for this name too."""
        self._folder = os.path.join(state, _FOLDER)
        self._name = f"{_PREFIX}{zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"

    def leave(self, text: str) -> None:
        """Leave the text to show, after what nobody took yet: that counts as shown and comes no more.

        One asker works at a time, so nobody else leaves anything between the two steps.
        """
        from memdir.store.expired import drop_expired

        before = self.take()
        if len(before) + len(text) > _LONGEST:
            before = ""
        with folder_made(self._folder) as folder:
            whole = "\n".join([part for part in (before, text) if part])
            folder.replace_cache(self._name, whole.encode("utf-8", "surrogateescape"))
        drop_expired(self._folder, self._name, lambda name: name.startswith(_PREFIX))

    def take(self) -> str:
        """Return the text that waits, once; empty when there is none."""
        return taken(self._folder, self._name).decode("utf-8", "surrogateescape")
