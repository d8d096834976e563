"""How well recall does: over recorded tasks, over a person's own examples, and what its receipts add up to.

A task is a folder with `corpus.jsonl` (documents: id, group, text; optional title, speaker, aliases, ts, seq)
and `queries.jsonl` (id, group, text, gold; optional seq). A document with a `seq` exists for those queries
whose `seq` is higher.

An example says which memories a prompt should be given, so that people can measure recall on their own work.
Examples lie in the state folder, a line of JSON each, and never leave the machine.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from math import ceil, log2
from typing import Any

from memdir.conversation.receipts import Receipt
from memdir.disk.files import make_folder
from memdir.errors import Rejected
from memdir.memories.topic import Header
from memdir.progress import count_progress
from memdir.recall.fusion import Documents, Ranked, candidates
from memdir.recall.lexical.bm25 import BM25, passages_of
from memdir.recall.ranker import TOGETHER, ages
from memdir.recall.selector import select
from memdir.recall.semantic.encoder import Encoded
from memdir.recall.semantic.vectors import MaxSim, Vectors, VectorSpace, passages, rounded_vectors
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = [
    "EXAMPLES",
    "Answer",
    "Encode",
    "Example",
    "ExampleScore",
    "Stats",
    "Task",
    "add_example",
    "answers",
    "averages",
    "measure",
    "read_examples",
    "score_examples",
    "stats_of",
    "table",
    "tasks_in",
]

Row = dict[str, Any]
Encode = Callable[[Sequence[str]], "list[Encoded]"]

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
        yield from _group_answers(stores.get(group, []), moments, encode)


def _group_answers(
    store: list[Row], moments: Mapping[int | None, Iterable[Row]], encode: Encode | None
) -> Iterator[Answer]:
    """Answer the queries of each moment from what existed then, or from all where time is not recorded."""
    occasions, texts = [*_occasions(store)], [passages_of(_name(row), "", row["text"]) for row in store]
    vectors = _vectors(store, encode) if encode and store else None
    for moment, queries in moments.items():
        there = [
            at
            for at, row in enumerate(store)
            if moment is None or row.get("seq") is None or row["seq"] < moment
        ]
        days = [store[at].get("seq", 0) for at in there]
        headers = [
            Header(store[at]["id"], _name(store[at]), "", None, _EPOCH + timedelta(days=day or 0))
            for at, day in zip(there, days, strict=True)
        ]
        newest_first = sorted(headers, key=lambda header: header.saved_at, reverse=True)
        known = zip([one.saved_at for one in newest_first], ages(newest_first), strict=True)
        age_at = dict(known) if moment is not None else {}
        age = [age_at.get(header.saved_at) for header in headers]
        documents = Documents(headers, age, [occasions[at] for at in there])
        index = BM25([texts[at] for at in there])
        space = VectorSpace([vectors[at] for at in there]) if vectors else None
        for query in queries:
            meaning = MaxSim(space, encode([query["text"]])[0]) if space and encode else None
            found = candidates(documents, index.fit(query["text"], expand=space is None), meaning).rank()
            yield Answer(query, _files_of(found), _files_of(select(found).certain))


def _files_of(ranked: Iterable[Ranked]) -> tuple[str, ...]:
    return tuple(one.header.file for one in ranked)


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


def _occasions(rows: Iterable[Row]) -> Iterator[int | None]:
    """Yield the number of each row's occasion: the same `seq` or `ts`, or times that follow closely."""
    number, last = 0, None
    for row in rows:
        moment = row.get("seq", _time(row.get("ts")))
        together = moment == last
        if isinstance(moment, datetime) and isinstance(last, datetime):
            together = abs(moment - last) <= TOGETHER
        number += not together
        last = moment
        yield None if moment is None else number


def _time(text: str | None) -> datetime | str | None:
    try:
        return datetime.fromisoformat(text or "").replace(tzinfo=UTC)
    except ValueError:
        return text


def _vectors(rows: Sequence[Row], encode: Encode) -> list[Vectors]:
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


EXAMPLES = "examples"
"""The file in the state folder."""

_LONGEST_PROMPT = 20_000
"""Characters of a prompt that are kept: more than any that a person types."""


