"""Tells whether a text speaks of a thing as past: removed, renamed, replaced by another."""

import re

__all__ = ["is_past"]

_REACH = 70
"""Characters on either side that can say so: about one clause."""


def is_past(text: str, start: int, end: int) -> bool:
    """Tell whether the words just before or just after this place say that the thing is no more."""
    before = _CLAUSE_BEFORE.split(text[max(0, start - _REACH) : start])[-1]
    after = text[end : end + _REACH]
    return _BEFORE.search(before) is not None or _AFTER.match(after) is not None


_CLAUSE_BEFORE = re.compile(r"[.;!?](?=\s)|\n|\u2014")

_KINDS = (
    r"(?:(?:the|our|its|their|an?|old|former|previous|obsolete|dead|unused|legacy|whole|entire|file|files|folder"
    r"|directory|function|method|class|constant|helper|module|script|target|command|symbol|package|name|both|all"
    r"|of|in|from|called|named)\s+)*"
)

_BEFORE = re.compile(
    rf"""(?:
      (?<!not\s)(?<!never\s)(?<!n't\s)(?<!\bbe\s)
      \b(?:removed|deleted|dropped|retired|killed|renamed|moved|ported|migrated|replaced|replaces|replacing
        |superseded|supersedes|got\srid\sof|threw\saway|ripped\sout)
    | \b(?:formerly|previously|once)(?:\s(?:in|called|named|known\sas|at))?
    | \bused\sto\s(?:be|live|sit|be\scalled|be\sin|live\sin|call)
    | \b(?:instead\sof|rather\sthan|in\splace\sof|no\slonger(?:\s(?:use|uses|using|in|call|calls|have|has))?)
    | \bthere\s(?:is|was)\sno(?:\slonger)?(?:\san?)?
    | \b(?:was|were)\s(?:called|named|in)
    | \bold\s(?:name|path|location)(?:\s(?:is|was)|:)?
    )\s+{_KINDS}["'`(*]*$""",
    re.VERBOSE | re.IGNORECASE,
)

_AFTER = re.compile(
    r"""["'`)*]*\s*(?:,\s)?(?:which\s|that\s)?(?:
      (?:was|were|is|are|has\sbeen|have\sbeen|got|had\sbeen)\s(?:since\s|already\s|finally\s|now\s|long\s|later\s|just\s)*
        (?:removed|deleted|dropped|renamed|replaced|moved\s(?:to|into)|gone|retired|split|superseded|merged\sinto|folded
          |no\smore|dead\b|history\b)(?!\s(?:by\sthe\suser|on\s|when|if|after|at\s))
    | no\slonger\b | used\sto\b | (?:does\snot|doesn't)\s(?:any\s?more\s)?exist | (?:\u2192|->|=>)\s
    | (?:became|turned\sinto)\s
    )""",
    re.VERBOSE | re.IGNORECASE,
)
