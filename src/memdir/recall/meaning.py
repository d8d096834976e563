"""How near memories lie to a query in meaning, where vectors were computed before; a prompt computes none."""

import os
from collections.abc import Sequence
from contextlib import suppress

from memdir.core.topic import Header
from memdir.errors import MemdirError
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.recall.rank import Near
    from memdir.recall.semantic.library import Library

__all__ = ["Meaning"]


class Meaning:
    """The vectors of one directory; numpy is loaded by the first query that has any use for it."""

    def __init__(self, memories: MemoryDir, config_home: str) -> None:
        """Remember where vectors and the encoder lie; nothing is read yet."""
        self._memories, self._config_home = memories, config_home
        self._library: Library | None = None

    def toward(self, query: str, headers: Sequence[Header]) -> "Near | None":
        """Return it; None without vectors, and when anything about them fails: then words alone count."""
        if not os.path.exists(os.path.join(self._memories.state, "vectors")):
            return None
        from memdir.recall.semantic.library import Library

        self._library = self._library or Library(self._memories, self._config_home)
        with suppress(MemdirError, OSError, ValueError):
            return self._library.toward(query, headers)
        return None
