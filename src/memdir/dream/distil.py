"""Distil daily logs without a model: each line is read as if the user had said it on that day."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from memdir.conversation.turns import Spoken
from memdir.dream.daily_log import LogDay
from memdir.extract.heuristics.extraction import Extraction, extracted
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
    spoken = [replace(one, text=_in_first_person(one.text)) for one in lines]
    if not spoken:
        return Distilled()
    unasked = {one.id for one in lines if _UNASKED.match(one.text)}
    found = _found(spoken, unasked, known, now.date())
    drafts = [
        (one.inbox, Draft(one.body, one.kind, one.name, one.description, literal=True))
        for one in found.drafts
    ]
    sure = tuple(draft for inbox, draft in drafts if not inbox)
    unsure = tuple(draft for inbox, draft in drafts if inbox)
    known_lines = frozenset(line for line, because in found.skipped if because.startswith(_KNOWN))
    return Distilled(sure, unsure, tuple((one.name, one.message) for one in found.drafts), known_lines)


def _found(spoken: Sequence[Spoken], unasked: set[str], known: Sequence[Topic], today: date) -> Extraction:
    """Extract memories from lines; a line that no rule knows counts as a request, because it was logged."""
    first = extracted(spoken, known, today)
    judged = {one.message for one in first.drafts} | {message for message, _ in first.skipped}
    left = [one for one in spoken if one.id not in judged and one.id not in unasked]
    asked = [replace(one, text=f"Remember that {one.text.replace('; ', ', ')}") for one in left]
    then = extracted(asked, known, today)
    names = {one.name for one in first.drafts}
    new = tuple(one for one in then.drafts if one.name not in names)
    return Extraction((*first.drafts, *new), first.forget, (*first.skipped, *then.skipped))


_KNOWN = "it is already known"
_DONE = (
    "ran|read|did|went|wrote|built|made|found|looked|got|fixed|added|removed|deleted|merged|implemented|updated"
    "|changed|started|finished|committed|pushed|opened|closed|tested|checked|reviewed|refactored|renamed|moved"
    "|created|installed|deployed|debugged|investigated|explained|answered|discussed|helped|tried|worked"
)
_UNASKED = re.compile(rf"(?:(?:i|we) )?(?:{_DONE}|\w+ing)\b(?! by\b)|(?:the )?users?\b", re.IGNORECASE)
"""Lines that tell what was done, and what users of a program do: no memory unless a rule knows better."""
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


def _in_first_person(line: str) -> str:
    """Return a line about the user as the user would say it: logs speak of them in the third person."""
    line = _ORDERED.sub("", line)
    if owned := _OWNED.match(line):
        return f"My{line[owned.end() :]}"
    if not (told := _TOLD.match(line) or _UNNAMED.match(line)):
        return line
    verb = told["verb"].casefold()
    own = _ODD.get(verb) or re.sub(r"(?<=ch|sh|ss)es\Z|(?<=x)es\Z|(?<!s)s\Z", "", re.sub(r"ies\Z", "y", verb))
    return f"I {told['how'] or ''}{own}{line[told.end() :]}"


_ORDERED = re.compile(
    r"(?:(?:the )?user )?(?:(?:asked|told|wants)(?: me| us)? to|said(?: that)?:?) (?=(?:always|never|stop)\b)"
    r"|user: ",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:the )?user's(?= )", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:the )?user (?P<how>(?:also|always|usually|really|generally|mostly|strongly|only|never|rarely) )?"
    r"(?P<verb>is|has|does|doesn't|isn't|[a-z]{2,}s)\b",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"(?P<how>(?:also|always|usually|really|generally|mostly|strongly|only|never|rarely) )?"
    r"(?P<verb>wants|prefers|likes|dislikes|hates|loves|expects|speaks"
    r"|is(?= (?:an?|new) )|works(?= (?:as|from|for) ))\b",
    re.IGNORECASE,
)
"""Lines about the user that do not name them, as the prompt for logs shows it."""
_ODD = {"is": "am", "isn't": "am not", "has": "have", "does": "do", "doesn't": "don't"}
