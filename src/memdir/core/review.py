"""Remarks on one memory that its writer would want to hear, and a hint when it need not be kept at all."""

import re
from dataclasses import dataclass
from datetime import date

from memdir.core.dates import relative_dates
from memdir.core.frontmatter import parse
from memdir.core.kinds import Kind
from memdir.core.topic import Topic

__all__ = ["MAX_DESCRIPTION", "Remark", "derivable_hint", "is_vague", "remarks"]

MAX_DESCRIPTION = 150
"""Characters of a description: it is one line of a list, and longer ones crowd out their neighbours."""
MIN_CONTENT_WORDS = 3
"""Words that say something: with fewer, a description fits many memories and recall cannot choose by it."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that could be better, and how."""

    code: str
    message: str
    hint: str


def remarks(topic: Topic, saved_on: date, today: date) -> list[Remark]:
    """Return what could be better in a memory that was saved on a day, worst first."""
    return [
        *_header_remarks(topic),
        *_body_remarks(topic),
        *_description_remarks(topic),
        *_date_remarks(topic, saved_on, today),
    ]


def is_vague(description: str, name: str = "") -> bool:
    """Whether a description says too little to be chosen by: empty, the name again, or words that fit anything."""
    words = _WORD.findall(description.lower())
    if not words or _plain(description) == _plain(name):
        return True
    telling = [word for word in words if word not in _EMPTY_WORDS]
    length = sum(2 if _UNSPACED.match(word) and len(word) > 1 else 1 for word in telling)
    return length < MIN_CONTENT_WORDS or (_OPENS_VAGUELY.match(description) is not None and length < 4)
