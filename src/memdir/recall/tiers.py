"""Which of the judged memories are shown in full, which as one line, and why not the others."""

from memdir.conversation.state import ALREADY_NAMED, ALREADY_SHOWN
from memdir.memories.names import is_team_file
from memdir.recall.limits import CERTAIN, LIKELY, MOST_FILES
from memdir.recall.rank import Ranked, Selection, by_probability

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

__all__ = ["MOST_LINES", "select"]

MOST_LINES = 3
"""Lines of likely memories in one turn: whoever reads them can open the files."""


def select(
    ranked: "Sequence[Ranked]",
    *,
    limit: int = MOST_FILES,
    certain: float = CERTAIN,
    likely: float = LIKELY,
    shown: "Container[str]" = (),
    named: "Container[str]" = (),
) -> Selection:
    """Return what to show, the most probable first, and of all others why not.

    Memories that are `certain` are shown in full, those that are `likely` as one line each; both count
    towards the limit. What was `shown` before is left out, and what was `named` in a line gets no second one.
    A line needs vectors: words in common alone are too often chance.
    """
    cuts = {one.header.file: ALREADY_SHOWN for one in ranked if one.header.file in shown}
    fresh = [one for one in by_probability(ranked) if one.header.file not in cuts]
    fresh.sort(key=lambda one: is_team_file(one.header.file))  # what the user's own memory says comes first
    full = [one for one in fresh if one.score >= certain]
    maybe = [one for one in fresh if likely <= one.score < certain and one.semantic is not None]
    lines = [one for one in maybe if one.header.file not in named]
    room = min(MOST_LINES, max(0, limit - len(full)))
    kept = {one.header.file for one in full[:limit] + lines[:room]}
    for one in fresh:
        if one.header.file not in kept:
            cuts[one.header.file] = _because(one, limit, certain, likely, named)
    return Selection(tuple(full[:limit]), tuple(lines[:room]), cuts)


def _because(one: Ranked, limit: int, certain: float, likely: float, named: "Container[str]") -> str:
    why = f" ({'; '.join(one.notes)})" if one.notes else ""
    needed = certain if one.semantic is None else likely
    if one.score < needed:
        return f"it helps with a probability of {one.score:.2f}, {needed:.2f} is needed{why}"
    if one.score < certain and one.header.file in named:
        return ALREADY_NAMED
    what = f"{limit} are shown at once" if one.score >= certain else f"{MOST_LINES} lines are shown at once"
    return f"others are more probable, and only {what}"
