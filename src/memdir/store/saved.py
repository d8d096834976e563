"""What a caller gets back for a change: where it went and how to undo it."""

from dataclasses import dataclass

__all__ = ["Forgotten", "Saved"]


@dataclass(frozen=True, slots=True)
class Saved:
    """One memory that is durable, with its pointer."""

    file: str
    name: str
    path: str
    created: bool
    operation: str
    """The id under which this can be undone."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One memory that is gone from the directory and kept in trash and history."""

    file: str
    path: str
    operation: str
    warnings: tuple[str, ...] = ()
