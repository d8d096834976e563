"""Looks for words in past conversations, the newest first, and stops when it has found enough."""

import os
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import datetime

from memdir.conversation.entries import entry_in
from memdir.conversation.lines import opened, whole_lines
from memdir.conversation.turns import Spoken
from memdir.errors import MemdirError, Rejected
from memdir.text.value import value_class

__all__ = ["MOST_SEARCHED", "Hit", "Searched", "searched"]

MOST_SEARCHED = 512 << 20
"""Bytes looked through in one search: some seconds; older transcripts are left alone, and that is said."""

_AROUND = 120
"""Characters shown on each side of what was found."""


@value_class(frozen=True, slots=True)
class Hit:
    """One message that holds every word."""

    path: str
    session: str
    message: str
    role: str
    at: datetime | None
    excerpt: str


@value_class(frozen=True, slots=True)
class Searched:
    """What was found, the newest first, and whether everything was looked through."""

    hits: tuple[Hit, ...]
    complete: bool


def searched(paths: Sequence[str], pattern: str, limit: int = 10, *, most: int = MOST_SEARCHED) -> Searched:
    """Return the newest messages with all words of the pattern, which is plain text in any case.

    The paths are taken in their order; `newest_first` gives them so. What came out of memory is not found.
    """
    words = _words(pattern)
    hits: list[Hit] = []
    for path in paths:
        if len(hits) >= limit or most <= 0:
            return Searched(tuple(hits), complete=False)
        try:
            most -= os.path.getsize(path)
            hits += _in_file(path, words, limit - len(hits))
        except (MemdirError, OSError):
            continue  # gone, or closed to us: the others can still be searched
    return Searched(tuple(hits[:limit]), complete=True)


def _words(pattern: str) -> list[str]:
    words = pattern.casefold().split()
    if len("".join(words)) < 2:
        raise Rejected("The pattern is too short to search transcripts for. Give a word or several.")
    return words


def _in_file(path: str, words: Sequence[str], limit: int) -> Iterable[Hit]:
    """Return the last messages of one file that hold the words, the newest first."""
    found: deque[Hit] = deque(maxlen=limit)
    session = os.path.basename(path).removesuffix(".jsonl")
    plain = [word.encode() for word in words if word.isascii() and word.isalnum()]
    with opened(path) as file:
        for number, line in enumerate(whole_lines(file), 1):
            entry = entry_in(line.data, number) if line.data and _may_hold(line.data, plain) else None
            for one in entry.said if entry else ():
                if (at := _place(one, words)) >= 0:
                    found.append(Hit(path, session, one.id, one.role, one.at, _excerpt(one.text, at)))
    return reversed(found)


def _may_hold(data: bytes, words: Sequence[bytes]) -> bool:
    """Tell from the bytes whether a line can hold the words, where no letter is written as a number."""
    lowered = data.lower()
    return not data.isascii() or b"\\u" in data or all(word in lowered for word in words)


def _place(one: Spoken, words: Sequence[str]) -> int:
    """Return where the first word stands in a message that holds them all; otherwise -1."""
    text = one.text.casefold()
    if one.recalled or not all(word in text for word in words):
        return -1
    return text.find(words[0])


def _excerpt(text: str, at: int) -> str:
    start, end = max(0, at - _AROUND), at + _AROUND
    shown = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
