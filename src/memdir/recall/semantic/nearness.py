"""How near each memory lies to a query: first by one vector a passage, then piece by piece for the best.

space = Space([vectors of a memory, or None, …])          # the memories in their order
near = space.toward(encoder.encoded(query))
near.means()                                              # one cosine a memory; None without vectors
near.tokens([4, 17, …])                                   # the closer look, for those that deserve it

A host waits for this module: it does without `typing`.
"""

from collections.abc import Callable, Sequence

from memdir.recall.semantic.arrays import array_core, arrays
from memdir.recall.semantic.encoder import WIDTH, Encoded
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float32]
    import numpy as np
    from numpy.typing import NDArray

    Tokens = tuple[NDArray[np.float16], NDArray[np.int8]]
    """A scale and a row a piece; a row times its scale has length one."""

__all__ = ["Nearness", "Space", "Vectors", "packed_vectors", "rounded_vectors", "unpacked_vectors"]


@value_class(frozen=True, slots=True)
class Vectors:
    """What is kept of one memory: its passages, and their pieces, which are read when they are asked for."""

    lengths: "NDArray[np.uint16]"
    """Pieces of each passage."""
    means: "NDArray[np.float16]"
    """A row a passage."""
    pieces: "NDArray[np.uint16]"
    """The numbers of all pieces, one passage after the other."""
    token_row: Callable[[], bytes | memoryview | None]

    def tokens(self) -> "Tokens":
        """Return the vectors of the pieces; where they are lost, such as no query is near to."""
        np = array_core()
        row, count = self.token_row(), len(self.pieces)
        if row is None or len(row) != count * (2 + WIDTH):
            return np.zeros(count, "<f2"), np.zeros((count, WIDTH), "i1")
        return np.frombuffer(row, "<f2", count), np.frombuffer(row, "i1", -1, 2 * count).reshape(count, WIDTH)


def packed_vectors(encoded: Sequence[Encoded]) -> tuple[bytes, bytes]:
    """Return the two rows of one memory from its encoded passages: of the passages, and of their pieces."""
    np = arrays()
    tokens = np.concatenate([one.tokens for one in encoded])
    scales = (np.abs(tokens).max(1, initial=0) / np.float32(127) + np.float32(1e-8)).astype("<f2")
    rounded = np.rint(tokens / scales.astype("f4")[:, None]).clip(-127, 127).astype("i1")
    passages = (
        np.array([len(encoded), *(len(one.pieces) for one in encoded)], "<u2"),
        np.stack([one.mean for one in encoded]).astype("<f2"),
        np.array([number for one in encoded for number in one.pieces], "<u2"),
    )
    return b"".join(part.tobytes() for part in passages), scales.tobytes() + rounded.tobytes()


def rounded_vectors(encoded: Sequence[Encoded]) -> Vectors:
    """Return the vectors of one memory as they are read back after they were kept."""
    row, tokens = packed_vectors(encoded)
    return unpacked_vectors(row, lambda: tokens)


def unpacked_vectors(row: bytes | memoryview, token_row: Callable[[], bytes | memoryview | None]) -> Vectors:
    """Return the vectors of one memory; nothing is copied."""
    np = array_core()
    passages = int.from_bytes(row[:2], "little")
    lengths = np.frombuffer(row, "<u2", passages, 2)
    place = 2 + 2 * passages
    means = np.frombuffer(row, "<f2", passages * WIDTH, place).reshape(passages, WIDTH)
    pieces = np.frombuffer(row, "<u2", -1, place + 2 * passages * WIDTH)
    return Vectors(lengths, means, pieces, token_row)


_VOCABULARY = 1 << 16

_PIECES = 8_000
"""Pieces of memories that one query is compared with: about as long as encoding the query itself takes."""


