"""What a model picked for an earlier prompt, left by the process that asked it for the next event to show.

A host waits for this module: it imports late.
"""

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress

from memdir.disk.files import make_folder, read_once
from memdir.text.value import value_class

__all__ = ["Pick", "Picks"]

_FOLDER, _PREFIX = "conversations", "picks-"
_MOST = 20
"""Picks that wait for one conversation, the newest: a turn is shown a quarter of them at the most."""


@value_class(frozen=True, slots=True)
class Pick:
    """One memory that waits to be shown."""

    file: str
    text: str


class Picks:
    """The picks that wait for one conversation; whoever takes them first is the only one."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where they lie; `hooks.reply_cache` looks for this name too."""
        self._folder = os.path.join(state, _FOLDER)
        self._name = f"{_PREFIX}{zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"

    def leave(self, picks: Sequence[Pick]) -> None:
        """Leave what to show, after what nobody took yet.

        One asker works at a time, so nobody else leaves anything between the two steps.
        """
        import json

        from memdir.disk.files import drop_expired

        rows = [[pick.file, pick.text] for pick in (*self.take(), *picks)]
        with make_folder(self._folder) as folder:
            folder.replace_cache(self._name, json.dumps(rows[-_MOST:]).encode())
        drop_expired(self._folder, self._name, lambda name: name.startswith(_PREFIX))

    def take(self) -> list[Pick]:
        """Return what waits, once, the oldest first."""
        data = read_once(self._folder, self._name)
        if not data:
            return []
        import json

        with suppress(ValueError, TypeError):
            return [Pick(str(file), str(text)) for file, text in json.loads(data)]
        return []
