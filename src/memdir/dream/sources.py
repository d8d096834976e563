"""What was known before a dream: a new statement that has no source there was made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdir.dream.marks import SAME, SentenceMarks, common_share, lost_marks, marks_of
from memdir.dream.statements import statements, wordings
from memdir.text.frontmatter.header import parse
from memdir.text.similarity import share_held, words

__all__ = ["Sources"]

_SOURCED, _NEAR = 0.5, 0.3
"""Shares of a new statement's telling words that one source, and one sentence of a source, must hold: with
less it counts as made up."""


class Sources:
    """Everything that was known before a dream."""

    def __init__(self, texts: Mapping[str, str], lines: Iterable[str] = ()) -> None:
        """Take the memories as they were, and lines of logs and the like, which are newer."""
        given = [line for line in lines if line.strip()]
        self._bags = [words(text) for text in (*texts.values(), *given)]
        self._newer = [marks_of(line) for line in given]
        self._sentences = list[SentenceMarks]()
        for file, text in texts.items():
            for one in statements(file, text):
                self._sentences += wordings(one, text)
            self._sentences.append(marks_of(parse(text).fields.get("description", "")))
        self._sentences += self._newer

    def say(self, newer: SentenceMarks) -> bool:
        """Tell whether a newer line says this: what only the memories say has replaced nothing."""
        return any(common_share(newer, line) >= SAME and not lost_marks(newer, line) for line in self._newer)

    def supports(self, text: str, new: SentenceMarks) -> bool:
        """Tell whether a new statement has its words from one source, and its marks from one sentence."""
        telling = words(text)
        if not telling:
            return True
        return any(share_held(telling, bag) >= _SOURCED for bag in self._bags) and any(
            common_share(new, source) >= _NEAR and not lost_marks(new, source) for source in self._sentences
        )
