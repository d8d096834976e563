"""What a tagger's probabilities give: drafts out of sentences, and how many of them are right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Drafted", "Figures", "calibrated", "drafts", "measured", "temperature"]

JOINED = 0.3
"""Probability from which a neighbour of a kept sentence is a part of its memory."""
KINDS = ("none", "user", "feedback", "project", "reference")


@dataclass(frozen=True)
class Drafted:
    """Neighbouring sentences that become one memory."""

    text: str
    kind: str
    certainty: float


@dataclass(frozen=True)
class Figures:
    """Shares over some messages."""

    precision: float
    recall: float
    kind: float
    noisy: float
    """Messages with nothing to keep that give a draft."""
    drafts: int

    def __str__(self) -> str:
        """Return one line."""
        return (
            f"precision {self.precision:.3f} recall {self.recall:.3f} kind {self.kind:.3f}"
            f" noisy {self.noisy:.3f} drafts {self.drafts}"
        )


def drafts(
    said: Sequence[str], tags: Sequence[Sequence[float]], threshold: float, follow: float
) -> list[Drafted]:
    """Return the memories of a message: kept sentences with the neighbours that belong to them.

    `tags` are for each sentence the five shares and whether it belongs to the memory of the one before.
    """
    keep = [1 - tag[0] for tag in tags]
    found, done = [], 0
    for at in range(len(said)):
        if keep[at] < threshold or at < done:
            continue
        start, stop = at, at + 1
        while start > done and keep[start - 1] >= JOINED and tags[start][5] >= follow:
            start -= 1
        while stop < len(said) and keep[stop] >= JOINED and tags[stop][5] >= follow:
            stop += 1
        shares = [sum(tag[kind] for tag in tags[start:stop]) for kind in range(1, 5)]
        kind = KINDS[1 + shares.index(max(shares))]
        found.append(Drafted(" ".join(said[start:stop]), kind, max(keep[start:stop])))
        done = stop
    return found


def measured(
    rows: Sequence[Mapping[str, Any]], tags: Mapping[str, Any], threshold: float, follow: float = 0.5
) -> Figures:
    """Return the figures of some rows: a draft is right when it holds all words of an expected memory."""
    count = dict.fromkeys(("drafts", "right", "kind", "wanted", "empty", "noisy"), 0)
    for row in rows:
        found = drafts(row["sentences"], tags[row["id"]], threshold, follow)
        left = list(row["keep"])
        for one in found:
            match = next((keep for keep in left if _holds(one.text, keep)), None)
            if match is not None:
                left.remove(match)
                count["right"] += 1
                count["kind"] += one.kind in (match.get("kinds") or [match["kind"]])
        count["drafts"] += len(found)
        count["wanted"] += len(row["keep"])
        count["empty"] += not row["keep"]
        count["noisy"] += not row["keep"] and bool(found)
    return Figures(
        count["right"] / max(1, count["drafts"]),
        count["right"] / max(1, count["wanted"]),
        count["kind"] / max(1, count["right"]),
        count["noisy"] / max(1, count["empty"]),
        count["drafts"],
    )


def temperature(rows: Sequence[Mapping[str, Any]], tags: Mapping[str, Any]) -> float:
    """Return by what the outputs have to be divided so that the shares are as often right as they say."""
    known = [
        (share, label[0])
        for row in rows
        for share, label in zip(tags[row["id"]], row["labels"], strict=True)
        if label
    ]
    shares = np.array([share for share, _ in known], "f8")
    labels = np.array([label for _, label in known])

    def surprise(divisor: float) -> float:
        right = calibrated(shares, divisor)[np.arange(len(labels)), labels]
        return float(-np.log(right).mean())

    return min((0.4 + step / 20 for step in range(53)), key=surprise)


def calibrated(shares: Any, divisor: float) -> Any:
    """Return tags as they are when the outputs are divided by a temperature."""
    outputs = np.log(np.maximum(np.asarray(shares, "f8")[:, :5], _LEAST)) / divisor
    kinds = np.exp(outputs - outputs.max(1, keepdims=True))
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), np.asarray(shares, "f8")[:, 5:]], 1)


_LEAST = 1e-7


def _holds(text: str, keep: Mapping[str, Any]) -> bool:
    words = keep["must"] or [keep["says"][:12]]
    return bool(keep.get("answers")) or all(_folded(word) in _folded(text) for word in words)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().replace("\u2019", "'")
