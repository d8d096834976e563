"""What keeps a memory in a full index: the user pinned it, it is young, or it was recalled lately."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cached_property

from memdir.memories.index.hubs import Ranked
from memdir.text.value import replace

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
    from memdir.memories.writer import Writer

__all__ = ["PointerPriority", "is_pinned_by_user"]


class PointerPriority:
    """The worth of memories while one index is arranged; what that takes is read at the first question."""

    def __init__(self, state: str, is_pinned: Callable[[str], bool]) -> None:
        """Take what tells whether the header that claims a pin is the user's."""
        self._state, self._is_pinned = state, is_pinned

    def weighed(self, rank: Ranked, *, trusted: bool = False) -> Ranked:
        """Return a memory as it counts: as young as its last recall, and pinned if the user pinned it."""
        claimed, saved = rank.value
        file = rank.pointer.file
        pinned = bool(claimed) and (trusted or self._is_pinned(file))
        return replace(rank, value=(pinned, max(saved, self._recalled.get(file, saved))))

    @cached_property
    def _recalled(self) -> dict[str, float]:
        """When each memory was last recalled, as far back as receipts are kept."""
        from memdir.conversation.receipts import Receipts

        found: dict[str, float] = {}
        for receipt in Receipts(self._state).all():
            with suppress(ValueError):
                at = datetime.fromisoformat(receipt.at).timestamp()
                for file in receipt.files:
                    found.setdefault(file, at)  # the newest come first
        return found


def is_pinned_by_user(writer: "Writer", file: str) -> bool:
    """Tell whether history knows the present text of a file as the user's, so that its pin counts."""
    from memdir.memories.history.trust import known_writer

    by = known_writer(writer, file)
    return bool(by and by.actor == by.source == "user")
