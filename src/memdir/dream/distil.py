"""Distil daily logs without a model: each line is read as if the user had said it on that day."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time

from memdir.conversation.turns import Spoken
from memdir.dream.daily_log import LogDay
from memdir.extract.heuristics.drafting import ExtractedDraft
from memdir.extract.heuristics.extraction import extracted
from memdir.extract.heuristics.findings import Judge
from memdir.memories.kinds import Kind
from memdir.memories.topic import Draft, Topic
from memdir.text.value import replace, value_class

__all__ = ["Distilled", "distil"]


@value_class(frozen=True, slots=True)
class Distilled:
    """The memories found in logs."""

    drafts: tuple[Draft, ...] = ()
    unsure: tuple[Draft, ...] = ()
    """What a person should look at first."""
    lines_of: tuple[tuple[str, str], ...] = ()
    """The name of each draft, and the line that it came from."""
    known: frozenset[str] = frozenset()
    """Lines that say what is known already."""


def distil(logs: Sequence[LogDay], known: Sequence[Topic], now: datetime) -> Distilled:
    """Return the memories that stand in these logs and are not known yet."""
    lines = [one for log in logs for one in _lines(log)]
    told = {one.id: _about_user(one.text) for one in lines}
    asked = [
        replace(one, text=f"Remember that {(told[one.id] or one.text).replace('; ', ', ')}")
        for one in lines
        if told[one.id] or not _UNASKED.match(one.text)
    ]
    found = extracted(asked, known, now.date(), judge=Judge())
    drafts = [
        (one.inbox, Draft(one.body, _kind(one, told), one.name, one.description, literal=True))
        for one in found.drafts
    ]
    sure = tuple(draft for inbox, draft in drafts if not inbox)
    unsure = tuple(draft for inbox, draft in drafts if inbox)
    known_lines = frozenset(line for line, because in found.skipped if because.startswith(_KNOWN))
    return Distilled(sure, unsure, tuple((one.name, one.message) for one in found.drafts), known_lines)


_KNOWN = "it is already known"
_DONE = (
    "ran|read|did|went|wrote|built|made|found|looked|got|fixed|added|removed|deleted|merged|implemented|updated"
    "|changed|started|finished|committed|pushed|opened|closed|tested|checked|reviewed|refactored|renamed|moved"
    "|created|installed|deployed|debugged|investigated|explained|answered|discussed|helped|tried|worked"
)
_UNASKED = re.compile(rf"(?:(?:i|we) )?(?:{_DONE}|\w+ing)\b(?! by\b)|(?:the )?users?\b", re.IGNORECASE)
"""Lines that tell what was done, and what users of a program do: no memory."""
_MARK = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[-\u2013\u2014:]?[ \t]+)?")


def _lines(log: LogDay) -> list[Spoken]:
    at = datetime.combine(log.day, time(12), UTC)
    lines = [
        (number, _MARK.sub("", line, count=1).strip()) for number, line in enumerate(log.text.split("\n"), 1)
    ]
    return [
        Spoken(f"{log.file}:{number}", "user", line, at)
        for number, line in lines
        if line and line[0] not in "#<"
    ]


def _about_user(line: str) -> str:
    """Return a line about the user with them as its subject; an order without who gave it; else nothing."""
    if order := _ORDERED.match(line):
        return line[order.end() :]
    if trait := _TRAIT.match(line):
        rest = line[trait.end() :]
        return f"The user{trait['owns'] or ' '}{rest[:1].lower()}{rest[1:]}"
    return ""


def _kind(found: ExtractedDraft, told: Mapping[str, str]) -> Kind:
    """Return the kind of what a log says: of a user it is how to work, or who they are."""
    of_user = told[found.message].startswith("The user")
    return Kind.USER if of_user and found.kind is not Kind.FEEDBACK else found.kind


_ORDERED = re.compile(
    r"(?:(?:the )?user )?(?:(?:asked|told|wants)(?: me| us)? to|said(?: that)?:?) (?=(?:always|never|stop)\b)"
    r"|user: ",
    re.IGNORECASE,
)
_HOW = r"(?:also|always|usually|really|generally|mostly|strongly|only|never|rarely) "
_IS = (
    r"wants|prefers|likes|dislikes|hates|loves|expects|speaks|knows|is(?= (?:an?|new) )"
    r"|works(?= (?:as|from|for) )"
)
_TRAIT = re.compile(
    rf"(?:the )?user(?:(?P<owns>'s )| (?={_HOW}|(?:{_IS})\b))|(?=(?:{_HOW})?(?:{_IS})\b)", re.IGNORECASE
)
"""How lines about the user begin, also those that do not name them, as the prompt for logs shows it."""
