"""The encoder of memdir in PyTorch: reads the tables of a weights file, trains, and writes them back.

The shape and the forward pass are those of the encoder in numpy: trained tables run there as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

__all__ = ["HEADS", "WIDTH", "Encoder", "Packed", "Tables", "mean_of", "padded", "rounded"]

WIDTH, HEADS = 384, 12
_TINY = 1e-12
_FIRST_WORD = 999
"""Pieces with a lower number are marks such as [CLS] and are never left out."""

_MAPS = ("query key value", "attention output", "feed forward up", "feed forward down")
_NORMS = ("attention norm", "feed forward norm")
_FROZEN = ("words", "words/scale", "positions")

Tables = Mapping[str, "np.ndarray[Any, Any]"]


class Encoder(nn.Module):
    """The network over the tables of a weights file; the tables of words and positions do not change."""

    def __init__(self, tables: Tables, dropout: float = 0.1) -> None:
        """Unpack the tables."""
        super().__init__()
        self.dropout = dropout
        words = tables["words"].astype("f4") * tables["words/scale"][:, None]
        self.register_buffer("words", torch.tensor(words), persistent=False)
        self.register_buffer("positions", _tensor(tables["positions"]), persistent=False)
        self.norm = nn.Parameter(_tensor(tables["norm"]))
        self.norm_bias = nn.Parameter(_tensor(tables["norm bias"]))
        count = sum(name.endswith("query key value") for name in tables)
        self.layers = nn.ModuleList([_Layer(tables, f"{number} ", dropout) for number in range(count)])

    def forward(
        self, ids: Tensor, mask: Tensor, added: Tensor | None = None, word_dropout: float = 0.0
    ) -> tuple[Tensor, Tensor]:
        """Return the last layer's states (texts by pieces by WIDTH) and which pieces were read.

        `mask` is 1.0 where there is a piece; pieces of a text stand at its beginning. `added` is added to the
        embeddings (marks of a tagger). In training a share of the words is left out at random.
        """
        if word_dropout and self.training:
            gone = (torch.rand_like(mask) < word_dropout) & (ids >= _FIRST_WORD)
            mask = mask * (~gone).to(mask.dtype)
        states = self.words[ids] + self.positions[: ids.shape[1]]
        if added is not None:
            states = states + added
        return self._run(states, mask.bool()[:, None, None, :]), mask

    def texts(self, packed: "Packed", word_dropout: float = 0.0) -> tuple[Tensor, Tensor]:
        """Return the same as `forward` for texts that share rows: one pass reads them without gaps."""
        ids, owners = packed.ids, packed.owners
        seen = owners[:, None, :, None] == owners[:, None, None, :]
        mask = packed.mask
        if word_dropout and self.training:
            gone = (torch.rand(ids.shape, device=ids.device) < word_dropout) & (ids >= _FIRST_WORD)
            seen = seen & ~gone[:, None, None, :]
            mask = mask * (~gone).reshape(-1)[packed.at].to(mask.dtype)
        states = self._run(self.words[ids] + self.positions[packed.places], seen)
        rows = states.reshape(-1, WIDTH).float().index_select(0, packed.at.reshape(-1))
        return rows.view(*packed.at.shape, WIDTH), mask

    def _run(self, states: Tensor, seen: Tensor) -> Tensor:
        states = F.layer_norm(states, (WIDTH,), self.norm, self.norm_bias, _TINY)
        if torch.is_autocast_enabled(states.device.type):
            states = states.to(torch.get_autocast_dtype(states.device.type))
        states = F.dropout(states, self.dropout, self.training)
        for layer in self.layers:
            states = layer(states, seen)
        return states

    def tables(self) -> dict[str, "np.ndarray[Any, Any]"]:
        """Return what was trained in the layout of the file: bytes with a scale a column, the rest as it is.

        The tables of words and positions are not among them.
        """
        found = {"norm": _array(self.norm), "norm bias": _array(self.norm_bias)}
        for number, layer in enumerate(self.layers):
            for name in _MAPS:
                packed, scale = _packed(_array(layer.weights[_key(name)]))
                found |= {f"{number} {name}": packed, f"{number} {name}/scale": scale}
                found[f"{number} {name} bias"] = _array(layer.weights[_key(name) + "_bias"])
            for name in _NORMS:
                found[f"{number} {name}"] = _array(layer.weights[_key(name)])
                found[f"{number} {name} bias"] = _array(layer.weights[_key(name) + "_bias"])
        return found

    @torch.no_grad()
    def round_weights(self) -> None:
        """Round the weights as the file does, so that what is measured is what is shipped."""
        for layer in self.layers:
            for name in _MAPS:
                weight = layer.weights[_key(name)]
                weight.copy_(rounded(weight))


class _Layer(nn.Module):
    """One block: self-attention, then a feed-forward network for each piece."""

    def __init__(self, tables: Tables, at: str, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.weights = nn.ParameterDict()
        for name in _MAPS:
            weight = tables[at + name].astype("f4") * tables[f"{at}{name}/scale"]
            self.weights[_key(name)] = nn.Parameter(torch.tensor(weight))
            self.weights[_key(name) + "_bias"] = nn.Parameter(_tensor(tables[f"{at}{name} bias"]))
        for name in _NORMS:
            self.weights[_key(name)] = nn.Parameter(_tensor(tables[at + name]))
            self.weights[_key(name) + "_bias"] = nn.Parameter(_tensor(tables[f"{at}{name} bias"]))

    def forward(self, states: Tensor, seen: Tensor) -> Tensor:
        """Return the states after this layer."""
        attended = self._dropped(self._map("attention output", self._attention(states, seen)))
        states = self._norm("attention norm", attended + states)
        wide = F.gelu(self._map("feed forward up", states))
        return self._norm("feed forward norm", self._dropped(self._map("feed forward down", wide)) + states)

    def _attention(self, states: Tensor, seen: Tensor) -> Tensor:
        texts, pieces, _ = states.shape
        heads = self._map("query key value", states).view(texts, pieces, 3, HEADS, WIDTH // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        share = self.dropout if self.training else 0.0
        # The file holds queries that are divided by the root of a head's width already.
        mixed = F.scaled_dot_product_attention(query, key, value, seen, dropout_p=share, scale=1.0)
        return mixed.transpose(1, 2).reshape(texts, pieces, WIDTH)

    def _map(self, name: str, rows: Tensor) -> Tensor:
        weight, bias = self.weights[_key(name)], self.weights[_key(name) + "_bias"]
        mapped = torch.addmm(bias, rows.reshape(-1, rows.shape[-1]), weight)
        return mapped.view(*rows.shape[:-1], -1)

    def _norm(self, name: str, rows: Tensor) -> Tensor:
        weight, bias = (self.weights[_key(name) + end].to(rows.dtype) for end in ("", "_bias"))
        with torch.autocast(rows.device.type, enabled=False):  # it would double the bytes of every row
            return F.layer_norm(rows, (WIDTH,), weight, bias, _TINY)

    def _dropped(self, rows: Tensor) -> Tensor:
        return F.dropout(rows, self.dropout, self.training)


_ROW = 256
"""Pieces of a row that several texts share."""


@dataclass(frozen=True)
class Packed:
    """Texts of different lengths in rows of one length, and where each piece of a text went."""

    ids: Tensor
    places: Tensor
    """Of each piece in its text."""
    owners: Tensor
    """The number of its text, from 1; 0 where there is no piece."""
    at: Tensor
    """For each text (padded to the longest) where in the rows its pieces lie."""
    mask: Tensor
    """1.0 where a text has a piece."""
    lengths: list[int]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], device: str) -> "Packed":
        """Put texts into rows, the longest first, each where it fits."""
        lengths = [len(row) for row in rows]
        wide, longest = max(_ROW, *lengths), max(lengths)
        free: list[int] = []
        at, mask = np.zeros((len(rows), longest), "i8"), np.zeros((len(rows), longest), "f4")
        for number in sorted(range(len(rows)), key=lambda one: -lengths[one]):
            size = lengths[number]
            row = next((place for place, room in enumerate(free) if room >= size), len(free))
            if row == len(free):
                free.append(wide)
            start = row * wide + wide - free[row]
            at[number, :size], mask[number, :size] = np.arange(start, start + size), 1
            free[row] -= size
        tables = np.zeros((3, len(free) * wide), "i8")
        for number, row in enumerate(rows):
            where = at[number, : len(row)]
            tables[:, where] = row, range(len(row)), [number + 1] * len(row)
        ids, places, owners = torch.tensor(tables.reshape(3, -1, wide)).to(device, non_blocking=True)
        return cls(
            ids, places, owners, torch.tensor(at, device=device), torch.tensor(mask, device=device), lengths
        )


def mean_of(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of the states of each text over the pieces that were read."""
    weight = mask.to(states.dtype)[..., None]
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1)


def padded(rows: Sequence[Sequence[int]], device: str) -> tuple[Tensor, Tensor]:
    """Return rows of piece numbers as one table, and a mask that is 1.0 where there is a piece."""
    longest = max(map(len, rows))
    ids = np.zeros((len(rows), longest), "i8")
    mask = np.zeros((len(rows), longest), "f4")
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


def rounded(weight: Tensor) -> Tensor:
    """Return a weight as it is after it was written as bytes with a scale a column."""
    scale = weight.abs().amax(0) / 127
    return (weight / scale).round() * scale


def _packed(weight: "np.ndarray[Any, Any]") -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
    scale = (np.abs(weight).max(0) / 127).astype("f4")
    return np.rint(weight / scale).astype("i1"), scale


def _key(name: str) -> str:
    return name.replace(" ", "_")


def _tensor(table: "np.ndarray[Any, Any]") -> Tensor:
    return torch.tensor(np.array(table, "f4"))


def _array(weight: Tensor) -> "np.ndarray[Any, Any]":
    return weight.detach().float().cpu().numpy()
