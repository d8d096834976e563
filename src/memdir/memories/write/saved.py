"""What a caller gets back for a change: where it went and how to undo it."""

from memdir.memories.topic import Header
from memdir.text.value import value_class

__all__ = ["Forgotten", "Saved"]


@value_class(frozen=True, slots=True)
class Saved:
    """One memory that is durable, with its pointer."""

    header: Header
    path: str
    created: bool
    operation: str
    """The id under which this can be undone; empty where nothing had to change."""
    warnings: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """Return the file below the memory directory."""
        return self.header.file

    @property
    def name(self) -> str:
        """Return the name by which it is found."""
        return self.header.name


@value_class(frozen=True, slots=True)
class Forgotten:
    """One memory that is gone from the directory and kept in trash and history."""

    file: str
    path: str
    operation: str
    warnings: tuple[str, ...] = ()
