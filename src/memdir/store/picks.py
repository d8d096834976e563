"""What a model picked for an earlier prompt, left by the process that asked it for the next event to show."""

import os
import zlib
from contextlib import suppress

from memdir.store.files import folder_made

__all__ = ["Picks"]

_FOLDER = "conversations"


class Picks:
    """The picks that wait for one conversation; whoever takes them first is the only one."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where they lie; `surfaces.hooks.guard` looks for this name too."""
        self._folder = os.path.join(state, _FOLDER)
        self._name = f"picks-{zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"

    def leave(self, text: str) -> None:
        """Leave the text to show, in place of an older one that nobody took."""
        with folder_made(self._folder) as folder:
            folder.replace_cache(self._name, text.encode("utf-8", "surrogateescape"))

    def take(self) -> str:
        """Return the text that waits, once; empty when there is none."""
        place = os.path.join(self._folder, self._name)
        mine = f"{place}.{os.getpid()}"
        try:
            os.rename(place, mine)
        except OSError:
            return ""
        with suppress(OSError), open(mine, "rb") as file:
            os.unlink(mine)
            return file.read().decode("utf-8", "surrogateescape")
        return ""
