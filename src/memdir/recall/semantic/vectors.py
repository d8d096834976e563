"""The vectors of one memory as bytes to keep: each passage with its mean and with those of its pieces."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdir.core.value import value_class
from memdir.recall.semantic.arrays import arrays
from memdir.recall.semantic.encoder import WIDTH, Encoded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["VERSION", "Vectors", "packed_vectors", "unpacked_vectors"]

VERSION = "1"
"""Raised whenever the same text would give another row: rows of the old kind are then computed anew."""


@value_class(frozen=True, slots=True)
class Vectors:
    """What is kept of one memory; a vector is rounded to bytes and has a scale."""

    lengths: "NDArray[np.uint16]"
    """Pieces of each passage."""
    means: "NDArray[np.float16]"
    """A row a passage."""
    pieces: "NDArray[np.uint16]"
    """The numbers of all pieces, one passage after the other."""
    scales: "NDArray[np.float16]"
    tokens: "NDArray[np.int8]"
    """A row a piece; times its scale it has length one."""


def packed_vectors(encoded: Sequence[Encoded]) -> bytes:
    """Return the row of one memory from its encoded passages."""
    np = arrays()
    tokens = np.concatenate([one.tokens for one in encoded])
    scales = (np.abs(tokens).max(1, initial=0) / np.float32(127) + np.float32(1e-8)).astype("<f2")
    rounded = np.rint(tokens / scales.astype("f4")[:, None]).clip(-127, 127).astype("i1")
    parts = (
        np.array([len(encoded), *(len(one.pieces) for one in encoded)], "<u2"),
        np.stack([one.mean for one in encoded]).astype("<f2"),
        np.array([number for one in encoded for number in one.pieces], "<u2"),
        scales,
        rounded,
    )
    return b"".join(part.tobytes() for part in parts)


def unpacked_vectors(row: bytes) -> Vectors:
    """Return the vectors of one row; nothing is copied."""
    np = arrays()
    passages = int.from_bytes(row[:2], "little")
    lengths = np.frombuffer(row, "<u2", passages, 2)
    count, place = int(lengths.sum()), 2 + 2 * passages
    means = np.frombuffer(row, "<f2", passages * WIDTH, place).reshape(passages, WIDTH)
    place += 2 * passages * WIDTH
    pieces = np.frombuffer(row, "<u2", count, place)
    scales = np.frombuffer(row, "<f2", count, place + 2 * count)
    tokens = np.frombuffer(row, "i1", count * WIDTH, place + 4 * count).reshape(count, WIDTH)
    return Vectors(lengths, means, pieces, scales, tokens)
