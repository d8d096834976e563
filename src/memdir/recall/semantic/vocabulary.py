"""The word pieces that an encoder knows, looked up where they lie in its file; nothing is parsed first."""

from collections.abc import Mapping, Sequence

from memdir.recall.semantic.arrays import arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

__all__ = ["Vocabulary"]

_TEXT, _ENDS, _NUMBERS = "vocabulary text", "vocabulary ends", "vocabulary numbers"


class Vocabulary:
    """Pieces in sorted order, each with its number; a binary search finds one."""

    def __init__(self, tables: "Mapping[str, NDArray[Any]]") -> None:
        """Use the three tables as they are."""
        self._text = tables[_TEXT].data
        self._ends, self._numbers = tables[_ENDS].data, tables[_NUMBERS].data

    @staticmethod
    def tables(pieces: Sequence[str]) -> "dict[str, NDArray[Any]]":
        """Return the tables of a vocabulary whose pieces are given by number."""
        np = arrays()
        rows = sorted((piece.encode(), number) for number, piece in enumerate(pieces))
        return {
            _TEXT: np.frombuffer(b"".join(piece for piece, _ in rows), "u1"),
            _ENDS: np.cumsum([0, *(len(piece) for piece, _ in rows)]).astype("<u4"),
            _NUMBERS: np.array([number for _, number in rows], "<u2"),
        }

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, piece: str) -> int | None:
        """Return the number of a piece; None for one that is not known."""
        wanted = piece.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._piece(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return self._numbers[low] if low < len(self) and self._piece(low) == wanted else None

    def _piece(self, place: int) -> bytes:
        return bytes(self._text[self._ends[place] : self._ends[place + 1]])
