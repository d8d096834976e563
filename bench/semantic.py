"""A semantic query over 2,000 memories in a running process, beside its own forward pass.

Run by itself it prints one line of JSON: `python bench/semantic.py [TASK] [CONFIG_HOME]`; the documents of
all groups of a recall task make one store, and full MaxSim over it says what haste costs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from memdir.memories.topic import Header
from memdir.recall.evaluation import Task, tasks_in
from memdir.recall.fusion import LOOKED_AT, Documents, candidates
from memdir.recall.lexical.bm25 import BM25, passages_of
from memdir.recall.semantic.encoder import Encoded, Encoder, encoder_in
from memdir.recall.semantic.vectors import MaxSim, VectorSpace, passages, rounded_vectors
from memdir.recall.semantic.weights import weights_folder, weights_missing

__all__ = ["measured", "rows"]

if TYPE_CHECKING:
    from bench.figures import Row
    from bench.ground import Ground

_TASK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recall", "realmem")
_MEMORIES, _QUERIES, _ROUNDS = 2_000, 150, 3
_EVERYTHING = 10**9


class _Store:
    """2,000 memories in a running process: all is read, nothing is asked yet."""

    def __init__(self, task: Task, encoder: Encoder) -> None:
        """Read words and vectors."""
        rows = task.documents[:_MEMORIES]
        made = datetime(2025, 1, 1, tzinfo=UTC)
        self.encoder = encoder
        headers = [
            Header(row["id"], "", "", None, made - timedelta(minutes=at)) for at, row in enumerate(rows)
        ]
        ages, occasions = ([at / len(rows) for at in range(len(rows))], [at // 5 for at in range(len(rows))])
        self.documents = Documents(headers, ages, occasions)
        self.timeless = Documents(headers, [None] * len(rows), [None] * len(rows))
        self.index = BM25([passages_of("", "", row["text"]) for row in rows])
        kept = [rounded_vectors(encoder.encode(passages("", "", row["text"]))) for row in rows]
        self.space = VectorSpace(kept)
        self.full = VectorSpace(kept, _EVERYTHING)

    def found(
        self, text: str, encoded: Encoded, documents: Documents, *, everything: bool = False
    ) -> list[str]:
        """Return the best five for a query that is encoded already."""
        space = self.full if everything else self.space
        words = self.index.fit(text, expand=False)
        looked_at = _EVERYTHING if everything else LOOKED_AT
        best = candidates(documents, words, MaxSim(space, encoded), looked_at=looked_at).rank()
        return [one.header.file for one in best[:5]]

    def seconds(self, text: str) -> tuple[float, float]:
        """Return what a query took from text to order, and what its forward pass took of that."""
        begun = perf_counter()
        encoded = self.encoder.encode([text])[0]
        passed = perf_counter()
        self.found(text, encoded, self.documents)
        return perf_counter() - begun, passed - begun


def rows(_: "Ground") -> "list[Row]":
    """Return the figures, measured by a process of its own, whose numpy has one thread."""
    from bench.figures import Row

    home = weights_folder({})
    command = [sys.executable, os.path.abspath(__file__), _TASK, home]
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    lost = 100 * (found["R@5 of full MaxSim"] - found["R@5"])
    return [
        Row("semantic query over 2,000, beside its forward pass", found["query"], "s", found["forward"], 2),
        Row("R@5 that two stages lose against full MaxSim", max(0.0, lost), "points", at_most=1),
    ]


def measured(data: str, config_home: str) -> dict[str, Any]:
    """Return medians in seconds, their ratio, and recall at five in both ways."""
    if missing := weights_missing(config_home):
        raise SystemExit(missing)
    encoder = encoder_in(config_home)
    assert encoder is not None
    (task,) = tasks_in(data)
    store = _Store(task, encoder)
    there = {header.file for header in store.documents.headers}
    queries = [query for query in task.queries if there.issuperset(query["gold"])]
    queries = queries[:: max(1, len(queries) // _QUERIES)][:_QUERIES]
    pairs = [store.seconds(query["text"]) for _ in range(_ROUNDS) for query in queries]
    ratio = median(whole / passed for whole, passed in pairs)
    recalls = [_recalls(store, query) for query in queries]
    return {
        "memories": len(store.documents.headers),
        "queries": len(queries),
        "query": median(whole for whole, _ in pairs),
        "forward": median(passed for _, passed in pairs),
        "ratio": ratio,
        "R@5": sum(hasty for hasty, _ in recalls) / len(recalls),
        "R@5 of full MaxSim": sum(full for _, full in recalls) / len(recalls),
    }


def _recalls(store: _Store, query: dict[str, Any]) -> tuple[float, float]:
    encoded = store.encoder.encode([query["text"]])[0]
    # The queries were asked at other times and in five stores: age and occasion would only mislead here.
    hasty = store.found(query["text"], encoded, store.timeless)
    full = store.found(query["text"], encoded, store.timeless, everything=True)
    return _recall(hasty, query["gold"]), _recall(full, query["gold"])


def _recall(found: Sequence[str], gold: Sequence[str]) -> float:
    return len(set(found) & set(gold)) / min(len(gold), 5)


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else _TASK
    home = sys.argv[2] if len(sys.argv) > 2 else os.path.expanduser("~/.claude")
    print(json.dumps(measured(folder, home)))
