"""Writes a candidate as the memory it would become: rule or fact first, then why and how."""

import re
from datetime import date

from memdir.extract.heuristics.candidate import Candidate
from memdir.memories.kinds import Kind, propose_description, propose_name
from memdir.memories.review import is_vague
from memdir.text.dates.relative_dates import with_absolute_dates, without_day_words
from memdir.text.plain import capitalise
from memdir.text.value import value_class

__all__ = ["Extracted", "drafted", "reworked"]


@value_class(frozen=True, slots=True)
class Extracted:
    """A memory that was found in a conversation and is not yet saved."""

    kind: Kind
    name: str
    description: str
    body: str
    source: str
    """Whose words: user, assistant or tool."""
    message: str
    """Id of the message that holds them."""
    inbox: bool = False
    """Whether a person has to confirm it first."""


def drafted(candidate: Candidate, on: date, *, literal: bool = False) -> Extracted:
    """Return the memory that a candidate becomes, with dates beside the days of its message."""
    lead, why, how = (
        _parts(candidate)
        if candidate.rule != "confirmation"
        else (candidate.text, candidate.why, candidate.how)
    )
    if candidate.kind is not Kind.FEEDBACK and not literal:
        lead, why, how = (with_absolute_dates(part, on) for part in (lead, why, how))
    lead = _sentence(_in_third_person(lead) if candidate.kind is Kind.USER or _OF_SELF.match(lead) else lead)
    lines = [lead, why and f"**Why:** {_sentence(why)}", how and f"**How to apply:** {_sentence(how)}"]
    return Extracted(
        candidate.kind,
        propose_name(_NAMELESS.sub("", without_day_words(lead)) or lead),
        _described(lead, why),
        "\n\n".join(line for line in lines if line),
        candidate.source,
        candidate.message,
        candidate.unsure,
    )


def reworked(draft: Extracted, name: str, kind: Kind, body: str) -> Extracted:
    """Return a draft as an update of a memory: its first paragraph gives way, what else it said stays."""
    ours = draft.body.split("\n\n")
    kept = [
        part
        for part in body.strip().split("\n\n")[1:]
        if not any(_label(part) == _label(own) for own in ours)
    ]
    return Extracted(
        kind,
        name,
        draft.description,
        "\n\n".join([ours[0], *sorted([*ours[1:], *kept], key=_place)]),
        draft.source,
        draft.message,
        draft.inbox,
    )


def _label(paragraph: str) -> str:
    match = re.match(r"\*\*(\w+)", paragraph)
    return match[1].lower() if match else paragraph


def _place(paragraph: str) -> int:
    return {"why": 0, "how": 1}.get(_label(paragraph), 2)


_BECAUSE = re.compile(
    r"(?:\s*[,;(\u2013\u2014-]+\s*|\s+)(?:due to|because of|because|becuase|becasue|bcs?|cuz|coz"
    r"|since(?! (?:\d|last"
    r"|yesterday|this|then))|reason(?: is)?:|the reason (?:is|being)(?: that)?"
    r"|otherwise|or else|so that|weil|denn|sonst|parce que?|car|sinon|porque|ya que|pues)\b\s*[:,]?\s*(?=\w)"
    r"|[\uff0c,]?\s*(?:因为|由于|否则)",
    re.IGNORECASE,
)
_SPLICE = re.compile(
    r"\s*(?:,|\s[\u2013\u2014-]|\.\.\.|\()\s+(?=(?:i|we|it|they|that|this|the|our|legal|people|nobody"
    r"|everyone|users?|readers|clients?|customers?|splitting|there|last|he|she|i'm|it's|that's|we've"
    r"|we're|mobile|security)\b)",
    re.IGNORECASE,
)
_REASON_START = re.compile(
    r"^(?:because|since|reason|the reason|otherwise|last (?:time|quarter|year|month|week)|we (?:got|had"
    r"|were|lost|burned|have been|once)|it (?:breaks|broke|makes|confuses|wastes|costs|took|cost|just"
    r"|only)|they (?:break|broke|get|got)|that (?:way|breaks|broke|makes|caused)|this (?:way|breaks|broke"
    r"|makes|caused)|nobody|our (?:readers|users|customers|clients)|"
    r"the (?:last|readers|reviewers|auditors|customers?|clients?|\w+ team)|too many|people)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when(?:ever)?|before|after|unless|while|every time|each time|if)\s+(?:you|we|i|it|the|a|an"
    r"|someone|there|\w+ing|any|this|they)\b[^,;.]*",
    re.IGNORECASE,
)


