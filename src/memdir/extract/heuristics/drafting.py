"""Writes a candidate as the memory it would become: rule or fact first, then why and how."""

import re
from datetime import date

from memdir.memories.kinds import Kind
from memdir.memories.proposed_names import propose_description, propose_name
from memdir.memories.review import is_vague
from memdir.text.dates.relative_dates import with_absolute_dates, without_day_words
from memdir.text.plain import capitalise
from memdir.text.value import value_class

__all__ = ["Candidate", "ExtractedDraft", "drafted", "reworked"]


@value_class(frozen=True, slots=True)
class Candidate:
    """Sentences that become one memory, before they are held against what is known."""

    kind: Kind
    text: str
    """The rule or fact in the person's words."""
    message: str
    source: str = "user"
    """Whose words they are: the user's, or the assistant's that the user pointed at."""
    unsure: bool = False
    """Whether a person should look first."""
    changes: bool = False
    """Whether it says that something is different from before."""


@value_class(frozen=True, slots=True)
class ExtractedDraft:
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


def drafted(candidate: Candidate, on: date, *, literal: bool = False) -> ExtractedDraft:
    """Return the memory that a candidate becomes, in its words, with dates beside the days of its message."""
    lead, why = _parts(candidate)
    if candidate.kind is not Kind.FEEDBACK and not literal:
        lead, why = (with_absolute_dates(part, on) for part in (lead, why))
    lead = _sentence(lead)
    return ExtractedDraft(
        candidate.kind,
        propose_name(_DAYS.sub("", without_day_words(lead)) or lead),
        _described(lead, why),
        f"{lead}\n\n**Why:** {_sentence(why)}" if why else lead,
        candidate.source,
        candidate.message,
        candidate.unsure,
    )


def reworked(draft: ExtractedDraft, name: str, kind: Kind, body: str) -> ExtractedDraft:
    """Return a draft as an update of a memory: its first paragraph gives way, what else it said stays."""
    ours = draft.body.split("\n\n")
    kept = [
        part
        for part in body.strip().split("\n\n")[1:]
        if not any(_label(part) == _label(own) for own in ours)
    ]
    return ExtractedDraft(
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


def _parts(candidate: Candidate) -> tuple[str, str]:
    """Return the rule or fact, and the reason if the person gave one behind it in the same sentence."""
    text = _OPENING.sub("", candidate.text.strip())
    if candidate.kind in {Kind.FEEDBACK, Kind.PROJECT} and (split := _BECAUSE.fullmatch(text)):
        return split["rule"], split["why"]
    return text, ""


_OPENING = re.compile(
    r"\A(?:(?:no|nope|yes|ok(?:ay)?|hey|hi|btw|fyi|also|and|but|so|well)\b[,.!:]+\s+)+", re.IGNORECASE
)
_BECAUSE = re.compile(
    r"(?P<rule>[^.!?\n]{12,}?)[,;]?\s+(?:because(?! of\b)|since it|as it|weil|parce que?|porque|(?=因为))\s*"
    r"(?P<why>[^.!?\n]{3,}[.!]?)",
    re.IGNORECASE,
)
# Dates change: they do not tell one memory from another.
_DAYS = re.compile(
    r"(?:\b(?:on|by|until|from|in|at|before|after) )?(?:the )?(?:week of )?\b\d{4}-\d\d(?:-\d\d)?\b"
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
