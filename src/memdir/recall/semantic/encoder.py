"""The sentence encoder all-MiniLM-L6-v2: WordPiece cuts a text into tokens, one pass gives their vectors.

A host waits for this module: it does without `typing`.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from memdir.recall.semantic.weights import ENCODER, WIDTH, numpy_core, weights_at, weights_missing
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memdir.recall.semantic.weights import Tables

    Table = NDArray[np.float32]

__all__ = ["MAX_TOKENS", "Encoded", "Encoder", "WordPiece", "encoder_in"]

_HEADS = 12
_EPSILON = 1e-12
_ROOM = 96 * WIDTH
"""Weights that are unpacked at a time in a first pass."""

_BATCH = 2048
"""Tokens that share a pass, at most."""


@value_class(frozen=True, slots=True)
class Encoded:
    """One text as vectors of length one."""

    mean: "Table"
    """The mean pooling of all tokens, WIDTH numbers."""
    tokens: "Table"
    """A row for each token, without the marks at both ends; of an empty text the first mark alone."""
    token_ids: tuple[int, ...]
    """The numbers of those tokens in the vocabulary."""
    nothing: float = 0.0
    """For a prompt: the score for showing it nothing."""


class Encoder:
    """The network over weights that stay in their file: nothing is unpacked before a text needs it."""

    def __init__(self, tables: "Tables") -> None:
        """Find the tables."""
        self.tokenizer = WordPiece(tables)
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
            token_ids = self.tokenizer.prompt_ids(text)
            found = _pool(self.hidden_states([token_ids])[0], token_ids)
            if self._nothing is not None:
                found = replace(found, nothing=float(found.mean @ self._nothing[:-1] + self._nothing[-1]))
            self._last = text, found
        return self._last[1]

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the vectors of texts; those with the same number of tokens share a pass."""
        cut = [self.tokenizer.token_ids(text) for text in texts]
        by_length: dict[int, list[int]] = {}
        for number, token_ids in enumerate(cut):
            by_length.setdefault(len(token_ids), []).append(number)
        done: dict[int, Encoded] = {}
        for length, numbers in by_length.items():
            size = max(1, _BATCH // length)
            for batch in [numbers[at : at + size] for at in range(0, len(numbers), size)]:
                hidden = self.hidden_states([cut[number] for number in batch])
                done |= {at: _pool(states, cut[at]) for at, states in zip(batch, hidden, strict=True)}
        return [done[number] for number in range(len(texts))]

    def hidden_states(self, rows: Sequence[Sequence[int]], added: "Table | None" = None) -> "Table":
        """Return the last layer's states, texts by tokens by WIDTH; a vector may be added to each token."""
        np = numpy_core()
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
    """One block of the network: self-attention, then a feed-forward network for each token."""

    def __init__(self, tables: "Tables", at: str) -> None:
        self._query_key_value, self._attention_output, self._up, self._down = [
            _Linear(tables, f"{at}{name}")
            for name in ("query key value", "attention output", "feed forward up", "feed forward down")
        ]
        self._attention_norm, self._feed_forward_norm = [
            (tables[f"{at}{name} norm"], tables[f"{at}{name} norm bias"])
            for name in ("attention", "feed forward")
        ]

    def forward(self, states: "Table", room: "Table") -> "Table":
        """Return the states after this layer; weights are unpacked into the room."""
        rows = states.reshape(-1, WIDTH)
        heads = self._query_key_value.forward(rows, room)
        attended = self._attention_output.forward(_self_attention(heads, states.shape), room)
        rows = _layer_norm(attended + rows, *self._attention_norm)
        wide = _gelu(self._up.forward(rows, room))
        rows = _layer_norm(self._down.forward(wide, room) + rows, *self._feed_forward_norm)
        return rows.reshape(states.shape)


def _self_attention(heads: "Table", shape: tuple[int, ...]) -> "Table":
    np = numpy_core()
    texts, tokens, _ = shape
    query, key, value = heads.reshape(texts, tokens, 3, _HEADS, WIDTH // _HEADS).transpose(2, 0, 3, 1, 4)
    weights = query @ key.swapaxes(-1, -2)  # softmax of these, in place
    weights -= np.maximum.reduce(weights, -1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= np.add.reduce(weights, -1, keepdims=True)
    mixed: Table = (weights @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
    return mixed


class _Linear:
    """A linear layer whose weights lie in the file as int8 with a scale a column.

    The first pass unpacks some rows at a time into room that all layers share: a prompt is one pass, and
    fresh memory for all weights would cost more than the pass. Later passes keep them unpacked.
    """

    def __init__(self, tables: "Tables", name: str) -> None:
        self._packed, self._scale, self._bias = tables[name], tables[f"{name}/scale"], tables[f"{name} bias"]
        self._unpacked: Table | None = None
        self._is_used = False

    def forward(self, rows: "Table", room: "Table") -> "Table":
        """Return the output for some rows; the first pass unpacks weights into the room."""
        if self._is_used and self._unpacked is None:
            self._unpacked = self._packed.astype("f4")
        self._is_used = True
        if self._unpacked is None:
            np = numpy_core()
            height, width = self._packed.shape
            step = len(room) // width
            weight: Table = room[: step * width].reshape(step, width)
            output: Table = np.zeros((len(rows), width), "f4")
            for begin in range(0, height, step):
                part = self._packed[begin : begin + step]
                np.copyto(weight[: len(part)], part)
                output += rows[:, begin : begin + step] @ weight[: len(part)]
        else:
            output = rows @ self._unpacked
        output *= self._scale
        output += self._bias
        return output


def _pool(states: "Table", token_ids: Sequence[int]) -> Encoded:
    """Return a text as vectors of length one, from the states of its tokens."""
    np = numpy_core()
    kept = slice(1, -1) if len(token_ids) > 2 else slice(0, 1)
    mean, inner = np.add.reduce(states, 0), states[kept]
    lengths = np.sqrt(np.add.reduce(inner * inner, -1, keepdims=True))
    return Encoded(mean / np.sqrt(mean @ mean), inner / lengths, tuple(token_ids[kept]))


def _layer_norm(rows: "Table", weight: "Table", bias: "Table") -> "Table":
    np = numpy_core()
    rows = rows - np.add.reduce(rows, -1, keepdims=True) / WIDTH
    rows /= np.sqrt(np.add.reduce(rows * rows, -1, keepdims=True) / WIDTH + _EPSILON)
    rows *= weight
    rows += bias
    return rows


def _gelu(rows: "Table") -> "Table":
    """Return the Gaussian error linear unit, its error function by a polynomial good to seven digits."""
    np = numpy_core()
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
    # Above zero it is rows - tail, below zero -tail: this is both, without a branch.
    linear_unit: Table = np.maximum(rows, 0) - tail
    return linear_unit


MAX_TOKENS = 256
"""Tokens of a text, both marks included, that the encoder was trained for; the rest is not read."""

_LONGEST_WORD = 100
_LONGEST_PROMPT = 2_000
_FIRST, _LAST = 64, 32
"""Tokens of a prompt that are read: of a long one, its beginning and its end say what is wanted."""

_MARKS = ("[CLS]", "[SEP]", "[UNK]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ALONE = "[!-/:-@\\[-`{-~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]"
"""A character that is a word by itself, besides punctuation: symbols of ASCII, and Han."""


class WordPiece:
    """Cuts words into the longest tokens that a vocabulary knows."""

    def __init__(self, tables: "Tables") -> None:
        """Look up the three marks; everything else is looked up when a text needs it."""
        self._text, self._ends, self._numbers = [
            tables[f"vocabulary {name}"].data for name in ("text", "ends", "numbers")
        ]
        marks = [number for mark in _MARKS if (number := self.number(mark)) is not None]
        if len(marks) < len(_MARKS):
            raise KeyError(f"the vocabulary lacks one of {', '.join(_MARKS)}")
        self._begin, self._end, self._unknown = marks
        self._known: dict[str, tuple[int, ...]] = {}

    def number(self, token: str) -> int | None:
        """Return the number of a token; None for one that is not known. The vocabulary is sorted."""
        wanted = token.encode("utf-8", "surrogatepass")
        low, high = 0, len(self._numbers)
        while low < high:
            middle = (low + high) // 2
            found = bytes(self._text[self._ends[middle] : self._ends[middle + 1]])
            if found == wanted:
                return self._numbers[middle]
            low, high = (middle + 1, high) if found < wanted else (low, middle)
        return None

    def token_ids(self, text: str, limit: int = MAX_TOKENS) -> list[int]:
        """Return the numbers of the tokens of a text, between the two marks."""
        numbers = [self._begin]
        for word in _words(text):
            if word not in self._known:
                self._known[word] = tuple(self._cut(word)) or (self._unknown,)
            numbers += self._known[word]
            if len(numbers) >= limit - 1:
                break
        return [*numbers[: limit - 1], self._end]

    def prompt_ids(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a prompt likewise; the middle of a long one is left out."""
        begin, *inner, end = self.token_ids(text, _LONGEST_PROMPT)
        return [begin, *(inner if len(inner) <= _FIRST + _LAST else inner[:_FIRST] + inner[-_LAST:]), end]

    def _cut(self, word: str) -> list[int]:
        """Return the tokens of one word, the longest first; none when a part of it is not known."""
        numbers: list[int] = []
        begin = 0
        while begin < len(word) <= _LONGEST_WORD:
            prefix = "##" if begin else ""
            for end in range(len(word), begin, -1):
                number = self.number(prefix + word[begin:end])
                if number is not None:
                    break
            else:
                return []
            numbers.append(number)
            begin = end
        return numbers


def _words(text: str) -> list[str]:
    """Return words and single marks, lower-cased and without accents."""
    if text.isascii() and text.isprintable():
        return _PLAIN.findall(text.lower())
    return "".join(map(_with_spaces, unicodedata.normalize("NFD", text.lower()))).split()


def _with_spaces(character: str) -> str:
    """Return a character, with spaces around it if it is a word by itself; nothing if it is not read."""
    category = unicodedata.category(character)
    if category == "Mn" or (category[0] == "C" and character not in "\t\n\r") or character == "\ufffd":
        return ""
    if character.isspace() or category == "Zs":
        return " "
    return f" {character} " if category[0] == "P" or re.match(_ALONE, character) else character
