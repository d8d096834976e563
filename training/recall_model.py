"""The recall judge in PyTorch: how near prompts and memories lie, against a learned "nothing fits"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from training.network import WIDTH, Encoder, Packed, Tables, mean_of

__all__ = ["Judge", "Texts", "judge_loss", "list_loss"]

_START = (10.0, 12.0, 6.0, -11.0)
"""What a cosine, the prompt's pieces found, the memory's pieces found, and a constant count at first."""

_LENGTH = 8.0
"""Unit vectors are stretched by this before "nothing" is learned: small numbers learn slowly."""

_NOWHERE = -30.0


@dataclass(frozen=True)
class Texts:
    """Encoded texts."""

    means: Tensor
    """One vector of length one a text."""
    tokens: Tensor
    """One vector of length one a piece."""
    weights: Tensor
    """How rare each piece is in the store; 0.0 for marks and where there is no piece."""
    ids: Tensor
    lengths: list[int]

    def part(self, begin: int, end: int, rarity: Tensor) -> "Texts":
        """Return some of the texts, their pieces weighed by how rare they are in a store."""
        lengths = self.lengths[begin:end]
        some = slice(begin, end), slice(0, max(lengths))
        weights = rarity[self.ids[some]] * self.weights[some]
        return Texts(self.means[begin:end], self.tokens[some], weights, self.ids[some], lengths)


class Judge(nn.Module):
    """An encoder, four numbers that mix what it sees, and a direction that means "nothing fits"."""

    def __init__(self, tables: Tables, dropout: float = 0.1) -> None:
        """Start from these tables."""
        super().__init__()
        self.encoder = Encoder(tables, dropout)
        self.mix = nn.Parameter(torch.tensor(_START))
        self.nothing = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.nothing.weight)
        nn.init.zeros_(self.nothing.bias)

    def read(self, rows: Sequence[Sequence[int]], word_dropout: float = 0.0) -> Texts:
        """Encode texts; the weights of their pieces are 1.0 where a piece counts."""
        packed = Packed.of(rows, str(self.mix.device))
        states, seen = self.encoder.texts(packed, word_dropout)
        inner = seen.clone()
        inner[:, 0] = 0
        last = torch.tensor(packed.lengths, device=seen.device)[:, None] - 1
        inner.scatter_(1, last, 0.0)
        inner[:, 0] += (inner.sum(1) == 0).to(inner.dtype)  # of a text without a piece the first mark counts
        ids = packed.ids.reshape(-1)[packed.at]
        means, tokens = F.normalize(mean_of(states, seen), dim=-1), F.normalize(states, dim=-1)
        return Texts(means, tokens, inner, ids, packed.lengths)

    def nothing_of(self, prompts: Texts) -> Tensor:
        """Return for each prompt how much speaks for showing nothing."""
        return self.nothing(prompts.means * _LENGTH).squeeze(1)

    def near(self, signals: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Return one number for each prompt and text from the three signals."""
        cosine, found, back = signals
        return self.mix[0] * cosine + self.mix[1] * found + self.mix[2] * back + self.mix[3]

    def tables(self) -> dict[str, Any]:
        """Return what the package needs: the trained tables, the mix, and the direction with its constant."""
        direction = torch.cat([self.nothing.weight[0] * _LENGTH, self.nothing.bias])
        arrays = {"mix": self.mix, "nothing": direction}
        return self.encoder.tables() | {
            name: one.detach().float().cpu().numpy() for name, one in arrays.items()
        }


def signals(prompts: Texts, texts: Texts) -> tuple[Tensor, Tensor, Tensor]:
    """Return for each prompt and text: the cosine, the prompt's pieces found, the text's pieces found."""
    cosine = prompts.means @ texts.means.T
    match = torch.einsum("qad,nbd->qnab", prompts.tokens, texts.tokens).float()
    found = match.masked_fill(texts.weights[None, :, None, :] <= 0, -1).amax(3)
    back = match.masked_fill(prompts.weights[:, None, :, None] <= 0, -1).amax(2)
    mine, theirs = prompts.weights, texts.weights
    found = (found * mine[:, None]).sum(2) / mine.sum(1)[:, None].clamp(min=1e-6)
    back = (back * theirs[None]).sum(2) / theirs.sum(1)[None].clamp(min=1e-6)
    return cosine.float(), found, back


def judge_loss(scores: Tensor, labels: Tensor, fine: float) -> Tensor:
    """Return the loss of scores above "nothing": each memory by itself, and the list against showing nothing.

    Labels are 1 for should be shown, 2 for may be shown, 0 for noise, -1 where nobody knows.
    """
    known = (labels >= 0).float()
    target = torch.where(labels == 1, 1.0, torch.where(labels == 2, fine, 0.0))
    each = F.binary_cross_entropy_with_logits(scores, target, reduction="none") * known
    each = each.sum(1) / known.sum(1).clamp(min=1)
    masked = scores.masked_fill((labels < 0) | (labels == 2), _NOWHERE)
    with_nothing = torch.cat([masked, scores.new_zeros(len(scores), 1)], 1)
    right = labels == 1
    wanted = torch.cat([right, ~right.any(1, keepdim=True)], 1).float()
    chosen = (F.log_softmax(with_nothing, 1) * wanted).sum(1) / wanted.sum(1)
    return (each - 0.3 * chosen).mean()


def list_loss(scores: Tensor, wanted: Tensor) -> Tensor:
    """Return the loss of an order of texts of which some are wanted."""
    return -(F.log_softmax(scores, 1) * wanted / wanted.sum(1, keepdim=True)).sum(1).mean()
