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


def distilled(logs: Sequence[LogDay], known: Sequence[Topic], now: datetime) -> Distilled:
    """Return the memories that stand in these logs and are not known yet."""
    spoken = [one for log in logs for one in _spoken(log)]
    if not spoken:
        return Distilled()
    found = extracted(spoken, known, now.date())
    drafts = [(one.inbox, Draft(one.body, one.kind, one.name, one.description)) for one in found.drafts]
    sure = tuple(draft for inbox, draft in drafts if not inbox)
    return Distilled(sure, tuple(draft for inbox, draft in drafts if inbox), len(spoken))


_MARK = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[-\u2013\u2014:]?[ \t]+)?")


def _spoken(log: LogDay) -> list[Spoken]:
    at = datetime.combine(log.day, time(12), UTC)
    lines = [
        (number, _MARK.sub("", line, count=1).strip()) for number, line in enumerate(log.text.split("\n"), 1)
    ]
    return [
        Spoken(f"{log.file}:{number}", "user", line, at)
        for number, line in lines
        if line and line[0] not in "#<"
    ]
