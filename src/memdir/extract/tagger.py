"""The extraction tagger: how likely each sentence of a message is worth keeping, and as which kind.

The network has the shape of the recall encoder and shares its table of words. It reads a sentence at a time,
marked, with the text around it and the end of what the assistant said before.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from memdir.memories.topic import Kind
from memdir.recall.semantic.encoder import Encoder
from memdir.recall.semantic.weights import ENCODER, PACKAGED, full_numpy, weights_at, weights_missing
from memdir.text.value import value_class

if TYPE_CHECKING:
    from memdir.recall.semantic.weights import Tables

__all__ = ["Tag", "Tagger", "shipped_tagger", "tagger_missing"]

TAGGER = "extract.int8"
"""The file of this network."""
BEFORE, LEFT, MARKED, RIGHT = 48, 56, 108, 40
"""Pieces that are read of the assistant's message, of the text before the sentence, of it, and after it."""
_LONGEST = 200
"""Pieces of one sentence that are looked at."""
_KINDS = tuple(Kind)
"""In the order of the network's outputs, which begin with "not worth it"."""


@value_class(frozen=True, slots=True)
class Tag:
    """What the tagger says of one sentence; all numbers are from 0 to 1."""

    keep: float
    """How likely it is worth keeping."""
    kinds: Mapping[Kind, float]
    """How likely it is worth keeping as each kind."""
    follows: float
    """How likely it belongs to the same memory as the sentence before."""


class Tagger:
    """The network over the tables of the encoder, with layers of its own."""

    def __init__(self, shared: Tables, own: Tables) -> None:
        """Put the tables together; those of the tagger take the place of the encoder's."""
        words = {name: table for name, table in shared.items() if not name[0].isdigit()}
        self._encoder = Encoder({**words, **own})
        self._roles = own["roles"]
        self._head, self._bias = own["head"], own["head bias"]

    def tags(self, said: Sequence[str], reply_to: str = "") -> list[Tag]:
        """Return a tag for each sentence of a message that answers some reply."""
        cut = self._encoder.tokenizer.token_ids
        pieces = [cut(one, _LONGEST)[1:-1] for one in said]
        begin, *before, end = cut(reply_to, _LONGEST)
        head = [begin, *before[-BEFORE:], end]
        np, tags = full_numpy(), list[Tag]()
        for at, own in enumerate(pieces):
            marked = own[:MARKED]
            left = [piece for one in pieces[:at] for piece in one][-LEFT:]
            right = [piece for one in pieces[at + 1 :] for piece in one][:RIGHT]
            start = len(head) + len(left)
            stop = start + len(marked)
            roles = [0] * len(head) + [1] * len(left) + [2] * len(marked) + [1] * (len(right) + 1)
            row = [*head, *left, *marked, *right, end]
            states = self._encoder.hidden_states([row], self._roles[roles])[0]
            read = np.concatenate([states[0], states[start : max(stop, start + 1)].mean(0)])
            outputs = read @ self._head + self._bias
            shares = np.exp(outputs[:5] - outputs[:5].max())
            none, *kinds = (shares / shares.sum()).tolist()
            follows = 1 / (1 + np.exp(-outputs[5]))
            tags.append(Tag(1 - none, dict(zip(_KINDS, kinds, strict=True)), float(follows)))
        return tags


def tagger_missing(folder: str = PACKAGED) -> str:
    """Say why only explicit requests are extracted and what to do about it; empty when nothing is missing."""
    return weights_missing(folder, (ENCODER, TAGGER))


@lru_cache(maxsize=1)
def shipped_tagger(folder: str = PACKAGED) -> Tagger | None:
    """Return the tagger that comes with the package, loaded once a process; None without it."""
    if weights_missing(folder, (ENCODER, TAGGER)):
        return None
    return Tagger(*(weights_at(os.path.join(folder, name)) for name in (ENCODER, TAGGER)))
