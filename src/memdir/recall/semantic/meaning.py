"""How near memories lie to a query in meaning, where vectors were computed before; a prompt computes none."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from memdir.errors import MemdirError
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.recall.rank import Near
    from memdir.recall.ranked import Ranked
    from memdir.recall.semantic.library import Library

__all__ = ["Meaning"]

_TROUBLE = (MemdirError, OSError, ValueError, LookupError)
"""What a model file or vectors that are damaged may raise: no recall and no save fails for it."""


class Meaning:
    """The vectors of one directory; numpy is loaded by the first query that has any use for it."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Remember where vectors and the encoder lie; nothing is read yet."""
        self._memories, self._weights = memories, weights
        self._kept: Library | None = None
        self._failed = ""

    @property
    def ready(self) -> bool:
        """Whether there is a model to compute vectors with."""
        from memdir.recall.semantic.model import model_path, semantic_missing

        # One look before the search for numpy: every save passes here, and few have a model.
        return os.path.exists(model_path(self._weights)) and not semantic_missing(self._weights)

    def toward(self, query: str, headers: Sequence[Header]) -> "Near | None":
        """Return it; None without vectors, and when anything about them fails: then words alone count."""
        self._failed = ""
        if not os.path.exists(os.path.join(self._memories.state, "vectors")):
            return None
        try:
            return self._library.toward(query, headers)
        except _TROUBLE as error:
            self._failed = str(error)
        return None

    def lacks(self, ranked: "Sequence[Ranked]") -> list[str]:
        """Say what the last ranking had to do without although there is a model."""
        if self._failed:
            return [f"meanings: {self._failed}"]
        count = sum([one.semantic is None for one in ranked])
        if not count or (count == len(ranked) and not self.ready):
            return []
        return [f"{count:,} of {len(ranked):,} memories {'has' if count == 1 else 'have'} no vectors yet"]

    def missing(self) -> list[Header]:
        """Return the memories that have no vectors; none of them where there is no model."""
        return self._library.missing(self._memories.scan()) if self.ready else []

    def learn(
        self,
        headers: Sequence[Header] | None = None,
        most: int | None = None,
        late: Callable[[], bool] = lambda: False,
    ) -> int:
        """Compute what is missing, of these or all memories; 0 without a model, or when anything fails."""
        if not self.ready:
            return 0
        with suppress(*_TROUBLE):
            return self._library.learn(self._memories.scan() if headers is None else headers, most, late)
        return 0

    @property
    def _library(self) -> "Library":
        from memdir.recall.semantic.library import Library

        if self._kept is None:
            self._kept = Library(self._memories, self._weights)
        return self._kept
