"""Rankings against what was wanted: recall, precision and their relatives, a task and all tasks together."""

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.recall.evaluation import Answer

__all__ = ["MEASURES", "averages", "measured", "table"]

MEASURES = ("R@5", "R@10", "Hit@5", "MRR", "nDCG@10", "Sel.P", "Sel.R", "Sel.n")
"""Recall, any found, how early the first, how early all; of those shown precision, recall and number."""

_SHOWN = 5
_TURNS = "-turn"
"""Tasks whose documents are messages and not memories end like this: their mean is given apart."""


def measured(answer: "Answer") -> dict[str, float]:
    """Return the measures of one answer."""
    gold = set(answer.query["gold"])
    places = [place for place, document in enumerate(answer.ranking) if document in gold]
    shown = answer.selected[:_SHOWN]
    hits = sum(document in gold for document in shown)
    ideal = sum(1 / log2(place + 2) for place in range(min(len(gold), 10)))
    return {
        "R@5": sum(place < 5 for place in places) / min(len(gold), 5),
        "R@10": sum(place < 10 for place in places) / min(len(gold), 10),
        "Hit@5": float(any(place < 5 for place in places)),
        "MRR": 1 / (places[0] + 1) if places else 0.0,
        "nDCG@10": sum(1 / log2(place + 2) for place in places if place < 10) / ideal,
        "Sel.P": hits / len(shown) if shown else 0.0,
        "Sel.R": hits / min(_SHOWN, len(gold)),
        "Sel.n": float(len(shown)),
    }


def averages(tasks: Mapping[str, Iterable["Answer"]]) -> dict[str, dict[str, float]]:
    """Return the mean measures of each task and, each task counting the same, of groups of tasks."""
    rows = {name: _mean([measured(answer) for answer in found]) for name, found in tasks.items()}
    lines = [row for name, row in rows.items() if not name.endswith(_TURNS)]
    turns = [row for name, row in rows.items() if name.endswith(_TURNS)]
    groups = {"MEAN memory-line tasks": lines, "MEAN turn tasks": turns, "MEAN all": lines + turns}
    return rows | {name: _mean(group) for name, group in groups.items() if group}


def table(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return the measures as text, all but numbers of documents in per cent."""
    width = max(len(name) for name in rows) + 2
    lines = ["task".ljust(width) + "".join(f"{name:>9}" for name in MEASURES)]
    for name, row in rows.items():
        cells = (f"{row[one] if one == 'Sel.n' else 100 * row[one]:9.1f}" for one in MEASURES)
        lines.append(name.ljust(width) + "".join(cells))
    return "\n".join(lines)


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) / len(rows) for name in MEASURES} if rows else {}
