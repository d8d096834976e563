"""The sentences that more than one text says, such as two instruction files, or one and a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memdir.text.markdown import prose_spans
from memdir.text.value import value_class

__all__ = ["FEWEST_WORDS", "Repeat", "repeats"]

FEWEST_WORDS = 8
"""Words of a sentence that is worth a report: shorter ones are headings and phrases that recur by chance."""


@value_class(frozen=True, slots=True)
class Repeat:
    """A sentence, as the first text has it, and all the texts that have it."""

    sentence: str
    places: tuple[str, ...]


def repeats(texts: Mapping[str, str]) -> list[Repeat]:
    """Return the sentences that stand in more than one of the named texts, whatever their marks and case."""
    first: dict[str, str] = {}
    places: dict[str, dict[str, None]] = {}
    for place, text in texts.items():
        for sentence in _sentences(text):
            words = _WORD.findall(sentence.casefold())
            if len(words) >= FEWEST_WORDS:
                key = " ".join(words)
                first.setdefault(key, " ".join(sentence.split()))
                places.setdefault(key, {})[place] = None
    return [Repeat(first[key], tuple(where)) for key, where in places.items() if len(where) > 1]


_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-+*>#]|\d+[.)]))")
_MARKER = re.compile(r"\s*(?:(?:[-+*>]|#{1,6}|\d+[.)])\s+)*")


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; inline code belongs to its sentence, blocks of code to none."""
    for start, end in _join_spans(text):
        for part in _END.split(text[start:end]):
            yield part[_end_of_marker(part) :]


def _end_of_marker(part: str) -> int:
    found = _MARKER.match(part)
    return found.end() if found else 0


def _join_spans(text: str) -> list[tuple[int, int]]:
    """Return where prose stands, spans that only inline code parts made one again."""
    spans: list[tuple[int, int]] = []
    for start, end in prose_spans(text):
        if spans and "\n" not in text[spans[-1][1] : start] and not text.endswith("\n", 0, spans[-1][1]):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
