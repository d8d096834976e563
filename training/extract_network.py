"""The extraction tagger in PyTorch: how much a marked sentence is worth keeping, and as which kind.

It reads one sentence at a time, marked, with what stands around it in the message and the end of what the
assistant said before. The first output is "not worth it", the next four are the kinds, the last one tells
whether the sentence belongs to the same memory as the one before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from training.network import WIDTH, Encoder, Tables, padded

__all__ = ["BEFORE", "LEFT", "MARKED", "RIGHT", "Tagger", "Window", "windows"]

BEFORE, LEFT, MARKED, RIGHT = 48, 56, 108, 40
"""Pieces that are read of the assistant's message, of the text before the sentence, of it, and after it."""
_BEGIN, _END = 101, 102
_ROLES = 3
"""A piece is of the assistant's message, of the user's message, or of the marked sentence."""
OUTPUTS = 6


@dataclass(frozen=True)
class Window:
    """What the tagger reads for one sentence."""

    ids: list[int]
    roles: list[int]
    start: int
    """Where the marked sentence begins, and where it ends."""
    stop: int


def windows(pieces: Sequence[Sequence[int]], before: Sequence[int]) -> list[Window]:
    """Return a window for each sentence of a message."""
    head = [_BEGIN, *before[-BEFORE:], _END]
    found = []
    for at, sentence in enumerate(pieces):
        marked = list(sentence[:MARKED])
        left = [piece for one in pieces[:at] for piece in one][-LEFT:]
        right = [piece for one in pieces[at + 1 :] for piece in one][:RIGHT]
        start = len(head) + len(left)
        roles = [0] * len(head) + [1] * len(left) + [2] * len(marked) + [1] * (len(right) + 1)
        found.append(Window([*head, *left, *marked, *right, _END], roles, start, start + len(marked)))
    return found


class Tagger(nn.Module):
    """The encoder with a vector for each role and a linear map at its end."""

    def __init__(self, tables: Tables, dropout: float = 0.1) -> None:
        """Begin with the encoder's own weights."""
        super().__init__()
        self.encoder = Encoder(tables, dropout)
        self.roles = nn.Parameter(torch.randn(_ROLES, WIDTH) * 0.02)
        self.head = nn.Linear(2 * WIDTH, OUTPUTS)
        with torch.no_grad():
            self.head.weight.mul_(0.1)
            self.head.bias.zero_()

    def forward(self, batch: Sequence[Window], word_dropout: float = 0.0) -> Tensor:
        """Return the outputs for each window, before softmax and sigmoid."""
        device = str(self.roles.device)
        ids, mask = padded([one.ids for one in batch], device)
        roles, _ = padded([one.roles for one in batch], device)
        states, _ = self.encoder(ids, mask, self.roles[roles], word_dropout)
        place = torch.arange(ids.shape[1], device=device)[None]
        start, stop = (torch.tensor(ends, device=device)[:, None] for ends in _ends(batch))
        marked = ((place >= start) & (place < stop)).float()[..., None]
        mean = (states.float() * marked).sum(1) / marked.sum(1)
        logits: Tensor = self.head(torch.cat([states[:, 0].float(), mean], 1))
        return logits.float()

    def tables(self) -> dict[str, Any]:
        """Return the weights in the layout of the file, without the tables that the encoder shares."""
        found = self.encoder.tables()
        found["roles"] = self.roles.detach().float().cpu().numpy()
        found["head"] = self.head.weight.detach().float().cpu().numpy().T.copy()
        found["head bias"] = self.head.bias.detach().float().cpu().numpy()
        return found


def _ends(batch: Iterable[Window]) -> tuple[list[int], list[int]]:
    pairs = [(one.start, max(one.stop, one.start + 1)) for one in batch]
    return [start for start, _ in pairs], [stop for _, stop in pairs]