class Space:
    """The vectors of many memories, side by side."""

    def __init__(self, memories: Sequence[Vectors | None], pieces: int = _PIECES) -> None:
        """Put the passages of all memories that have vectors one after the other."""
        np = array_core()
        self.budget = pieces
        self.size = len(memories)
        known = [(number, one) for number, one in enumerate(memories) if one is not None]
        self._vectors = dict(known)
        counts = np.array([len(one.lengths) for _, one in known], int)
        self.known = np.array([number for number, _ in known], int)
        self.owners = self.known.repeat(counts)
        self.first = counts.cumsum() - counts
        self.lengths = _concatenate([one.lengths for _, one in known], int)
        self.starts = self.lengths.cumsum() - self.lengths
        self.means = _concatenate([one.means for _, one in known], "f4", WIDTH)
        self.pieces = _concatenate([one.pieces for _, one in known], "u2")
        self._holders = _holders([one.pieces for _, one in known])

    def nearness_to(self, query: Encoded) -> "Nearness":
        """Return the nearness of every memory to a query."""
        return Nearness(self, query)

    def tokens(self, passage: int) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Return scales and vectors of the pieces of one passage."""
        owner, begin, length = self.owners[passage], self.starts[passage], self.lengths[passage]
        begin -= self.starts[self.owners.searchsorted(owner)]
        scales, tokens = self._vectors[int(owner)].tokens()
        return scales[begin : begin + length], tokens[begin : begin + length]

    def rarity(self, pieces: "NDArray[Any]") -> "Table":
        """Return how rare each of these pieces is among the memories."""
        holders = self._holders[pieces]
        rarity: Table = array_core().log(1 + (len(self.known) - holders + 0.5) / (holders + 0.5)).astype("f4")
        return rarity


class Nearness:
    """One query against all memories of a space."""

    def __init__(self, space: Space, query: Encoded) -> None:
        """Compare the means at once: it is one multiplication."""
        np = array_core()
        self._space, self._query = space, query
        self._cosines = space.means @ query.mean
        best = np.maximum.reduceat(self._cosines, space.first) if len(self._cosines) else self._cosines
        self._means: list[float | None] = [None] * space.size
        for number, value in zip(space.known.tolist(), best.tolist(), strict=True):
            self._means[number] = value

    @property
    def nothing(self) -> float:
        """How much speaks for showing nothing."""
        return self._query.nothing

    def cosines(self) -> list[float | None]:
        """Return the cosine of each memory's nearest passage, in their order; None without a vector."""
        return self._means

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return how well the query's pieces are found in these memories, and theirs in the query.

        The answer ends early where so many pieces would take too long.
        """
        np = array_core()
        space, query = self._space, self._query
        at = np.array(self._passages(numbers), int)
        at = at[space.lengths[at].cumsum() <= max([space.budget, *space.lengths[at[:1]].tolist()])]
        if not len(at):
            return []
        lengths = space.lengths[at]
        starts = lengths.cumsum() - lengths
        rows = (space.starts[at] - starts).repeat(lengths)
        rows += np.arange(len(rows))
        match = _match([space.tokens(passage) for passage in at], query.tokens)
        weights = space.rarity(np.array(query.pieces, "u2"))
        found = np.maximum.reduceat(match, starts, axis=0) @ weights / np.add.reduce(weights)
        theirs = space.rarity(space.pieces[rows])
        back = np.add.reduceat(np.maximum.reduce(match, 1) * theirs, starts) / np.add.reduceat(theirs, starts)
        return list(zip(found.tolist(), back.tolist(), strict=True))

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        """Return the cosines between these memories, each taken as its nearest passage."""
        means = self._space.means[self._passages(numbers)]
        cosines: list[list[float]] = (means @ means.T).tolist()
        return cosines

    def _passages(self, numbers: Sequence[int]) -> list[int]:
        """Return the nearest passage of each of these memories, of equally near ones the last."""
        space, found = self._space, []
        for place in space.known.searchsorted(numbers).tolist():
            begin, *end = space.first[place : place + 2].tolist()
            mine = self._cosines[begin : end[0] if end else None]
            found.append(begin + len(mine) - 1 - int(mine[::-1].argmax()))
        return found


def _concatenate(parts: "Sequence[NDArray[Any]]", kind: object, width: int = 0) -> "NDArray[Any]":
    np = array_core()
    empty = np.zeros((0, width) if width else 0, kind)
    joined: NDArray[Any] = np.concatenate([empty, *parts], dtype=kind, casting="unsafe")
    return joined


def _holders(memories: "Sequence[NDArray[Any]]") -> "NDArray[Any]":
    """Return for each piece of the vocabulary how many memories hold it."""
    holders: NDArray[Any] = array_core().zeros(_VOCABULARY, "i4")
    for pieces in memories:
        holders[pieces] += 1  # a piece that occurs twice in the index counts once
    return holders


def _match(passages: "Sequence[tuple[NDArray[Any], NDArray[Any]]]", query: "Table") -> "Table":
    """Return the cosines of all pieces of some passages with those of a query.

    Passages are unpacked one by one into the same small room: fresh memory for all would cost more.
    """
    np = array_core()
    longest = max([len(scales) for scales, _ in passages])
    room, place = np.empty((longest, WIDTH), "f4"), 0
    match: Table = np.empty((sum([len(scales) for scales, _ in passages]), len(query)), "f4")
    for scales, tokens in passages:
        count = len(scales)
        np.copyto(room[:count], tokens)
        block = match[place : place + count]
        np.matmul(room[:count], query.T, out=block)
        block *= scales[:, None]
        place += count
    return match
