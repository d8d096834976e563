"""The sources of a dream: the sentences of all old memories, and the lines it was given."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from memdir.dream.sentence import SentenceMarks, common_share, lost_marks, marks_of, statement_marks
from memdir.dream.statements import statements
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.frontmatter.header import parse
from memdir.text.likeness import share_held, words

__all__ = ["SAME", "Sources", "day_of", "with_day"]

SAME = 0.75
"""The share of a sentence's telling words that a rewording must have, in order."""
_SOURCED, _NEAR = 0.5, 0.3
"""Shares of a new statement's telling words that one source, and one sentence of a source, must hold: less,
and somebody made it up."""


class Sources:
    """Everything that was known before a dream."""

    def __init__(self, texts: Mapping[str, str], lines: Iterable[str] = ()) -> None:
        """Take the memories as they were, and lines of logs and the like, which are newer."""
        given = [line for line in lines if line.strip()]
        self._bags = [words(text) for text in (*texts.values(), *given)]
        self._newer = [marks_of(line) for line in given]
        self._sentences = [*_sentences(texts), *self._newer]

    def say(self, newer: SentenceMarks) -> bool:
        """Tell whether a line says this: what only the memories say took no place of anything in them."""
        return any(common_share(newer, line) >= SAME and not lost_marks(newer, line) for line in self._newer)

    def bear(self, text: str, above: str = "") -> bool:
        """Tell whether a new statement has its words from one source, and its marks from one sentence."""
        telling, new = words(text), marks_of(text, above)
        if not telling:
            return True
        return any(share_held(telling, bag) >= _SOURCED for bag in self._bags) and any(
            common_share(new, source) >= _NEAR and not lost_marks(new, source) for source in self._sentences
        )


def with_day(line: str, day: date) -> Iterator[str]:
    """Yield a line that was written on a day, and once more with its relative dates as dates."""
    yield line
    if (dated := with_absolute_dates(line, day)) != line:
        yield dated


def _sentences(texts: Mapping[str, str]) -> Iterator[SentenceMarks]:
    for file, text in texts.items():
        day = day_of(text)
        for one in statements(file, text):
            yield statement_marks(one)
            dated = with_absolute_dates(one.text, day) if day else one.text
            if dated != one.text:
                yield marks_of(dated)
        yield marks_of(parse(text).fields.get("description", ""))


def day_of(text: str) -> date | None:
    """Return the day on which a memory was written, from which it counts; None when it does not say."""
    metadata = parse(text).metadata
    try:
        return date.fromisoformat((metadata.get("modified") or metadata.get("created", ""))[:10])
    except ValueError:
        return None
