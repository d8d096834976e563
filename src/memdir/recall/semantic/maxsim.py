"""How near each memory lies to a query: by mean vectors first, then by MaxSim over tokens for the best.

space = VectorSpace([vectors of a memory, or None, …])    # the memories in their order
near = MaxSim(space, encoder.prompt(query))
near.cosines()                                            # one cosine a memory; None without vectors
near.tokens([4, 17, …])                                   # MaxSim both ways, for those that deserve it

A host waits for this module: it does without `typing`.
"""

from collections.abc import Callable, Sequence

from memdir.recall.semantic.encoder import WIDTH, Encoded
from memdir.recall.semantic.numpy_core import full_numpy, numpy_core
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MaxSim", "VectorSpace", "Vectors", "pack_vectors", "rounded_vectors", "unpack_vectors"]

_VOCABULARY = 1 << 16

_TOKENS = 8_000
"""Tokens of memories that one query is compared with: it takes as long as encoding the query itself."""


@value_class(frozen=True, slots=True)
class Vectors:
    """The vectors of one memory."""

    lengths: "NDArray[np.uint16]"
    """Tokens of each passage."""
    means: "NDArray[np.float16]"
    """A row a passage."""
    token_ids: "NDArray[np.uint16]"
    """Of all tokens, one passage after the other."""
    token_row: Callable[[], bytes | memoryview | None]
    """Reads the vectors of the tokens, when they are needed."""

    def tokens(self) -> "tuple[NDArray[np.float16], NDArray[np.int8]]":
        """Return a scale and a row for each token; a row times its scale has length one.

        Where they are lost, all are zero, so that no query is near.
        """
        np = numpy_core()
        row, count = self.token_row(), len(self.token_ids)
        if row is None or len(row) != count * (2 + WIDTH):
            return np.zeros(count, "<f2"), np.zeros((count, WIDTH), "i1")
        return np.frombuffer(row, "<f2", count), np.frombuffer(row, "i1", -1, 2 * count).reshape(count, WIDTH)


def pack_vectors(encoded: Sequence[Encoded]) -> tuple[bytes, bytes]:
    """Return the two rows of one memory from its encoded passages: of the passages, and of their tokens."""
    np = full_numpy()
    tokens = np.concatenate([one.tokens for one in encoded])
    scales = (np.abs(tokens).max(1, initial=0) / np.float32(127) + np.float32(1e-8)).astype("<f2")
    rounded = np.rint(tokens / scales.astype("f4")[:, None]).clip(-127, 127).astype("i1")
    passages = (
        np.array([len(encoded), *(len(one.token_ids) for one in encoded)], "<u2"),
        np.stack([one.mean for one in encoded]).astype("<f2"),
        np.array([number for one in encoded for number in one.token_ids], "<u2"),
    )
    return b"".join(part.tobytes() for part in passages), scales.tobytes() + rounded.tobytes()


def unpack_vectors(row: bytes | memoryview, token_row: Callable[[], bytes | memoryview | None]) -> Vectors:
    """Return the vectors of one memory; nothing is copied."""
    np = numpy_core()
    passages = int.from_bytes(row[:2], "little")
    lengths = np.frombuffer(row, "<u2", passages, 2)
    place = 2 + 2 * passages
    means = np.frombuffer(row, "<f2", passages * WIDTH, place).reshape(passages, WIDTH)
    token_ids = np.frombuffer(row, "<u2", -1, place + 2 * passages * WIDTH)
    return Vectors(lengths, means, token_ids, token_row)


def rounded_vectors(encoded: Sequence[Encoded]) -> Vectors:
    """Return the vectors of one memory as they are read back after they were stored."""
    row, tokens = pack_vectors(encoded)
    return unpack_vectors(row, lambda: tokens)


class VectorSpace:
    """The vectors of many memories, side by side."""

    def __init__(self, memories: Sequence[Vectors | None], budget: int = _TOKENS) -> None:
        """Put the passages of all memories that have vectors one after the other."""
        np = numpy_core()
        self.size, self.budget = len(memories), budget
        known = {number: one for number, one in enumerate(memories) if one is not None}
        self.bounds: dict[int, tuple[int, int]] = {}
        """Where the passages of each memory with vectors begin and end."""
        self.passages: list[tuple[Vectors, int, int]] = []
        """Each passage: its memory, and where its tokens begin and end there."""
        holders = np.zeros(_VOCABULARY, "i4")
        for number, one in known.items():
            begin, end = len(self.passages), 0
            for length in one.lengths.tolist():
                self.passages.append((one, end, end + length))
                end += length
            self.bounds[number] = begin, len(self.passages)
            holders[one.token_ids] += 1  # a token that occurs twice in the index counts once
        empty = np.zeros((0, WIDTH), "f4")
        self.means = np.concatenate(
            [empty, *[one.means for one in known.values()]], dtype="f4", casting="unsafe"
        )
        self.idf = np.log(1 + (len(known) - holders + 0.5) / (holders + 0.5)).astype("f4")
        """The inverse document frequency of each token of the vocabulary."""


class MaxSim:
    """How near the memories of a space lie to one query."""

    def __init__(self, space: VectorSpace, query: Encoded) -> None:
        """Compare the mean vectors at once: it is one multiplication."""
        np = numpy_core()
        self._space, self._query = space, query
        self._passage_cosines = space.means @ query.mean
        self._cosines: list[float | None] = [None] * space.size
        if space.bounds:
            best = np.maximum.reduceat(self._passage_cosines, [begin for begin, _ in space.bounds.values()])
            for number, cosine in zip(space.bounds, best.tolist(), strict=True):
                self._cosines[number] = cosine

    @property
    def nothing(self) -> float:
        """How much speaks for showing nothing."""
        return self._query.nothing

    def cosines(self) -> list[float | None]:
        """Return the cosine of each memory's nearest passage, in their order; None without a vector."""
        return self._cosines

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return the MaxSim of the query's tokens in these memories, and of theirs in the query.

        Each token finds its nearest one on the other side; the mean of these cosines is weighted by IDF. The
        answer ends early where so many tokens would take too long.
        """
        np = numpy_core()
        space, query, found = self._space, self._query, list[tuple[float, float]]()
        weights, left = space.idf[np.array(query.token_ids, "u2")], space.budget
        total = np.add.reduce(weights)
        passages = [space.passages[at] for at in self._nearest_passages(numbers)]
        # All are unpacked into the same memory: fresh memory for each would cost more.
        room = np.empty((max([end - begin for _, begin, end in passages], default=0), WIDTH), "f4")
        for memory, begin, end in passages:
            left -= end - begin
            if found and left < 0:
                break
            scales, tokens = memory.tokens()
            unpacked, theirs = room[: end - begin], space.idf[memory.token_ids[begin:end]]
            np.copyto(unpacked, tokens[begin:end])
            match = unpacked @ query.tokens.T
            match *= scales[begin:end, None]
            forth = np.maximum.reduce(match, 0) @ weights / total
            back = np.maximum.reduce(match, 1) @ theirs / np.add.reduce(theirs)
            found.append((float(forth), float(back)))
        return found

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        """Return the cosines between these memories, each taken as its nearest passage."""
        means = self._space.means[self._nearest_passages(numbers)]
        cosines: list[list[float]] = (means @ means.T).tolist()
        return cosines

    def _nearest_passages(self, numbers: Sequence[int]) -> list[int]:
        """Return the nearest passage of each of these memories, of equally near ones the last."""
        nearest = []
        for number in numbers:
            begin, end = self._space.bounds[number]
            nearest.append(end - 1 - int(self._passage_cosines[begin:end][::-1].argmax()))
        return nearest
