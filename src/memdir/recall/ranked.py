"""Memories in the order of their use for a query, each with the parts of its score and its reasons."""

from memdir.text.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from memdir.memories.topic import Header

__all__ = ["REPLACED", "Ranked", "Selection", "by_probability", "listed"]

REPLACED = "superseded by "
"""How the note begins of a memory that another one replaces: it is not shown, whatever its score."""

_LISTED = 30
"""Candidates that a receipt lists: what lies further behind was never near."""


@value_class(frozen=True, slots=True)
class Ranked:
    """One memory with how well it fits a query."""

    header: "Header"
    score: float
    """How probable it is that it helps, from 0 to 1."""
    lexical: float = 0.0
    """The share of words, before fusion."""
    semantic: float | None = None
    """The cosine of the mean vectors; None when there is no vector for it."""
    notes: tuple[str, ...] = ()
    """What moved it up or down, in words: pinned, expired, superseded by x.md, near duplicate of y.md."""
    expired: bool = False
    """Whether its last day is over: it is ranked, for whoever asks why, and never shown."""
    reasons: tuple[str, ...] = ()
    """What decided about the probability, in words, each with how much it counts; what counts most first."""


@value_class(frozen=True, slots=True)
class Selection:
    """The few that are worth showing, best first, and why the others are not."""

    certain: tuple[Ranked, ...]
    """Those to show in full."""
    likely: tuple[Ranked, ...]
    """Those to show as one line each."""
    cuts: "Mapping[str, str]"
    """Why not, by file."""


def by_probability(ranked: "Sequence[Ranked]") -> list[Ranked]:
    """Return them with the most probable first; where that is equal, in the order in which they fit."""
    return sorted(ranked, key=lambda one: -one.score)


def listed(
    ranked: "Sequence[Ranked]", cuts: "Mapping[str, str]", shown: "Container[str]"
) -> list[tuple[str, float, float, float | None, tuple[str, ...], str, tuple[str, ...]]]:
    """Return what a receipt says of the best and of what was shown: the fields of its candidates."""
    found = []
    for at, one in enumerate(by_probability(ranked)):
        file = one.header.file
        if file in shown or at < _LISTED:
            cut = "" if file in shown else cuts.get(file, "it was not chosen")
            found.append((file, one.score, one.lexical, one.semantic, one.notes, cut, one.reasons))
    return found
