"""How well recall does over recorded stores and queries.

A task is a folder with `corpus.jsonl` (documents: id, group, text; optional title, speaker, aliases, ts, seq)
and `queries.jsonl` (id, group, text, gold; optional seq). A document with a `seq` exists for those queries
whose `seq` is higher.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import log2
from typing import Any

from memdir.errors import Rejected
from memdir.memories.topic import Header
from memdir.recall.lexical.statistics import Profile, Statistics
from memdir.recall.rank import Document, Words, rank_documents
from memdir.recall.selector import select
from memdir.recall.semantic.encoder import Encoded
from memdir.recall.semantic.meaning import passages
from memdir.recall.semantic.nearness import Space, Vectors, rounded_vectors
from memdir.text.value import value_class

__all__ = [
    "Answer",
    "Encode",
    "Task",
    "answers",
    "averages",
    "measure",
    "table",
    "tasks_in",
]

Row = dict[str, Any]
Encode = Callable[[Sequence[str]], "list[Encoded]"]

_TOGETHER = timedelta(hours=3)
"""Two documents that lie no further apart belong to one occasion."""

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


@value_class(frozen=True, slots=True)
class Task:
    """One folder of the benchmark."""

    name: str
    documents: tuple[Row, ...]
    queries: tuple[Row, ...]


@value_class(frozen=True, slots=True)
class Answer:
    """What was found for one query."""

    query: Row
    ranking: tuple[str, ...]
    """Ids of documents, best first."""
    scores: tuple[float, ...]
    """Those of the ranking."""
    selected: tuple[str, ...]
    """Those that would be shown."""


def tasks_in(directory: str) -> list[Task]:
    """Read every task below a directory, or the one that it is itself."""
    folders = [directory, *(os.path.join(directory, name) for name in sorted(os.listdir(directory)))]
    tasks = [
        Task(
            os.path.basename(os.path.abspath(folder)),
            _rows(os.path.join(folder, "corpus.jsonl")),
            _rows(os.path.join(folder, "queries.jsonl")),
        )
        for folder in folders
        if os.path.isfile(os.path.join(folder, "queries.jsonl"))
    ]
    if not tasks:
        raise Rejected(f"{directory} holds no task. Name a folder with corpus.jsonl and queries.jsonl in it.")
    return tasks


def answers(task: Task, encode: Encode | None = None) -> Iterator[Answer]:
    """Rank and choose for every query of a task, with an encoder by meaning too."""
    stores: dict[str, list[Row]] = {}
    for document in task.documents:
        stores.setdefault(document["group"], []).append(document)
    asked: dict[str, dict[int | None, list[Row]]] = {}
    for query in task.queries:
        asked.setdefault(query["group"], {}).setdefault(query.get("seq"), []).append(query)
    for group, moments in asked.items():
        store = _Store(stores.get(group, []), encode)
        for moment, queries in moments.items():
            view = store.at(moment)
            for query in queries:
                yield view.answer(query, encode)


class _Store:
    """All documents of one group, read once."""

    def __init__(self, rows: list[Row], encode: Encode | None) -> None:
        """Read the words, and with an encoder the meaning, of every document."""
        self._rows = list(zip(rows, _occasions(rows), strict=True))
        self._profiles = [Profile.of(_name(row), "", row["text"]) for row in rows]
        self._vectors = _vectors(rows, encode) if encode and rows else None

    def at(self, moment: int | None) -> "_View":
        """Return what exists at a moment; all of it where time is not recorded."""
        there = [
            number
            for number, (row, _) in enumerate(self._rows)
            if moment is None or row.get("seq") is None or row["seq"] < moment
        ]
        rows = [self._rows[number] for number in there]
        ages = _ages([row.get("seq", 0) for row, _ in rows]) if moment is not None else {}
        documents = []
        for row, occasion in rows:
            saved_at = _EPOCH + timedelta(days=row.get("seq") or 0)
            header = Header(row["id"], _name(row), "", None, saved_at)
            documents.append(Document(header, ages.get(row.get("seq", 0)), occasion))
        statistics = Statistics.of([self._profiles[number] for number in there])
        vectors = self._vectors
        return _View(documents, statistics, Space([vectors[number] for number in there]) if vectors else None)


@value_class(frozen=True, slots=True)
class _View:
    """What exists of a store at one moment."""

    documents: list[Document]
    statistics: Statistics
    space: "Space | None"

    def answer(self, query: Row, encode: Encode | None) -> Answer:
        """Rank the documents and choose among them."""
        text: str = query["text"]
        fit = self.statistics.score(text, widen=self.space is None)
        words = Words(text, fit, self.statistics.overlaps, self.statistics.similarities)
        near = self.space.nearness_to(encode([text])[0]) if self.space and encode else None
        found = rank_documents(self.documents, words, near)
        shown = select(found).certain
        return Answer(
            query,
            tuple(one.header.file for one in found),
            tuple(one.score for one in found),
            tuple(one.header.file for one in shown),
        )


def _rows(path: str) -> tuple[Row, ...]:
    rows: list[Row] = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                    row["id"], row["group"], row["text"]
                except (ValueError, KeyError, TypeError) as error:
                    raise Rejected(
                        f"{path}:{number} is no row: {error!r}. It needs id, group, text."
                    ) from error
                rows.append(row)
    return tuple(rows)


def _name(row: Row) -> str:
    return " ".join(filter(None, (row.get("title"), *row.get("aliases", ()), row.get("speaker"))))


def _ages(moments: Sequence[int]) -> dict[int, float]:
    """Return for each moment the share of documents that are newer."""
    newest_first = sorted(moments, reverse=True)
    ages: dict[int, float] = {}
    for place, moment in enumerate(newest_first):
        ages.setdefault(moment, place / len(moments))
    return ages


def _occasions(rows: Iterable[Row]) -> Iterator[int | None]:
    """Yield the number of each row's occasion: the same `seq` or `ts`, or times that follow closely."""
    number, last = 0, None
    for row in rows:
        moment = row.get("seq", _time(row.get("ts")))
        together = moment == last
        if isinstance(moment, datetime) and isinstance(last, datetime):
            together = abs(moment - last) <= _TOGETHER
        number += not together
        last = moment
        yield None if moment is None else number


def _time(text: str | None) -> datetime | str | None:
    try:
        return datetime.fromisoformat(text or "").replace(tzinfo=UTC)
    except ValueError:
        return text


def _vectors(rows: Sequence[Row], encode: Encode) -> "list[Vectors]":
    texts = [passages(_name(row), "", row["text"]) for row in rows]
    encoded = iter(encode([passage for parts in texts for passage in parts]))
    return [rounded_vectors([next(encoded) for _ in parts]) for parts in texts]


MEASURES = ("R@5", "R@10", "Hit@5", "MRR", "nDCG@10", "Sel.P", "Sel.R", "Sel.n")
"""Recall, any found, how early the first, how early all; of those shown precision, recall and number."""

_SHOWN = 5
_TURNS = "-turn"
"""Tasks whose documents are messages and not memories end like this: their mean is given apart."""


def measure(answer: Answer) -> dict[str, float]:
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


def averages(tasks: Mapping[str, Iterable[Answer]]) -> dict[str, dict[str, float]]:
    """Return the mean measures of each task and, each task counting the same, of groups of tasks."""
    rows = {name: _mean([measure(answer) for answer in found]) for name, found in tasks.items()}
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
