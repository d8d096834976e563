"""Which pointers stay in a full index: pinned by the user, recently saved, recently recalled."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cached_property

from memdir.conversation.receipts import Receipts
from memdir.memories.index.hubs import RankedPointer
from memdir.text.value import replace

__all__ = ["PointerPriority"]


class PointerPriority:
    """The priority of memories while one index is arranged; receipts are read at the first question."""

    def __init__(self, state: str, is_pinned: Callable[[str], bool]) -> None:
        """Take what tells whether the header that claims a pin is the user's."""
        self._state, self._is_pinned = state, is_pinned

    def weigh(self, rank: RankedPointer, *, trusted: bool = False) -> RankedPointer:
        """Return a memory as it counts: as young as its last recall, and pinned if the user pinned it."""
        claimed, saved = rank.value
        file = rank.pointer.file
        pinned = bool(claimed) and (trusted or self._is_pinned(file))
        return replace(rank, value=(pinned, max(saved, self._recalled.get(file, saved))))

    @cached_property
    def _recalled(self) -> dict[str, float]:
        """When each memory was last recalled, as far back as receipts are kept."""
        found: dict[str, float] = {}
        for receipt in Receipts(self._state).all():
            with suppress(ValueError):
                at = datetime.fromisoformat(receipt.at).timestamp()
                for file in receipt.files:
                    found.setdefault(file, at)  # the newest come first
        return found
