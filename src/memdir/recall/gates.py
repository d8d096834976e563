"""Which of the ranked memories are worth showing: few, or none, and why not the others."""

from memdir.conversation.state import ALREADY_SHOWN
from memdir.recall.limits import MOST_FILES
from memdir.recall.ranked import Cut, Ranked, Selection

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

__all__ = ["ALREADY_SHOWN", "NEAR_BEST", "SURE", "chosen", "chosen_afresh"]

SURE = 0.27
"""The score that the best has to reach: it keeps four of five queries silent that meet a foreign store."""

NEAR_BEST = 0.65
"""Share of the best score that the others have to reach."""


def chosen(query: str, ranked: "Sequence[Ranked]", limit: int = MOST_FILES) -> Selection:
    """Return the memories to show, at most `limit`; none when the best of them does not clearly fit."""
    if not ranked or not query.strip():
        return Selection((), tuple([Cut(one.header.file, "there was no query") for one in ranked]))
    best = ranked[0].score
    if best < SURE:
        because = f"nothing fits clearly: the best scores {best:.2f}, {SURE} is needed"
        return Selection((), tuple([Cut(one.header.file, because) for one in ranked]))
    shown = [one for one in ranked[:limit] if one.score >= NEAR_BEST * best]
    cuts = [Cut(one.header.file, _because(one, best, limit)) for one in ranked[len(shown) :]]
    return Selection(tuple(shown), tuple(cuts))


def chosen_afresh(
    choose: "Callable[[str, list[Ranked], int], Selection]",
    query: str,
    ranked: list[Ranked],
    shown: "Container[str]",
    limit: int,
) -> tuple[tuple[Ranked, ...], dict[str, str]]:
    """Choose among all and leave out what was shown: what fits worse does not get better by that.

    Returns what to show, and of all others why not.
    """
    count = sum(one.header.file in shown for one in ranked)
    selection = choose(query, ranked, limit + count)
    cuts = {cut.file: cut.because for cut in selection.cuts}
    cuts |= {one.header.file: ALREADY_SHOWN for one in ranked if one.header.file in shown}
    fresh = [one for one in selection.chosen if one.header.file not in shown]
    cuts |= {one.header.file: f"only {limit} are shown at once" for one in fresh[limit:]}
    return tuple(fresh[:limit]), cuts


def _because(one: Ranked, best: float, limit: int) -> str:
    if one.score >= NEAR_BEST * best:
        return f"{limit} others fit better"
    why = f" ({'; '.join(one.notes)})" if one.notes else ""
    return f"it scores {one.score:.2f}, less than {NEAR_BEST:.0%} of the best{why}"
