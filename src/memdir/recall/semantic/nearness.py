"""How near each memory lies to a query: first by one vector a passage, then piece by piece for the best.

space = Space([vectors of a memory, or None, …])          # the memories in their order
near = space.toward(encoder.encoded(query))
near.means()                                              # one cosine a memory; None without vectors
near.tokens([4, 17, …])                                   # the closer look, for those that deserve it
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memdir.recall.semantic.arrays import arrays
from memdir.recall.semantic.encoder import WIDTH, Encoded
from memdir.recall.semantic.vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float32]

__all__ = ["Nearness", "Space"]

_SAMPLE = 200
"""Passages whose neighbours are looked for: enough to know how close together a store lies."""

_VOCABULARY = 1 << 16

_PIECES = 8_000
"""Pieces of memories that one query is compared with: about as long as encoding the query itself takes."""


class Space:
    """The vectors of many memories, side by side."""

    def __init__(self, memories: Sequence[Vectors | None], pieces: int = _PIECES) -> None:
        """Put the passages of all memories that have vectors one after the other."""
        np = arrays()
        self.budget = pieces
        self.size = len(memories)
        known = [(number, one) for number, one in enumerate(memories) if one is not None]
        self._vectors = dict(known)
        self.owners = np.repeat([number for number, _ in known], [len(one.lengths) for _, one in known])
        self.first = np.cumsum([0, *(len(one.lengths) for _, one in known)])[:-1]
        self.known = np.array([number for number, _ in known], int)
        self.lengths = _joined([one.lengths.astype(int) for _, one in known], int)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.means = _joined([one.means for _, one in known], "f4", WIDTH)
        self.pieces = _joined([one.pieces for _, one in known], "u2")
        self.rarity = self._rarity()
        self.density = self._density()

    def toward(self, query: Encoded) -> "Nearness":
        """Return the nearness of every memory to a query."""
        return Nearness(self, query)

    def tokens(self, passage: int) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Return scales and vectors of the pieces of one passage."""
        np = arrays()
        owner, begin, length = self.owners[passage], self.starts[passage], self.lengths[passage]
        begin -= self.starts[np.searchsorted(self.owners, owner)]
        scales, tokens = self._vectors[int(owner)].tokens()
        return scales[begin : begin + length], tokens[begin : begin + length]

    def _rarity(self) -> "Table":
        """Return for each piece of the vocabulary how rare it is among the memories."""
        np = arrays()
        owners = np.repeat(self.owners, self.lengths)
        # np.unique would load numpy.ma, which takes longer than all of this.
        pairs = np.sort(owners.astype("i8") * _VOCABULARY + self.pieces)
        first = np.ones(len(pairs), bool)
        first[1:] = pairs[1:] != pairs[:-1]
        among = np.bincount(pairs[first] % _VOCABULARY, minlength=_VOCABULARY)
        count = len(self.known)
        rarity: Table = np.log(1 + (count - among + 0.5) / (among + 0.5)).astype("f4")
        return rarity

    def _density(self) -> float:
        """Return how near the nearest other memory lies, on average: in a dense store all looks near."""
        if len(self.known) < 2:
            return 0.5
        step = max(1, len(self.means) // _SAMPLE)
        some = slice(None, None, step)
        near = self.means[some] @ self.means.T
        near[self.owners[some][:, None] == self.owners[None, :]] = -1
        return float(near.max(1).mean())


class Nearness:
    """One query against all memories of a space."""

    def __init__(self, space: Space, query: Encoded) -> None:
        """Compare the means at once: it is one multiplication."""
        np = arrays()
        self._space, self._query = space, query
        cosines = space.means @ query.mean
        best = np.maximum.reduceat(cosines, space.first) if len(cosines) else cosines
        self._means: list[float | None] = [None] * space.size
        for number, value in zip(space.known.tolist(), best.tolist(), strict=True):
            self._means[number] = value
        # Of each memory the passage that is nearest is the one that gets the closer look.
        order = np.lexsort((cosines, space.owners))
        ends = np.append(space.first[1:], len(cosines)) - 1 if len(cosines) else space.first
        self._passage = dict(zip(space.known.tolist(), order[ends].tolist(), strict=True))

    @property
    def density(self) -> float:
        """How near the memories lie to each other."""
        return self._space.density

    def means(self) -> list[float | None]:
        """Return the cosine of each memory's nearest passage, in their order; None without a vector."""
        return self._means

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return how well the query's pieces are found in these memories, and theirs in the query.

        The answer ends early where so many pieces would take too long.
        """
        np = arrays()
        space, query = self._space, self._query
        at = np.array([self._passage[number] for number in numbers], int)
        at = at[np.cumsum(space.lengths[at]) <= max(space.budget, int(space.lengths[at[:1]].sum()))]
        if not len(at):
            return []
        lengths = space.lengths[at]
        starts = np.cumsum(lengths) - lengths
        rows = np.repeat(space.starts[at] - starts, lengths) + np.arange(int(lengths.sum()))
        scales, tokens = zip(*map(space.tokens, at), strict=True)
        match = np.concatenate(tokens).astype("f4") @ query.tokens.T
        match *= np.concatenate(scales).astype("f4")[:, None]
        weights = space.rarity[list(query.pieces)]
        found = np.maximum.reduceat(match, starts, axis=0) @ weights / weights.sum()
        theirs = space.rarity[space.pieces[rows]]
        back = np.add.reduceat(match.max(1) * theirs, starts) / np.add.reduceat(theirs, starts)
        return list(zip(found.tolist(), back.tolist(), strict=True))

    def alike(self, numbers: Sequence[int]) -> list[list[float]]:
        """Return the cosines between these memories, each taken as its nearest passage."""
        means = self._space.means[[self._passage[number] for number in numbers]]
        cosines: list[list[float]] = (means @ means.T).tolist()
        return cosines


def _joined(parts: "Sequence[NDArray[Any]]", kind: object, width: int = 0) -> "NDArray[Any]":
    np = arrays()
    empty = np.zeros((0, width) if width else 0, kind)
    joined: NDArray[Any] = np.concatenate([empty, *parts]).astype(kind, copy=False)
    return joined
