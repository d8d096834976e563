"""The sentence encoder all-MiniLM-L6-v2: one pass gives the vector of a text and those of its pieces.

A host waits for this module: it does without `typing`.
"""

from collections.abc import Sequence
from functools import lru_cache

from memdir.recall.semantic.arrays import array_core
from memdir.recall.semantic.weights import ENCODER, weights_at, weights_missing
from memdir.recall.semantic.wordpiece import Vocabulary, WordPiece, prompt_pieces
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memdir.recall.semantic.weights import Tables

    Table = NDArray[np.float32]

__all__ = ["WIDTH", "Encoded", "Encoder", "encoder_in"]

WIDTH, _HEADS = 384, 12
_TINY = 1e-12
_ROOM = 96 * WIDTH
"""Numbers of weights that are unpacked at a time in a first pass."""


@value_class(frozen=True, slots=True)
class Encoded:
    """One text as vectors of length one."""

    mean: "Table"
    """The text as a whole, WIDTH numbers."""
    tokens: "Table"
    """A row for each piece, without the marks at both ends; of an empty text the first mark alone."""
    pieces: tuple[int, ...]
    """The numbers of those pieces in the vocabulary."""
    nothing: float = 0.0
    """Of a prompt: how much speaks for showing it nothing."""


class Encoder:
    """The network over weights that stay in their file: nothing is unpacked before a text needs it."""

    def __init__(self, tables: "Tables") -> None:
        """Find the tables."""
        self.tokenizer = WordPiece(Vocabulary(tables))
        self._words, self._scale = tables["words"], tables["words/scale"]
        self._positions = tables["positions"]
        self._norm = (tables["norm"], tables["norm bias"])
        self._nothing = tables.get("nothing")
        layers = sum(name.endswith("query key value") for name in tables)
        self._layers = [_Layer(tables, f"{number} ") for number in range(layers)]
        self._last: tuple[str, Encoded] | None = None

    def prompt(self, text: str) -> Encoded:
        """Return the vectors of a prompt, a long one without its middle, and whether it asks for nothing.

        Private and team memory ask about the same prompt, one after the other: the last one is remembered.
        """
        if self._last is None or self._last[0] != text:
            self._last = text, self._prompt(text)
        return self._last[1]

    def _prompt(self, text: str) -> Encoded:
        pieces = prompt_pieces(self.tokenizer, text)
        seen = _read_off(self.hidden_states([pieces])[0], pieces)
        if self._nothing is None:
            return seen
        return replace(seen, nothing=float(seen.mean @ self._nothing[:-1] + self._nothing[-1]))

    def encode(self, text: str) -> Encoded:
        """Return the vectors of one text."""
        return self.all_encoded([text])[0]

    def all_encoded(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the vectors of many texts; those with the same number of pieces share a pass."""
        cut = [self.tokenizer.pieces(text) for text in texts]
        done: dict[int, Encoded] = {}
        for group in _length_groups(cut):
            hidden = self.hidden_states([cut[number] for number in group])
            for number, states in zip(group, hidden, strict=True):
                done[number] = _read_off(states, cut[number])
        return [done[number] for number in range(len(texts))]

    def hidden_states(self, rows: Sequence[Sequence[int]], added: "Table | None" = None) -> "Table":
        """Return the last layer's states, texts by pieces by WIDTH; a vector may be added to each piece."""
        np = array_core()
        numbers = np.array(rows)
        states = self._words[numbers] * self._scale[numbers][..., None] + self._positions[: numbers.shape[1]]
        if added is not None:
            states += added
        states = _layer_norm(states, *self._norm)
        room = np.empty(_ROOM, "f4")
        for layer in self._layers:
            states = layer.forward(states, room)
        return states


def encoder_in(folder: str) -> Encoder | None:
    """Return the encoder, or None where something is missing; damage that only shows now is an error."""
    return None if weights_missing(folder) else _load(f"{folder}/{ENCODER}")


@lru_cache(maxsize=1)
def _load(path: str) -> Encoder:
    return Encoder(weights_at(path))


class _Layer:
    """One block of the network: self-attention, then a feed-forward network for each piece."""

    def __init__(self, tables: "Tables", at: str) -> None:
        self._query_key_value = _Linear(tables, f"{at}query key value")
        self._attention_output = _Linear(tables, f"{at}attention output")
        self._up = _Linear(tables, f"{at}feed forward up")
        self._down = _Linear(tables, f"{at}feed forward down")
        self._first = (tables[f"{at}attention norm"], tables[f"{at}attention norm bias"])
        self._second = (tables[f"{at}feed forward norm"], tables[f"{at}feed forward norm bias"])

    def forward(self, states: "Table", room: "Table") -> "Table":
        """Return the states after this layer; weights are unpacked into the room."""
        rows = states.reshape(-1, WIDTH)
        heads = self._query_key_value.of(rows, room)
        attended = self._attention_output.of(_self_attention(heads, states.shape), room)
        rows = _layer_norm(attended + rows, *self._first)
        wide = _gelu(self._up.of(rows, room))
        return _layer_norm(self._down.of(wide, room) + rows, *self._second).reshape(states.shape)


def _self_attention(heads: "Table", shape: tuple[int, ...]) -> "Table":
    np = array_core()
    texts, pieces, _ = shape
    query, key, value = heads.reshape(texts, pieces, 3, _HEADS, WIDTH // _HEADS).transpose(2, 0, 3, 1, 4)
    shares = query @ key.swapaxes(-1, -2)
    shares -= np.maximum.reduce(shares, -1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= np.add.reduce(shares, -1, keepdims=True)
    mixed: Table = (shares @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
    return mixed


class _Linear:
    """A linear map whose weights lie in the file as bytes with a scale a column.

    The first pass unpacks some rows at a time into room that all maps share: a prompt is one pass, and fresh
    memory for all weights would cost more than the pass. Whoever encodes more than once keeps them unpacked.
    """

    def __init__(self, tables: "Tables", name: str) -> None:
        self._packed, self._scale, self._bias = tables[name], tables[f"{name}/scale"], tables[f"{name} bias"]
        self._unpacked: Table | None = None
        self._is_used = False

    def of(self, rows: "Table", room: "Table") -> "Table":
        """Return the map of some rows; in the first pass the room takes some rows of weights at a time."""
        if self._is_used and self._unpacked is None:
            self._unpacked = self._packed.astype("f4")
        self._is_used = True
        if self._unpacked is None:
            np = array_core()
            height, width = self._packed.shape
            step = len(room) // width
            weight: Table = room[: step * width].reshape(step, width)
            mapped: Table = np.zeros((len(rows), width), "f4")
            for begin in range(0, height, step):
                part = self._packed[begin : begin + step]
                np.copyto(weight[: len(part)], part)
                mapped += rows[:, begin : begin + step] @ weight[: len(part)]
        else:
            mapped = rows @ self._unpacked
        mapped *= self._scale
        mapped += self._bias
        return mapped


def _length_groups(cut: Sequence[Sequence[int]], most: int = 2048) -> "list[list[int]]":
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
    np = array_core()
    kept = slice(1, -1) if len(pieces) > 2 else slice(0, 1)
    mean, inner = np.add.reduce(states, 0), states[kept]
    lengths = np.sqrt(np.add.reduce(inner * inner, -1, keepdims=True))
    return Encoded(mean / np.sqrt(mean @ mean), inner / lengths, tuple(pieces[kept]))


def _layer_norm(rows: "Table", weight: "Table", bias: "Table") -> "Table":
    np = array_core()
    rows = rows - np.add.reduce(rows, -1, keepdims=True) / WIDTH
    rows /= np.sqrt(np.add.reduce(rows * rows, -1, keepdims=True) / WIDTH + _TINY)
    rows *= weight
    rows += bias
    return rows


def _gelu(rows: "Table") -> "Table":
    """Return the Gaussian error linear unit, its error function by a polynomial good to seven digits."""
    np = array_core()
    size = np.absolute(rows)
    part = size * 0.5**0.5
    square = part * part
    part *= 0.3275911
    part += 1
    np.divide(1, part, out=part)
    tail = part * 1.061405429
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += factor
        tail *= part
    np.negative(square, out=square)
    np.exp(square, out=square)
    tail *= square
    tail *= 0.5
    tail *= size
    # Above zero it is rows * (1 - tail), below it rows * tail: in both cases this, without a choice.
    linear_unit: Table = np.maximum(rows, 0) - tail
    return linear_unit
