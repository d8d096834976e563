"""Sentences that tell what happens on a day, and that something is no longer as it was."""

import re

__all__ = ["is_change", "is_event", "is_retraction"]


def is_event(bare: str, *, today: bool = False) -> bool:
    """Whether a sentence tells of something that happens on a day, to others than its writer alone."""
    happens = _EVENT.search(bare) or (not today and _STATE.search(bare))
    return happens is not None and not _OWN_DAY.search(bare)


def is_change(bare: str) -> bool:
    """Whether a sentence says that something is no longer as it was."""
    return _CHANGE.search(bare) is not None


def is_retraction(bare: str) -> bool:
    """Whether a sentence takes something back in so many words; "new" or "now" alone do not."""
    return is_change(_FAINT.sub(" ", bare))


_EVENT = re.compile(
    r"\b(?:deadlines?|due|freez\w+|frozen|froze|releas\w+|launch\w*|ship(?:s|ping|ment)?|cut-?over"
    r"|go(?:es|ing)?[-]live|live|sunset\w*|roll(?:ed|s|ing)?[-]?out|migrat\w+|audit\w*|demo\w*|review"
    r"|meeting|workshop|conference|presentation|present(?:s|ing)?|board|exam\w*|inspect\w+|maintenance"
    r"|outage|downtime|contract|licen[cs]e\w*|certificat\w+|cert|domain|trial|subscription|budget"
    r"|expir\w+|ends?|ending|start(?:s|ing)?|begin(?:s|ning)?|stop(?:s|ping)?|mov(?:e|es|ed|ing)"
    r"|switch(?:es|ed|ing)?|replac\w+|clos(?:e|es|ed|ing)|open(?:s|ing)?|leave|leaves|leaving|vacation"
    r"|holidays?|away|out of (?:the )?office|ooo|off|back|join(?:s|ing)?|onboard\w*|hand(?:s|ing"
    r"|ed)?[-]?over|deliver\w*|submi\w+|sign(?:s|ed|ing)?|election|festival|season|visit\w*|arriv\w+"
    r"|retir\w+|deprecat\w+|remov\w+|decommission\w*|shut\w*|turn(?:s|ed|ing)? off|upgrad\w+|renew\w*"
    r"|publish\w*|announc\w+|merg\w+|cuts?|cutting|sprint|kick-?off|pilot|beta|milestone|harvest|tax"
    r"|filing|pitch|interview|opening|hearing|trial|delay\w*|postpon\w+|push(?:ed|es)|slip\w*|resched\w+"
    r"|planned|scheduled|expected|must|has to|have to|needs? to|go(?:es)? (?:to|out|in|into)|runs? (?:out"
    r"|until)|takes? (?:over|effect|place)|lands?|happens?|comes?)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:(?:we|they) (?:lose|get|receive|have|host|visit|meet|present|leave|test|pay|print|vote|train"
    r"|shoot|record|film|install|need)|isn't|aren't|unavailable|will be|we'll be|will|is|are|gets?|won't"
    r"|can't|no \w+ (?:until"
    r"|before|after)|until|only)\b",
    re.IGNORECASE,
)
_OWN_DAY = re.compile(
    r"\b(?:i'll|i will|ill|i'm going to|i am going to|i'm gonna|i gotta|i plan to|i want to|i need to"
    r"|i have to|i've|i (?:just )?(?:pushed|fixed|finished|merged|started|did|wrote|ran|tried|worked|saw"
    r"|added|changed|opened|deployed|tested)|let's|lets|let me|let us|we'll (?:continue|see|look|finish"
    r"|do|fix|pick)|we can\b(?!'t)|we could|we should|can (?:you|we)|could (?:you|we)|remind me|see you"
    r"|talk (?:to you|later|again|more)|ttyl|until tomorrow|can't believe|it's (?:already|finally|almost)"
    r"|have a|happy|enjoy|good (?:morning|night"
    r"|evening)|next step|todo|to-do|for me|my (?:own )?(?:deadline|plan|day|evening)"
    r"|i'm (?!on (?:vacation|holiday|leave|parental|sick)|away|off\b|out\b|travel|at (?:a|the) )\w+"
    r"|finish (?:this|it|that)|until then i|by then i|(?:is|are|was|were) (?:still )?(?:running|failing"
    r"|broken|red|green|passing|done|fixed|ready|flaky|crash\w*)|(?:tests?|ci|build) (?:is|are|still|now"
    r"|should|pass\w*|fail\w*)|ticket from|same as|like (?:yesterday|last))\b"
    r"|^(?:please |pls |ok |and |now |also |then )*(?:finish|do|fix|write|add|make|run|deploy|prepare"
    r"|send|create|update|check|implement|move|set|schedule|show|give|list|plan|draft|build|change|book"
    r"|rename|generate)\b",
    re.IGNORECASE,
)
_FAINT = re.compile(
    r"\b(?:now|new|left|actually|turns out|meanwhile|since (?:this|last)|rather than|updated?|used to)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:mixed up|changed my mind|change of plans?|i meant|sorry|wrong (?:day|date|time|name|one)"
    r"|my mistake|new plan|no more"
    r"|later than|got a new)\b|"
    r"\b(?:moved|changed|postponed|pushed (?:back|out|to)|delayed|rescheduled|brought forward|renamed"
    r"|cancell?ed|no longer|not\b.{0,40}\bany ?more|any ?more|instead|switched|replaced|actually"
    r"|correction|scratch that|oh wait|^wait|i was wrong|i misspoke|update:|updated?|now\b|new|turns out"
    r"|shifted|slipped|extended|earlier than|later than|used to|since (?:this|last)|left|meanwhile"
    r"|got moved|, not|rather than)\b"
    r"|改到|改成|改为|推迟|提前|不再|换成|geändert|verschoben|nicht mehr|reporté|déplacé"
    r"|ne .{1,20} plus|changé|aplazad|cambiad|ya no|movid",
    re.IGNORECASE,
)
