"""Text cut into the word pieces that the encoder knows, as its authors' tokenizer cuts it.

A host waits for this module: it does without `typing`.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from memdir.recall.semantic.arrays import arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

__all__ = ["MAX_PIECES", "Vocabulary", "WordPiece", "prompt_pieces"]

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

    def number(self, piece: str) -> int | None:
        """Return the number of a piece; None for one that is not known."""
        wanted = piece.encode("utf-8", "surrogatepass")
        low, high = 0, len(self._numbers)
        while low < high:
            middle = (low + high) // 2
            found = bytes(self._text[self._ends[middle] : self._ends[middle + 1]])
            if found == wanted:
                return self._numbers[middle]
            low, high = (middle + 1, high) if found < wanted else (low, middle)
        return None


MAX_PIECES = 256
"""What the encoder was made for, both marks included; the rest of a longer text is not seen."""

_LONGEST_WORD = 100
_LONGEST_PROMPT = 2_000
_FIRST, _LAST = 64, 32
"""Pieces of a prompt that are read: of a long one, its beginning and its end say what is wanted."""

_MARKS = ("[CLS]", "[SEP]", "[UNK]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """Cuts words into the longest pieces that a vocabulary knows."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Look up the three marks; everything else is looked up when a text needs it."""
        self._number = vocabulary.number
        marks = [number for mark in _MARKS if (number := vocabulary.number(mark)) is not None]
        if len(marks) < len(_MARKS):
            raise KeyError(f"the vocabulary lacks one of {', '.join(_MARKS)}")
        self._begin, self._end, self._unknown = marks
        self._known: dict[str, tuple[int, ...]] = {}

    def pieces(self, text: str, limit: int = MAX_PIECES) -> list[int]:
        """Return the numbers of the pieces of a text, between the two marks."""
        numbers = [self._begin]
        for word in _words(text):
            if word not in self._known:
                self._known[word] = tuple(self._cut(word)) or (self._unknown,)
            numbers += self._known[word]
            if len(numbers) >= limit - 1:
                break
        return [*numbers[: limit - 1], self._end]

    def _cut(self, word: str) -> list[int]:
        """Return the pieces of one word, the longest first; none when a part of it is not known."""
        numbers: list[int] = []
        begin = 0
        while begin < len(word) <= _LONGEST_WORD:
            prefix = "##" if begin else ""
            for end in range(len(word), begin, -1):
                number = self._number(prefix + word[begin:end])
                if number is not None:
                    break
            else:
                return []
            numbers.append(number)
            begin = end
        return numbers


def prompt_pieces(tokenizer: WordPiece, text: str) -> list[int]:
    """Return the pieces of a prompt between the two marks; the middle of a long one is left out."""
    begin, *inner, end = tokenizer.pieces(text, _LONGEST_PROMPT)
    return [begin, *(inner if len(inner) <= _FIRST + _LAST else inner[:_FIRST] + inner[-_LAST:]), end]


def _words(text: str) -> Iterator[str]:
    """Yield words and single marks, lower-cased and without accents."""
    if text.isascii() and text.isprintable():
        yield from _PLAIN.findall(text.lower())
        return
    word = ""
    for character in unicodedata.normalize("NFD", text.lower()):
        category = unicodedata.category(character)
        if category == "Mn" or (category[0] == "C" and character not in "\t\n\r") or character == "\ufffd":
            continue
        if character.isspace() or category == "Zs":
            yield from filter(None, (word,))
            word = ""
        elif _stands_alone(character, category):
            yield from filter(None, (word, character))
            word = ""
        else:
            word += character
    yield from filter(None, (word,))


def _stands_alone(character: str, category: str) -> bool:
    """Tell whether a character is a word by itself: punctuation, symbols of ASCII, and Han."""
    if category[0] == "P" or "!" <= character <= "/" or ":" <= character <= "@":
        return True
    return (
        "[" <= character <= "`"
        or "{" <= character <= "~"
        or "\u4e00" <= character <= "\u9fff"
        or "\u3400" <= character <= "\u4dbf"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0002fa1f"
    )
