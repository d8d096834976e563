"""Tells a weekday that comes round again, as in a rule or a routine, from one that is a single day."""

import re
from functools import cache

from memdir.core.date_language import CLAUSE_END, Language

__all__ = ["is_standing"]


def is_standing(language: Language, before: str, after: str) -> bool:
    """Whether what stands around a bare weekday makes it every such day: no deploys on Friday."""
    clause = CLAUSE_END.split(before)[-1]
    if _rule(language.general, language).search(clause) or re.search(_ROUTINE, clause):
        return True
    if _rule(_PROHIBITION, language).search(clause):
        return not re.search(_OCCASION, re.split(_SENTENCE_END, after)[0])
    if re.search(_WORK, clause) or (re.search(_BE, clause) and re.match(_TIME, after)):
        return not re.search(_EVENT, clause)
    opens = re.fullmatch(rf"[\s>*+-]*{language.on}\s+", clause, re.IGNORECASE)
    turned = rf"(?:\w+\s)?(?:{language.general}|{_NOT})\b"
    return opens is not None and re.match(turned, after.lstrip(" ,:"), re.IGNORECASE) is not None


_SENTENCE_END = r"[.;!?\n](?:\s|\Z)"
_NOT = r"do\snot|don['\u2019]?t|nobody|no\sone"
_EVENTS = (
    r"(?:demo|launch|release|deadline|freeze|cut-?over|go-?live|migration|audit|workshop|interview|presentation"
    r"|hand-?over|exam|flight|outage|downtime|maintenance|off-?site|kick-?off|hearing|visit|pilot|rollout|hotfix"
    r"|upgrade|deploy(?:ment)?|switch|vote|decision|review|load test|dry run|call with|meeting with)\b"
)
"""What mostly happens once: with one of these the day is a date."""
_EVENT = rf"(?i)\b{_EVENTS}"
_OCCASION = rf"(?i)\bholiday\b|\b(?:the|our)\s(?:\w+\s){{0,2}}{_EVENTS}"
_MEETINGS = (
    r"(?:stand-?ups?|retros?|retrospectives?|1:1s?|one-on-ones?|office hours|grooming|refinement|backups?"
    r"|sprint planning|weekly)"
)
_ROUTINE = (
    rf"(?i)\b{_MEETINGS}(?:\s\w+)?(?:\s(?:is|are|runs?|happens?|meets?|takes?\splace)(?:\s(?:at|on))?|:)\s+\Z"
    r"|\b(?:usually|normally|typically|generally|weekly|regularly|by\sdefault)\b[^,:]*\bon\s+\Z"
)
_WORK = (
    r"(?i)\b(?:runs?|go(?:es)?\sout|(?:is|are|gets?)\ssent|rotates?|resets?|refresh(?:es)?|recurs?)"
    r"(?:\sonly)?\son\s+\Z"
)
_BE = r"(?i)\b(?:is|are)\s+(?:(?:at|on)\s+)?\Z"
_TIME = r"(?i)(?:\s+at|,)?\s+(?:\d|noon|midnight)"
_PROHIBITION = (
    r"(?:do\snot|don['\u2019]?t)\s(?:ever\s)?(?:ship|deploy|release|merge|work|push|publish|roll|run|restart|schedule"
    r"|meet|upgrade|migrate|commit|touch|change|cut|start)|avoid|refrain\sfrom|(?:nobody|no\sone)\s(?:ever\s)?\w+s"
    r"|does(?:\snot|n['\u2019]?t)\s(?:work|operate|open)|we\sonly|(?:is|are)\s(?:not\sallowed|forbidden|prohibited"
    r"|banned)"
)


@cache
def _rule(general: str, language: Language) -> re.Pattern[str]:
    """Return what a rule reads like up to its weekday; several days may be listed."""
    days = "|".join(language.weekdays)
    same = ".*" if general == language.general else r"(?:(?!\b(?:but|so|will|then|until)\b)[^,:\u2014])*"
    return re.compile(
        rf"(?:^|\b)(?:{general})\b{same}\b{language.on}\s+(?:(?:{days})(?:\s*,|\s+\w+)\s+)*\Z", re.IGNORECASE
    )
