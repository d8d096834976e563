"""What training takes from memdir itself, so that both cut texts, count words and see features alike."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdir.memories.topic import Header
from memdir.recall.fusion import Candidates, Documents, candidates
from memdir.recall.lexical.bm25 import BM25, passages_of
from memdir.recall.limits import skip_reason
from memdir.recall.ranker import LONGEST_QUERY, ages, occasions
from memdir.recall.relevance import TABLE, TIMES
from memdir.recall.relevance import features as features_of
from memdir.recall.semantic.encoder import Encoder, WordPiece
from memdir.recall.semantic.vectors import passages
from memdir.recall.semantic.weights import weights_at

if TYPE_CHECKING:
    from memdir.recall.semantic.weights import Tables

__all__ = [
    "JUDGE_TABLE",
    "TIMES",
    "Candidates",
    "Encoder",
    "Store",
    "StoredSignals",
    "base_weights",
    "candidates_of",
    "features_of",
    "passages",
    "prompt_ids",
    "skip_reason",
    "store_of",
    "tokenizer",
    "weights_at",
]

JUDGE_TABLE = Path(TABLE)
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_LONG_AGO = 3
"""Days since a memory was saved that does not say."""


@lru_cache(maxsize=1)
def base_weights() -> "Tables":
    """Return the weights that training starts from."""
    home = Path(__file__).parent.parent / ".venv" / "model" / "memdir" / "models"
    return weights_at(os.environ.get("BASE_WEIGHTS", str(home / "all-MiniLM-L6-v2.int8")))


@lru_cache(maxsize=1)
def tokenizer() -> WordPiece:
    """Return the tokenizer of those weights."""
    return WordPiece(base_weights())


def prompt_ids(text: str) -> list[int]:
    """Return the numbers of the tokens of a prompt as the package reads it."""
    return tokenizer().prompt_ids(text[:LONGEST_QUERY])


@dataclass(frozen=True)
class Store:
    """The memories of one store as ranking wants them."""

    documents: Documents
    index: BM25
    places: list[int]
    """The place in the data of each document: they are ranked newest first."""


@dataclass(frozen=True)
class StoredSignals:
    """What a network saw of one prompt and the memories of its store, in the order of the data."""

    cosines: list[float | None]
    """The cosine of each memory."""
    found: list[tuple[float, float]]
    """MaxSim both ways."""
    nothing: float

    @classmethod
    def of(cls, signals: Mapping[str, Any], at: str, number: int) -> "StoredSignals":
        """Read the signals of one prompt."""
        cosine, found, back = signals[f"{at}|signals"][:, number].astype(float).tolist()
        return cls(cosine, list(zip(found, back, strict=True)), float(signals[f"{at}|nothing"][number]))

    def sorted(self, places: Sequence[int]) -> "StoredSignals":
        """Return the same in another order of the memories."""
        cosines, found = [self.cosines[at] for at in places], [self.found[at] for at in places]
        return StoredSignals(cosines, found, self.nothing)

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return MaxSim of these memories, both ways."""
        return [self.found[number] for number in numbers]

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        """Tell no two memories for the same: that is a rule of the package and nothing to be learned."""
        return [[0.0] * len(numbers) for _ in numbers]


def store_of(memories: Sequence[Mapping[str, Any]], some: Sequence[int] | None = None) -> Store:
    """Return the memories of a store, or those at some places, newest first."""
    places = range(len(memories)) if some is None else some
    places = sorted(places, key=lambda at: memories[at].get("days_old", _LONG_AGO))
    rows = [memories[at] for at in places]
    headers = [_header(row) for row in rows]
    documents = Documents(headers, [*ages(headers)], occasions(headers))
    index = BM25([_passages_of(row["name"], row["description"], row["body"]) for row in rows])
    return Store(documents, index, places)


_passages_of = cache(passages_of)


def candidates_of(store: Store, query: str, near: StoredSignals | None) -> tuple[Candidates, list[int]]:
    """Return the candidates for a prompt with all that is known of them, and their places in the data."""
    words = store.index.fit(query[:LONGEST_QUERY], expand=near is None)
    found = candidates(store.documents, words, near and near.sorted(store.places), now=_NOW)
    return found, [store.places[at] for at in found.order]


def _header(row: Mapping[str, Any]) -> Header:
    saved = _NOW - timedelta(days=row.get("days_old", _LONG_AGO))
    return Header(row["id"], row["name"], row["description"], row["kind"], saved)
