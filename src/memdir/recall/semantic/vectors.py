"""The vectors of one memory as bytes to keep: each passage with its mean and with those of its pieces."""

from collections.abc import Callable, Sequence

from memdir.recall.semantic.arrays import array_core, arrays
from memdir.recall.semantic.encoder import WIDTH, Encoded
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tokens = tuple[NDArray[np.float16], NDArray[np.int8]]
    """A scale and a row a piece; a row times its scale has length one."""

__all__ = ["VERSION", "Vectors", "packed_vectors", "rounded_vectors", "unpacked_vectors"]

VERSION = "3"
"""Raised whenever the same text would give other rows: rows of the old kind are then computed anew."""


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
