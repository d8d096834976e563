"""Memories in the order of their use for a query, each with the parts of its score and its reasons."""

from memdir.core.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.core.topic import Header

__all__ = ["Cut", "Ranked", "Selection"]


@value_class(frozen=True, slots=True)
class Ranked:
    """One memory with how well it fits a query."""

    header: "Header"
    score: float
    """What it is ordered by, all parts together."""
    lexical: float = 0.0
    """The share of words, before fusion."""
    semantic: float | None = None
    """The cosine of the mean vectors; None when there is no vector for it."""
    notes: tuple[str, ...] = ()
    """What moved it up or down, in words: pinned, expired, superseded by x.md, near duplicate of y.md."""


@value_class(frozen=True, slots=True)
class Cut:
    """A memory that is not shown, and why."""

    file: str
    because: str


@value_class(frozen=True, slots=True)
class Selection:
    """The few that are worth showing, best first, and why the others are not."""

    chosen: tuple[Ranked, ...]
    cuts: tuple[Cut, ...]
