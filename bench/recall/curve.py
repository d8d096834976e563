"""What the gates cost at home, in precision and recall, and how often they keep foreign stores silent."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memdir.recall.evaluation import Answer, Encode, Task, answers
from memdir.recall.gates import NEAR_BEST, SURE

__all__ = ["curve"]

_POINTS = (
    (0.0, 0.0),
    (0.0, NEAR_BEST),
    (SURE, 0.0),
    *((sure, near) for sure in (0.1, 0.2, SURE, 0.4) for near in (0.5, 0.6, NEAR_BEST, 0.75, 0.85)),
)


def curve(tasks: Sequence[Task], found: dict[str, list[Answer]], encode: Encode | None) -> str:
    """Return a table: a row a pair of gates, a column a task, and one for stores of other people."""
    away = list(answers(_abroad(tasks), encode))
    names = [task.name for task in tasks]
    lines = [
        "| sure | near best | " + " | ".join(f"{name}: P, R, shown" for name in names) + " | foreign silent |"
    ]
    lines.append("|---" * (len(names) + 3) + "|")
    for sure, near in _POINTS:
        cells = (_cell(found[name], sure, near) for name in names)
        silent = _share(not _shown(answer, sure, near) for answer in away)
        lines.append(f"| {sure:g} | {near:g} | {' | '.join(cells)} | {silent:.1%} |")
    return "\n".join(lines)


def _abroad(tasks: Sequence[Task]) -> Task:
    """Return every query asked of stores of other people: of its own task, if it has more, and of another."""
    dice = random.Random(7)
    documents = tuple({**row, "group": _place(task, row)} for task in tasks for row in task.documents)
    places = sorted({row["group"] for row in documents})
    queries = [
        {**query, "group": place}
        for task in tasks
        for query in task.queries
        for place in _elsewhere(places, _place(task, query), task.name, dice)
    ]
    return Task("abroad", documents, tuple(queries))


def _elsewhere(places: Sequence[str], home: str, task: str, dice: random.Random) -> Iterator[str]:
    near = [place for place in places if place != home and place.startswith(f"{task}/")]
    far = [place for place in places if not place.startswith(f"{task}/")]
    for choice in filter(None, (near, far)):
        yield dice.choice(choice)


def _place(task: Task, row: dict[str, Any]) -> str:
    return f"{task.name}/{row['group']}"


def _cell(found: Iterable[Answer], sure: float, near: float) -> str:
    precision, recall, count = [], [], []
    for answer in found:
        shown, gold = _shown(answer, sure, near), set(answer.query["gold"])
        hits = len(gold.intersection(shown))
        precision.append(hits / len(shown) if shown else 0.0)
        recall.append(hits / min(5, len(gold)))
        count.append(float(len(shown)))
    return f"{100 * _share(precision):.1f}, {100 * _share(recall):.1f}, {_share(count):.1f}"


def _shown(answer: Answer, sure: float, near: float) -> tuple[str, ...]:
    if not answer.scores or answer.scores[0] < sure:
        return ()
    enough = near * answer.scores[0]
    return tuple(
        document
        for document, score in zip(answer.ranking[:5], answer.scores[:5], strict=True)
        if score >= enough
    )


def _share(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