def _parts(candidate: Candidate) -> tuple[str, str, str]:
    """Return the rule or fact, the reason and the occasion, as far as the person gave them."""
    text, why, how = candidate.text.strip(), candidate.why, candidate.how
    if candidate.kind not in {Kind.FEEDBACK, Kind.PROJECT}:
        return " ".join(part for part in (text, why) if part), "", ""
    split = _BECAUSE.search(text, 12)
    if candidate.kind is Kind.FEEDBACK and not split:
        split = _SPLICE.search(text, 12)
    if why and not _REASON_START.match(why):
        text, why = f"{text.rstrip('. ')}. {why}", ""
    if split:
        start = split.start() if _CONSEQUENCE.search(split[0]) else split.end()
        why = f"{text[start:].strip(_EDGES)} {why}"
        text = text[: split.start()]
    if not how and candidate.kind is Kind.FEEDBACK and (occasion := _WHEN.search(text)):
        how = occasion[0]
    return text, _REASON_IS.sub("", why.strip().rstrip(")")), how


_EDGES = " ,;(-\u2013\u2014\uff0c"
_REASON_IS = re.compile(r"^(?:the )?reason(?: is| being)?:?\s+(?:that )?", re.IGNORECASE)
# Without these words the reason would say that it is so already.
_CONSEQUENCE = re.compile(r"otherwise|or else|so that|sonst|weil|sinon|否则", re.IGNORECASE)
_OF_SELF = re.compile(r"(?:i|i'm|i've|my) ", re.IGNORECASE)
# Dates change and the user is always the user: neither tells one memory from another.
_NAMELESS = re.compile(
    r"^The user(?:'s)?(?: (?:is|has|does))? |^(?i:merk|denk|vergiss|notier|behalt)\w*\b[^,]{0,30}, dass "
    r"|(?:\b(?:on|by|until|from|in|at|before|after) )?(?:the )?(?:week of )?\b\d{4}-\d\d(?:-\d\d)?\b"
)


def _described(lead: str, why: str) -> str:
    line = propose_description(lead)
    return propose_description(f"{line}: {why}") if why and is_vague(line) else line


def _sentence(text: str) -> str:
    text = capitalise(re.sub(r"\A(?:[ ,;:]|[-\u2013\u2014]+\s)+", "", text).rstrip(" ,;:-\u2013\u2014"))
    if text and "\u3400" <= text[-1] <= "\u9fff":
        return f"{text}\u3002"
    ended = (*'.!?\u3002\uff01\uff1f\u2026"', ".)", "!)", "?)")
    return text if not text or text.endswith(ended) else f"{text}."


_PERSON = (
    (
        (
            r"^(?:(?:fyi|btw|so|well|hi|hey|also|and|ok|hello|some background|background|for context|context"
            r"|as you know|by the way|just so you know|yes|no|oh)\b[\s,:.!\u2013-]*)+"
        ),
        "",
    ),
    (r"\bi'?m\b|\bI am\b|\bi am\b", "the user is"),
    (r"\bi(?:'ve|ve)\b|\bI have\b|\bi have\b", "the user has"),
    (r"\bi(?:'d)\b", "the user would"),
    (r"\bi (do ?n'?t|do not)\b", "the user does not"),
    (r"\bi (can'?t|cannot)\b", "the user cannot"),
    (
        (
            r"\bi (really |usually |mostly |mainly |always |never |only |also |generally |strongly |much "
            r"|personally |rarely |barely |hardly )?(prefer|like|love|hate|dislike|want|need|use|work|know"
            r"|understand|speak|live|come|run|lead|manage|maintain|teach|read|write|own|handle|review|enjoy|start"
            r"|think|look|code|test|deploy|commit|build|make|sell|grow|cook|design|draw|paint|repair|train|edit"
            r"|print)\b"
        ),
        r"the user \1\2s",
    ),
    (r"\bi teachs\b", "the user teaches"),
    (r"\b(from|to|with|for) me\b", r"\1 the user"),
    (r"\bmy\b", "the user's"),
    (r"\bmyself\b", "themselves"),
    (r"\bi\b", "the user"),
)


def _in_third_person(text: str) -> str:
    """Return what people say of themselves as it is said of them: who reads it later is somebody else."""
    for first, third in _PERSON:
        text = re.sub(first, third, text, flags=re.IGNORECASE)
    return re.sub(r"\bteachs\b", "teaches", text)
