"""The sentence encoder all-MiniLM-L6-v2: one pass gives the vector of a text and those of its pieces."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdir.core.value import value_class
from memdir.recall.semantic.arrays import arrays
from memdir.recall.semantic.weights import Weights
from memdir.recall.semantic.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float32]

__all__ = ["WIDTH", "Encoded", "Encoder"]

WIDTH, _HEADS = 384, 12
_TINY = 1e-12


@value_class(frozen=True, slots=True)
class Encoded:
    """One text as vectors of length one."""

    mean: "Table"
    """The text as a whole, WIDTH numbers."""
    tokens: "Table"
    """A row for each piece, without the marks at both ends; of an empty text the first mark alone."""
    pieces: tuple[int, ...]
    """The numbers of those pieces in the vocabulary."""


class Encoder:
    """The network with its weights unpacked: a tenth of a second to make, some milliseconds a query."""

    def __init__(self, weights: Weights) -> None:
        """Unpack the layers; the table of words stays packed, a text needs a few rows of it."""
        self._cutter = WordPiece(weights.vocabulary)
        self._words, self._scale = weights.tables["words"], weights.tables["words/row scale"]
        self._places = weights.table("places")
        self._norm = (weights.table("norm"), weights.table("norm bias"))
        layers = sum(name.endswith(" look") for name in weights.tables)
        self._layers = [_Layer(weights, f"{number} ") for number in range(layers)]

    def encoded(self, text: str) -> Encoded:
        """Return the vectors of one text."""
        return self.all_encoded([text])[0]

    def all_encoded(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the vectors of many texts; those with the same number of pieces share a pass."""
        cut = [self._cutter.pieces(text) for text in texts]
        done: dict[int, Encoded] = {}
        for group in _alike(cut):
            hidden = self._hidden([cut[number] for number in group])
            for number, states in zip(group, hidden, strict=True):
                done[number] = _read_off(states, cut[number])
        return [done[number] for number in range(len(texts))]

    def _hidden(self, rows: Sequence[Sequence[int]]) -> "Table":
        """Return the last layer's states: texts by pieces by WIDTH."""
        np = arrays()
        numbers = np.array(rows)
        states = self._words[numbers] * self._scale[numbers][..., None] + self._places[: numbers.shape[1]]
        states = _normed(states, *self._norm)
        for layer in self._layers:
            states = layer.passed(states)
        return states


class _Layer:
    """One block of the network: pieces look at each other, then each is thought over by itself."""

    def __init__(self, weights: Weights, at: str) -> None:
        self._look, self._look_bias = weights.table(f"{at}look"), weights.table(f"{at}look bias")
        self._join, self._join_bias = weights.table(f"{at}join"), weights.table(f"{at}join bias")
        self._wide, self._wide_bias = weights.table(f"{at}wide"), weights.table(f"{at}wide bias")
        self._back, self._back_bias = weights.table(f"{at}back"), weights.table(f"{at}back bias")
        self._first = (weights.table(f"{at}first norm"), weights.table(f"{at}first norm bias"))
        self._second = (weights.table(f"{at}second norm"), weights.table(f"{at}second norm bias"))

    def passed(self, states: "Table") -> "Table":
        """Return the states after this layer."""
        rows = states.reshape(-1, WIDTH)
        rows = _normed(self._attended(rows, states.shape) @ self._join + self._join_bias + rows, *self._first)
        wide = _bent(rows @ self._wide + self._wide_bias)
        return _normed(wide @ self._back + self._back_bias + rows, *self._second).reshape(states.shape)

    def _attended(self, rows: "Table", shape: tuple[int, ...]) -> "Table":
        np = arrays()
        texts, pieces, _ = shape
        looks = rows @ self._look + self._look_bias
        looks = looks.reshape(texts, pieces, 3, _HEADS, WIDTH // _HEADS).transpose(2, 0, 3, 1, 4)
        shares = looks[0] @ looks[1].swapaxes(-1, -2)
        shares -= shares.max(-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(-1, keepdims=True)
        mixed: Table = (shares @ looks[2]).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
        return mixed


def _alike(cut: Sequence[Sequence[int]], most: int = 2048) -> "list[list[int]]":
    """Return the texts in groups of one length, at most that many pieces a group."""
    by_length: dict[int, list[int]] = {}
    for number, pieces in enumerate(cut):
        by_length.setdefault(len(pieces), []).append(number)
    groups = []
    for length, numbers in by_length.items():
        size = max(1, most // length)
        groups += [numbers[at : at + size] for at in range(0, len(numbers), size)]
    return groups


def _read_off(states: "Table", pieces: Sequence[int]) -> Encoded:
    np = arrays()
    kept = slice(1, -1) if len(pieces) > 2 else slice(0, 1)
    mean, inner = states.mean(0), states[kept]
    lengths = np.sqrt((inner * inner).sum(-1, keepdims=True))
    return Encoded(mean / np.sqrt(mean @ mean), inner / lengths, tuple(pieces[kept]))


def _normed(rows: "Table", weight: "Table", bias: "Table") -> "Table":
    np = arrays()
    rows = rows - rows.mean(-1, keepdims=True)
    rows /= np.sqrt((rows * rows).mean(-1, keepdims=True) + np.float32(_TINY))
    rows *= weight
    rows += bias
    return rows


def _bent(rows: "Table") -> "Table":
    """Return x times the share of a normal distribution below x, by a polynomial good to seven digits."""
    np = arrays()
    size = np.abs(rows)
    size *= np.float32(0.5**0.5)
    part = 1 / (1 + np.float32(0.3275911) * size)
    tail = part * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(factor)
        tail *= part
    size *= size
    np.negative(size, out=size)
    np.exp(size, out=size)
    tail *= size
    tail *= np.float32(0.5)
    # The share is 1 - tail above zero and tail below it.
    bent: Table = rows * np.where(rows >= 0, 1 - tail, tail)
    return bent
