"""A cache of who wrote which memory, by the stat of its file: to ask history takes longer than a recall.

A host waits for this module: it imports late and does without `typing`.
"""

import os

from memdir.memories.catalog.derived import Derived
from memdir.memories.catalog.header_cache import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.memories.topic import Provenance

__all__ = ["KnownWriters"]

_FIELD = "\x1f"
_RECORDS = ("journal", "journal.closed", "history.git")
_NOBODY = [""] * 5
_MOST = 5_000
"""Memories that are remembered: those that are recalled, which are few."""


class KnownWriters:
    """The writers of the memories in one directory; derived from history, disposable."""

    def __init__(self, state: str, ask: "Callable[[str], Provenance | None]") -> None:
        """Take what asks history about one file."""
        self._state, self._ask = state, ask
        self._rows = Derived(state, "writers", "4")

    def of(self, file: str, status: os.stat_result) -> "Provenance | None":
        """Return who wrote the file that has this stat through memdir; None when nobody is known to have."""
        from memdir.memories.topic import Provenance

        signature = signature_of(status)
        row = self._rows.row(file, signature)
        fields = [] if row is None else row.decode("utf-8", "surrogateescape").split(_FIELD)
        if len(fields) != len(_NOBODY):
            if not any(os.path.exists(os.path.join(self._state, name)) for name in _RECORDS):
                return None  # nothing was ever written through memdir
            by = self._ask(file)
            fields = [by.actor, by.source, by.method, by.person, by.sent] if by else _NOBODY
            self._rows.put(file, signature, "", _FIELD.join(fields).encode("utf-8", "surrogateescape"))
            self._rows.store({*[*self._rows][-_MOST:]})
        actor, source, method, person, sent = fields
        return Provenance(actor, source, method, person=person, sent=sent) if actor else None
