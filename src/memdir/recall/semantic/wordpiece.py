"""WordPiece: the tokens of a text as the authors of the encoder cut it.

A host waits for this module: it does without `typing`.
"""

import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.recall.semantic.weights import Tables

__all__ = ["MAX_TOKENS", "Vocabulary", "WordPiece"]

MAX_TOKENS = 256
"""What the encoder was made for, both marks included; the rest of a longer text is not seen."""

_LONGEST_WORD = 100
_LONGEST_PROMPT = 2_000
_FIRST, _LAST = 64, 32
"""Tokens of a prompt that are read: of a long one, its beginning and its end say what is wanted."""

_MARKS = ("[CLS]", "[SEP]", "[UNK]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ALONE = "[!-/:-@\\[-`{-~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]"
"""A character that is a word by itself, besides punctuation: symbols of ASCII, and Han."""


class Vocabulary:
    """Tokens in sorted order, each with its number; a binary search finds one."""

    def __init__(self, tables: "Tables") -> None:
        """Use the tables as they are."""
        self._text, self._ends, self._numbers = [
            tables[f"vocabulary {name}"].data for name in ("text", "ends", "numbers")
        ]

    def number(self, token: str) -> int | None:
        """Return the number of a token; None for one that is not known."""
        wanted = token.encode("utf-8", "surrogatepass")
        low, high = 0, len(self._numbers)
        while low < high:
            middle = (low + high) // 2
            found = bytes(self._text[self._ends[middle] : self._ends[middle + 1]])
            if found == wanted:
                return self._numbers[middle]
            low, high = (middle + 1, high) if found < wanted else (low, middle)
        return None


class WordPiece:
    """Cuts words into the longest tokens that a vocabulary knows."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Look up the three marks; everything else is looked up when a text needs it."""
        self._number = vocabulary.number
        marks = [number for mark in _MARKS if (number := vocabulary.number(mark)) is not None]
        if len(marks) < len(_MARKS):
            raise KeyError(f"the vocabulary lacks one of {', '.join(_MARKS)}")
        self._begin, self._end, self._unknown = marks
        self._known: dict[str, tuple[int, ...]] = {}

    def token_ids(self, text: str, limit: int = MAX_TOKENS) -> list[int]:
        """Return the numbers of the tokens of a text, between the two marks."""
        numbers = [self._begin]
        for word in _words(text):
            if word not in self._known:
                self._known[word] = tuple(self._cut(word)) or (self._unknown,)
            numbers += self._known[word]
            if len(numbers) >= limit - 1:
                break
        return [*numbers[: limit - 1], self._end]

    def prompt_ids(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a prompt likewise; the middle of a long one is left out."""
        begin, *inner, end = self.token_ids(text, _LONGEST_PROMPT)
        return [begin, *(inner if len(inner) <= _FIRST + _LAST else inner[:_FIRST] + inner[-_LAST:]), end]

    def _cut(self, word: str) -> list[int]:
        """Return the tokens of one word, the longest first; none when a part of it is not known."""
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


def _words(text: str) -> list[str]:
    """Return words and single marks, lower-cased and without accents."""
    if text.isascii() and text.isprintable():
        return _PLAIN.findall(text.lower())
    return "".join(map(_with_spaces, unicodedata.normalize("NFD", text.lower()))).split()


def _with_spaces(character: str) -> str:
    """Return a character, with spaces around it if it is a word by itself; nothing if it is not read."""
    category = unicodedata.category(character)
    if category == "Mn" or (category[0] == "C" and character not in "\t\n\r") or character == "\ufffd":
        return ""
    if character.isspace() or category == "Zs":
        return " "
    return f" {character} " if category[0] == "P" or re.match(_ALONE, character) else character
