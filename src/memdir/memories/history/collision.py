"""Files that changed since the operation to undo: both texts, and what can be done."""

from collections.abc import Sequence
from enum import StrEnum

from memdir.errors import Conflict, Rejected
from memdir.text.value import value_class

__all__ = ["ChangedSince", "Collision", "OnCollision"]


class OnCollision(StrEnum):
    """What to do with a file that changed after the operation that is undone."""

    STOP = "stop"
    OVERWRITE = "overwrite"
    """Bring the old text back; the present one stays in history."""
    BOTH = "both"
    """Leave the present text and put the old one, if there is one, beside it under another name."""

    @classmethod
    def _missing_(cls, value: object) -> "OnCollision":
        raise Rejected(f"on_collision is {value!r}. It can be {', '.join(cls)}.")


@value_class(frozen=True, slots=True)
class Collision:
    """One file with both texts: what it says now, and what undoing would bring back."""

    file: str
    now: str | None
    then: str | None


class ChangedSince(Conflict):
    """Some files changed after the operation; nothing was written."""

    def __init__(
        self, operation: str, collisions: Sequence[Collision], newer: str = "", *, beside: bool = False
    ) -> None:
        """Name the files, and offer the ways on that there are; `newer` is the last change of these files.

        With `beside`, the old texts were to be put beside the present ones, and there are none.
        """
        self.operation, self.collisions, self.newer = operation, tuple(collisions), newer
        self.beside = beside
        files = ", ".join(collision.file for collision in collisions)
        made = ", which made that: there is no old text to put beside it" if beside else ""
        self.fact = f"{files} changed after {operation}{made}, so nothing was undone."
        ways = [f"undo {newer} first"] if newer else []
        ways.append(f"on_collision='overwrite' {self.overwriting}")
        if not self.made_new:
            ways.append("on_collision='both' puts the old text beside the present one")
        super().__init__(f"{self.fact} Ways on: {'; '.join(ways)}.")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of: its message alone does not make it again."""
        given = (self.operation, self.collisions, self.newer)
        return type(self), given, {"beside": self.beside, "fact": self.fact, "args": self.args}

    @property
    def made_new(self) -> bool:
        """Tell whether the operation made all of these files, so that there is no old text."""
        return all(collision.then is None for collision in self.collisions)

    @property
    def overwriting(self) -> str:
        """Return in words what undoing does to files that changed since."""
        if not self.made_new:
            return "brings the old text back"
        return "deletes what this change made, with all that was added since"
