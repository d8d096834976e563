"""Distils daily logs with no model: what was logged is read as if it had been said on that day."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time

from memdir.core.topic import Draft, Topic
from memdir.core.turns import Spoken
from memdir.core.value import value_class
from memdir.store.daily_log import LogDay
from memdir.workers.offline.extraction import extracted

__all__ = ["Distilled", "distilled"]


@value_class(frozen=True, slots=True)
class Distilled:
    """What logs gave."""

    drafts: tuple[Draft, ...] = ()
    unsure: tuple[Draft, ...] = ()
    """What a person should look at first."""
    lines: int = 0
    """How many lines were read."""
    lines_of: tuple[tuple[str, str], ...] = ()
    """The name of each draft, and the line that it came from."""
    known: frozenset[str] = frozenset()
    """Lines that say what is known already."""


def distilled(logs: Sequence[LogDay], known: Sequence[Topic], now: datetime) -> Distilled:
    """Return the memories that stand in these logs and are not known yet."""
    spoken = [one for log in logs for one in _spoken(log)]
    if not spoken:
        return Distilled()
    found = extracted(spoken, known, now.date())
    drafts = [
        (one.inbox, Draft(one.body, one.kind, one.name, one.description, literal=True))
        for one in found.drafts
    ]
    sure = tuple(draft for inbox, draft in drafts if not inbox)
    unsure = tuple(draft for inbox, draft in drafts if inbox)
    known_lines = frozenset(line for line, because in found.skipped if because.startswith(_KNOWN))
    return Distilled(
        sure, unsure, len(spoken), tuple((one.name, one.message) for one in found.drafts), known_lines
    )


_KNOWN = "it is already known"
_MARK = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[-\u2013\u2014:]?[ \t]+)?")


def _spoken(log: LogDay) -> list[Spoken]:
    at = datetime.combine(log.day, time(12), UTC)
    lines = [
        (number, _in_first_person(_MARK.sub("", line, count=1).strip()))
        for number, line in enumerate(log.text.split("\n"), 1)
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
    if not (told := _TOLD.match(line)):
        return line
    verb = told["verb"].casefold()
    own = _ODD.get(verb) or re.sub(r"(?<=ch|sh|ss)es\Z|(?<=x)es\Z|(?<!s)s\Z", "", re.sub(r"ies\Z", "y", verb))
    return f"I {told['how'] or ''}{own}{line[told.end() :]}"


_ORDERED = re.compile(
    r"(?:the )?user (?:(?:asked|told|wants)(?: me| us)? to|said(?: that)?:?) (?=(?:always|never|stop)\b)"
    r"|user: ",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:the )?user's(?= )", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:the )?user (?P<how>(?:also|always|usually|really|generally|mostly|strongly|only|never|rarely) )?"
    r"(?P<verb>is|has|does|doesn't|isn't|[a-z]{2,}s)\b",
    re.IGNORECASE,
)
_ODD = {"is": "am", "isn't": "am not", "has": "have", "does": "do", "doesn't": "don't"}