@value_class(frozen=True, slots=True)
class Example:
    """What a person said about one prompt."""

    prompt: str
    wanted: tuple[str, ...] = ()
    """Files that should be shown."""
    unwanted: tuple[str, ...] = ()
    """Files that should not."""


def add_example(state: str, example: Example) -> None:
    """Write one down, with credentials masked."""
    prompt = without_secrets(example.prompt[:_LONGEST_PROMPT])
    row = {"prompt": prompt, "wanted": list(example.wanted), "unwanted": list(example.unwanted)}
    with make_folder(state) as folder:
        folder.append(EXAMPLES, f"{json.dumps(row)}\n".encode())


def read_examples(state: str) -> list[Example]:
    """Return what was said about each prompt; what was said last about a file counts.

    A line that cannot be read is left out.
    """
    said: dict[str, dict[str, bool]] = {}
    with suppress(OSError), open(os.path.join(state, EXAMPLES), "rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                files = dict.fromkeys(row["wanted"], True) | dict.fromkeys(row["unwanted"], False)
                said.setdefault(str(row["prompt"]), {}).update(
                    {str(name): wanted for name, wanted in files.items()}
                )
    return [
        Example(
            prompt,
            tuple([file for file, wanted in files.items() if wanted]),
            tuple([file for file, wanted in files.items() if not wanted]),
        )
        for prompt, files in said.items()
    ]


@value_class(frozen=True, slots=True)
class ExampleScore:
    """How today's recall does on the examples."""

    examples: int
    wanted: int
    found: int
    """Of the wanted, those that are shown."""
    unwanted: int
    wrong: int
    """Of the unwanted, those that are shown."""
    missed: tuple[tuple[str, str], ...]
    """Prompts and files that should be shown and are not."""
    noise: tuple[tuple[str, str], ...]
    """Prompts and files that are shown and should not be."""


def score_examples(examples: Sequence[Example], is_shown: Callable[[str, str], bool]) -> ExampleScore:
    """Score examples; `is_shown` tells whether today's recall shows a file for a prompt."""
    missed, noise = list[tuple[str, str]](), list[tuple[str, str]]()
    for example in count_progress(examples):
        missed += [(example.prompt, file) for file in example.wanted if not is_shown(file, example.prompt)]
        noise += [(example.prompt, file) for file in example.unwanted if is_shown(file, example.prompt)]
    wanted = sum(len(example.wanted) for example in examples)
    unwanted = sum(len(example.unwanted) for example in examples)
    found = wanted - len(missed)
    return ExampleScore(len(examples), wanted, found, unwanted, len(noise), tuple(missed), tuple(noise))


@value_class(frozen=True, slots=True)
class Stats:
    """The sums over all receipts that are kept."""

    recalls: int
    """Those that looked for memories, whether they found any or not."""
    empty: int
    skipped: dict[str, int]
    """Prompts that were not looked at, by reason."""
    methods: dict[str, int]
    fallbacks: int
    tokens: int
    model_tokens: int
    recalled: dict[str, int]
    """How often each memory was shown, in full or as a line; most often first."""
    never: tuple[str, ...]
    """Memories that were never shown."""
    milliseconds: dict[str, float]
    """Time of a recall at the 50th, 90th and 99th percentile, and the longest."""
    since: str = ""


def stats_of(receipts: Sequence[Receipt], files: Sequence[str]) -> Stats:
    """Add receipts up, newest first, over the memories there are now."""
    done = [receipt for receipt in receipts if not receipt.because]
    counts = Counter(file for receipt in done for file in receipt.given)
    times = sorted(receipt.milliseconds for receipt in done)
    shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("longest", 1.0)] if times else []
    return Stats(
        recalls=len(done),
        empty=sum(not receipt.given for receipt in done),
        skipped=dict(Counter(receipt.because for receipt in receipts if receipt.because).most_common()),
        methods=dict(Counter(receipt.method for receipt in done).most_common()),
        fallbacks=sum(bool(receipt.fallbacks) for receipt in receipts),
        tokens=sum(receipt.tokens for receipt in done),
        model_tokens=sum(receipt.model_tokens for receipt in done),
        recalled=dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        never=tuple([file for file in files if file not in counts]),
        milliseconds={name: times[max(0, ceil(share * len(times)) - 1)] for name, share in shares},
        since=receipts[-1].at if receipts else "",
    )
