"""Recall run again for one file, without a trace: the reason that `selector.py` or a rule before it gives."""

from memdir.recall.rank import Ranked, by_probability
from memdir.recall.recaller import Recaller
from memdir.recall.turn import RecallTurn
from memdir.text.value import value_class

__all__ = ["WhyNot", "why_not"]


@value_class(frozen=True, slots=True)
class WhyNot:
    """Which rule keeps a memory from being recalled for a query."""

    file: str
    query: str
    because: str
    """Empty when it would be recalled."""
    rank: int = 0
    """Its place among all memories, 1 the best; 0 when none were ranked."""
    of: int = 0
    ranked: Ranked | None = None
    best: Ranked | None = None


def why_not(recaller: Recaller, file: str, query: str) -> WhyNot:
    """Return which rule keeps this file out; nothing is shown, charged or written down."""
    refusal = recaller.refusal(query, recaller.limits.files)
    if refusal:
        return WhyNot(file, query, refusal)
    limits = recaller.limits
    ranked = recaller.rank(query)
    turn = RecallTurn(query, limits.files, seconds=limits.model_budget, timer=recaller.timer)
    current, choice = recaller.choice(turn, ranked, *recaller.surfacer.already_shown())
    ranked, cuts = by_probability(current.all), choice.cuts
    files = [one.header.file for one in ranked]
    if file not in files:
        return WhyNot(file, query, "it is not among the memories that can be read", 0, len(ranked))
    place = files.index(file)
    is_chosen = file in {one.header.file for one in (*choice.certain, *choice.likely)}
    because = "" if is_chosen else cuts.get(file, "it was not chosen")
    return WhyNot(file, query, because, place + 1, len(ranked), ranked[place], ranked[0])
