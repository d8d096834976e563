"""Search of past conversations, the newest first."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import datetime

from memdir.config.identity import transcript_folder
from memdir.config.location import Setup
from memdir.conversation.messages import Spoken, entry_in
from memdir.conversation.transcripts import newest_first, open_transcript, whole_lines
from memdir.errors import MemdirError, NoSuchMemory, Rejected
from memdir.text.value import value_class

__all__ = [
    "MOST_SEARCHED",
    "TranscriptMatch",
    "TranscriptMatches",
    "newest_transcript",
    "search_past",
    "search_transcripts",
]

MOST_SEARCHED = 512 << 20
"""Bytes looked through in one search: some seconds; older transcripts are left alone, and that is said."""

_AROUND = 120
"""Characters shown on each side of what was found."""


@value_class(frozen=True, slots=True)
class TranscriptMatch:
    """One message that holds every word."""

    path: str
    session: str
    message: str
    role: str
    at: datetime | None
    excerpt: str


@value_class(frozen=True, slots=True)
class TranscriptMatches:
    """What was found, the newest first, and whether everything was looked through."""

    hits: tuple[TranscriptMatch, ...]
    complete: bool


def search_transcripts(
    paths: Sequence[str], pattern: str, limit: int = 10, *, most: int = MOST_SEARCHED
) -> TranscriptMatches:
    """Return the newest messages with all words of the pattern, which is plain text in any case.

    The paths are taken in their order; `newest_first` gives them so. What came out of memory is not found.
    """
    words = _words(pattern)
    hits: list[TranscriptMatch] = []
    for path in paths:
        if len(hits) >= limit or most <= 0:
            return TranscriptMatches(tuple(hits), complete=False)
        try:
            most -= os.path.getsize(path)
            hits += _in_file(path, words, limit - len(hits))
        except (MemdirError, OSError):
            continue  # gone, or closed to us: the others can still be searched
    return TranscriptMatches(tuple(hits[:limit]), complete=True)


def _words(pattern: str) -> list[str]:
    words = pattern.casefold().split()
    if len("".join(words)) < 2:
        raise Rejected("The pattern is too short to search transcripts for. Give a word or several.")
    return words


def _in_file(path: str, words: Sequence[str], limit: int) -> Iterable[TranscriptMatch]:
    """Return the last messages of one file that hold the words, the newest first."""
    found: deque[TranscriptMatch] = deque(maxlen=limit)
    session = os.path.basename(path).removesuffix(".jsonl")
    plain = [word.encode() for word in words if word.isascii() and word.isalnum()]
    with open_transcript(path) as file:
        for number, line in enumerate(whole_lines(file), 1):
            entry = entry_in(line.data, number) if line.data and _may_hold(line.data, plain) else None
            for one in entry.said if entry else ():
                if (at := _place(one, words)) >= 0:
                    found.append(
                        TranscriptMatch(path, session, one.id, one.role, one.at, _excerpt(one.text, at))
                    )
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


def newest_transcript(setup: Setup, cwd: str) -> str:
    """Return the transcript of the newest conversation that began in this directory."""
    folder = transcript_folder(setup.place.config_home, cwd)
    found = newest_first(folder)
    if not found:
        raise NoSuchMemory(f"There is no transcript in {folder}. Name one: a session file, or JSONL.")
    return found[0]


def search_past(setup: Setup, cwd: str, pattern: str, limit: int) -> TranscriptMatches:
    """Return the messages of past conversations that hold all the words; refused where a setting says so."""
    if not setup.settings.flag("searchPastContext"):
        source = setup.settings["searchPastContext"].source
        raise Rejected(
            f'Transcripts are not searched: "searchPastContext" is off in {source}. Set it to true there.'
        )
    return search_transcripts(newest_first(transcript_folder(setup.place.config_home, cwd)), pattern, limit)
