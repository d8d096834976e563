"""What becomes of our version where both sides changed the same lines: a file of its own beside the other."""

from collections.abc import Collection

from memdir.memories.change import Edit
from memdir.memories.conflict_copy import conflict_name, renamed
from memdir.sync.local import LocalScanner

__all__ = ["ConflictCopies"]


class ConflictCopies:
    """The copies that one round of a sync makes."""

    def __init__(self, scanner: LocalScanner, who: str, at: str) -> None:
        """Take who writes here and when, which the name of a copy tells."""
        self._scanner, self._who, self._at = scanner, who, at
        self._made = set[str]()

    def keep(self, file: str, text: str, saved_ns: int, remote: Collection[str]) -> Edit:
        """Return the copy of our text: in a new file, or in one that holds it already."""
        number = 1
        while True:
            name = conflict_name(file, self._who, self._at, number)
            ours, held = renamed(text, name), self._scanner.texts([name]).get(name)
            same = held is not None and held.decode("utf-8", "surrogateescape") == ours
            free = held is None and name not in remote
            if name != file and name not in self._made and (free or same):
                self._made.add(name)
                return Edit(name, None, ours, saved_ns)
            number += 1
