"""What training takes from memdir itself, so that both cut texts, count words and see features alike."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdir.memories.topic import Header
from memdir.recall.lexical.statistics import Profile, Statistics
from memdir.recall.rank import LONGEST_QUERY, Document, Stage, Words, candidates
from memdir.recall.ranking import ages, occasions
from memdir.recall.relevance import TABLE, TIMES
from memdir.recall.relevance import features as features_of
from memdir.recall.semantic.encoder import Encoder
from memdir.recall.semantic.meaning import passages
from memdir.recall.semantic.weights import pack, weights_at
from memdir.recall.semantic.wordpiece import Vocabulary, WordPiece
from memdir.recall.semantic.wordpiece import prompt_pieces as _prompt_pieces
from memdir.recall.turn import skip_reason

if TYPE_CHECKING:
    from memdir.recall.semantic.weights import Tables

__all__ = [
    "JUDGE_TABLE",
    "TIMES",
    "Encoder",
    "Store",
    "StoredSignals",
    "base_weights",
    "features_of",
    "pack",
    "passages",
    "prompt_pieces",
    "skip_reason",
    "stage_of",
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
    return WordPiece(Vocabulary(base_weights()))


def prompt_pieces(text: str) -> list[int]:
    """Return the pieces of a prompt as the package reads it."""
    return _prompt_pieces(tokenizer(), text[:LONGEST_QUERY])


@dataclass(frozen=True)
class Store:
    """The memories of one store as ranking wants them."""

    documents: list[Document]
    statistics: Statistics
    places: list[int]
    """The place in the data of each document: they are ranked newest first."""


@dataclass(frozen=True)
class StoredSignals:
    """What a network saw of one prompt and the memories of its store, in the order of the data."""

    cosines: list[float]
    pieces: list[tuple[float, float]]
    nothing: float

    @classmethod
    def of(cls, signals: Mapping[str, Any], at: str, number: int) -> "StoredSignals":
        """Read the signals of one prompt."""
        cosine, found, back = signals[f"{at}|signals"][:, number].astype(float).tolist()
        return cls(cosine, list(zip(found, back, strict=True)), float(signals[f"{at}|nothing"][number]))

    def sorted(self, places: Sequence[int]) -> "StoredSignals":
        """Return the same in another order of the memories."""
        cosines, pieces = [self.cosines[at] for at in places], [self.pieces[at] for at in places]
        return StoredSignals(cosines, pieces, self.nothing)

    def means(self) -> list[float | None]:
        """Return the cosines."""
        return list(self.cosines)

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return how well pieces are found, both ways."""
        return [self.pieces[number] for number in numbers]

    def alike(self, numbers: Sequence[int]) -> list[list[float]]:
        """Tell no two memories for the same: that is a rule of the package and nothing to be learned."""
        return [[0.0] * len(numbers) for _ in numbers]


def store_of(memories: Sequence[Mapping[str, Any]], some: Sequence[int] | None = None) -> Store:
    """Return the memories of a store, or those at some places, newest first."""
    places = range(len(memories)) if some is None else some
    places = sorted(places, key=lambda at: memories[at].get("days_old", _LONG_AGO))
    rows = [memories[at] for at in places]
    headers = [_header(row) for row in rows]
    documents = [
        Document(header, age, occasion, days=(_NOW - header.saved_at).days)
        for header, age, occasion in zip(headers, ages(headers), occasions(headers), strict=True)
    ]
    profiles = [_profile(row["name"], row["description"], row["body"]) for row in rows]
    return Store(documents, Statistics.of(profiles), places)


@cache
def _profile(name: str, description: str, body: str) -> Profile:
    return Profile.of(name, description, body)


def stage_of(store: Store, query: str, near: StoredSignals | None) -> Stage:
    """Return the candidates for a prompt with all that is known of them; places are those of the data."""
    query = query[:LONGEST_QUERY]
    fit = store.statistics.fit(query, widen=near is None)
    words = Words(query, fit, store.statistics.overlaps, store.statistics.similarities)
    stage = candidates(store.documents, words, near and near.sorted(store.places))
    order = [store.places[at] for at in stage.order]
    return Stage(order, stage.notes, stage.factors, stage.prompt, stage.evidence)


def _header(row: Mapping[str, Any]) -> Header:
    saved = _NOW - timedelta(days=row.get("days_old", _LONG_AGO))
    return Header(row["id"], row["name"], row["description"], row["kind"], saved)
