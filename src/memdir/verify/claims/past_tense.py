"""Tells whether a text speaks of a thing as past: removed, renamed, replaced by another."""

import re

from memdir.resources import alternatives_of, read_table

__all__ = ["PAST", "REMOVED", "is_told_as_former", "tense"]

REMOVED, PAST = "removed", "past"
"""Removed and to stay away; moved, renamed or replaced."""

_REACH = 70
"""Characters on either side that can say so: about one clause."""


def tense(text: str, start: int, end: int) -> str:
    """Return whether the words around a place say that the thing was taken away, or is no more otherwise."""
    before = _CLAUSE_BEFORE.split(text[max(0, start - _REACH) : start])[-1]
    after = text[end : end + _REACH]
    if (
        _REMOVED_BEFORE.search(before)
        or _REMOVED_AFTER.match(after)
        or (_HAVE.search(before) and _PARTICIPLE.match(after))
    ):
        return REMOVED
    return PAST if _BEFORE.search(before) or _AFTER.match(after) else ""


def is_told_as_former(text: str, start: int) -> bool:
    """Tell whether the sentence up to this place speaks of former times: "formerly it was on port 9000"."""
    return _FORMER.search(text[max(0, start - _REACH) : start]) is not None


_FORMER = re.compile(
    r"\b(?:formerly|previously|originally|used to|back then|in the past|früher)\b(?:(?!\bnow\b)[^.;!?\n])*\Z",
    re.IGNORECASE,
)
_CLAUSE_BEFORE = re.compile(r"[.;!?](?=\s)|\n|\u2014|[\u3002\uff01\uff1b\uff1f]")

_TABLE = alternatives_of(read_table(__file__, "past_tense.txt"))
_KINDS = rf"(?:(?:{_TABLE['kinds']})\s+)*"
_OPENING = r"[\"'`(*«“]*$"
_CLOSING = r"[\"'`)*»”]*\s*"
_FLAGS = re.VERBOSE | re.IGNORECASE
_REMOVED_BEFORE = re.compile(
    rf"(?:{_TABLE['removed before']})\s+{_KINDS}{_OPENING}|(?:删除|移除|删掉|去掉)了\s*{_OPENING}", _FLAGS
)
_REMOVED_AFTER = re.compile(rf"{_CLOSING}(?:,\s)?(?:which\s|that\s)?(?:{_TABLE['removed after']})", _FLAGS)
_BEFORE = re.compile(rf"(?:{_TABLE['before']})\s+{_KINDS}{_OPENING}", _FLAGS)
_AFTER = re.compile(rf"{_CLOSING}(?:,\s)?(?:which\s|that\s)?(?:{_TABLE['after']})", _FLAGS)
_HAVE = re.compile(rf"\b(?:haben|habe|hat)\s(?:{_TABLE['no negation']}[\w\s])*{_OPENING}", re.IGNORECASE)
_PARTICIPLE = re.compile(rf"{_CLOSING}{_TABLE['words']}{_TABLE['german']}", re.IGNORECASE)
"""German puts the verb last: "wir haben `x.py` bewusst gelöscht"."""
