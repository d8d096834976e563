"""Text cut into the word pieces that the encoder knows, as its authors' tokenizer cuts it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

__all__ = ["MAX_PIECES", "WordPiece"]

MAX_PIECES = 256
"""What the encoder was made for, both marks included; the rest of a longer text is not seen."""

_LONGEST_WORD = 100
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """A vocabulary, and the longest-piece-first cutting of words over it."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Give each piece its place as its number."""
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._known: dict[str, tuple[int, ...]] = {}
        self._begin, self._end = self._numbers["[CLS]"], self._numbers["[SEP]"]
        self._unknown = (self._numbers["[UNK]"],)

    def pieces(self, text: str, limit: int = MAX_PIECES) -> list[int]:
        """Return the numbers of the pieces of a text, between the two marks."""
        numbers = [self._begin]
        for word in _words(text):
            numbers += self._known.get(word) or self._cut(word)
            if len(numbers) >= limit - 1:
                break
        return [*numbers[: limit - 1], self._end]

    def _cut(self, word: str) -> tuple[int, ...]:
        numbers: list[int] = []
        begin = 0
        while begin < len(word) <= _LONGEST_WORD:
            prefix = "##" if begin else ""
            ends = (end for end in range(len(word), begin, -1) if prefix + word[begin:end] in self._numbers)
            end = next(ends, 0)
            if not end:
                numbers = []
                break
            numbers.append(self._numbers[prefix + word[begin:end]])
            begin = end
        self._known[word] = cut = tuple(numbers) or self._unknown
        return cut


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
