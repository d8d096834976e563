"""Writes a candidate as the memory it would become, and holds it against the memories that exist."""

import re
from collections.abc import Sequence
from datetime import date

from memdir.extract.heuristics.requests import SPACED, full_text
from memdir.memories.proposed_names import propose_description, propose_name
from memdir.memories.review import is_vague
from memdir.memories.topic import Kind, Topic
from memdir.text.dates.relative_dates import with_absolute_dates, without_day_words
from memdir.text.likeness import likeness, share_held, words
from memdir.text.plain import capitalise
from memdir.text.value import replace, value_class

__all__ = [
    "CHANGE",
    "Candidate",
    "ExtractedDraft",
    "compare_with_known",
    "draft_from",
    "is_about",
    "nearest",
    "update_draft",
]

SAME = 0.75
"""Share of a draft's words in a memory from which it says nothing new."""
ABOUT = 0.4
"""Share of the shorter text's words that two texts about one thing share when one corrects the other."""
ALIKE = 0.6
"""Share of all words from which two texts are about one thing even if neither says that it corrects."""
MAX_COMPARED = 20
"""Memories that one draft is held against: those that share the most words with it."""


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


def draft_from(candidate: Candidate, on: date, *, literal: bool = False) -> ExtractedDraft:
    """Return the memory that a candidate becomes, in its words, with dates beside the days of its message."""
    lead, why = _OPENING.sub("", candidate.text.strip()), ""
    if candidate.kind in {Kind.FEEDBACK, Kind.PROJECT} and (split := _BECAUSE.fullmatch(lead)):
        lead, why = split["rule"], split["why"]
    if candidate.kind is not Kind.FEEDBACK and not literal:
        lead, why = (with_absolute_dates(part, on) for part in (lead, why))
    lead = _sentence(lead)
    description = propose_description(lead)
    if why and is_vague(description):
        description = propose_description(f"{description}: {why}")
    return ExtractedDraft(
        candidate.kind,
        propose_name(_DAYS.sub("", without_day_words(lead)) or lead),
        description,
        f"{lead}\n\n**Why:** {_sentence(why)}" if why else lead,
        candidate.source,
        candidate.message,
        candidate.unsure,
    )


def compare_with_known(
    draft: ExtractedDraft, candidate: Candidate, known: Sequence[tuple[Topic, frozenset[str]]]
) -> ExtractedDraft | str:
    """Return the draft as it should be saved, or why not; `known` are memories, each with its words."""
    lead, changes, said = draft.body.partition("\n\n")[0], candidate.changes, words(draft.body)
    shared = [(len(said & held), topic) for topic, held in known]
    shared.sort(key=lambda pair: -pair[0])
    near = [topic for count, topic in shared[:MAX_COMPARED] if count]
    enough = 1.0 if changes and _REPLACED.search(lead) else SAME
    for one in near:
        # A memory that the draft turns round does not say it, whatever words they share.
        turned = changes and _NEGATES.search(lead) and not _NEGATES.search(one.body)
        text = full_text(one)
        if not turned and share_held(words(lead), words(text)) >= enough and _values(lead) <= _values(text):
            return f"it is already known as {one.header.name}"
    topic = (
        next((one for one, _ in known if one.header.name == draft.name), None)
        or nearest(lead, [one for one in near if one.header.kind in {draft.kind, None}], changes=changes)
        or (nearest(lead, near, changes=True) if changes else None)
    )
    return update_draft(draft, topic) if topic else draft


def nearest(text: str, known: Sequence[Topic], *, changes: bool) -> Topic | None:
    """Return the memory that is about the same thing as a text, or None."""
    about, said = list[Topic](), words(text)
    for topic in known:
        lead = topic.body.strip().partition("\n\n")[0]
        whole = f"{topic.header.name.translate(SPACED)} {topic.header.description} {lead}"
        if is_about(text, whole, changes=changes):
            about.append(topic)
    return max(about, key=lambda topic: len(said & words(full_text(topic))), default=None)


def is_about(text: str, other: str, *, changes: bool) -> bool:
    """Whether two texts are about one thing; less is enough when the first says that something changed."""
    one, two = (words(_VALUE.sub(" ", without_day_words(said))) for said in (text, other))
    shared = one & two
    if likeness(one, two) >= ALIKE:
        return True
    replaced = _REPLACED.search(text)
    if changes and replaced and words(replaced["old"]) and words(replaced["old"]) <= two:
        return True
    fewest = min(len(one), len(two))
    return changes and fewest > 0 and len(shared) / fewest >= ABOUT and (len(shared) > 1 or fewest <= 2)


def update_draft(draft: ExtractedDraft, topic: Topic) -> ExtractedDraft:
    """Return a draft as an update of a memory: its first paragraph gives way, what else it said stays."""
    ours, labels = draft.body.split("\n\n"), set(map(_label, draft.body.split("\n\n")))
    kept = [part for part in topic.body.strip().split("\n\n")[1:] if _label(part) not in labels]
    order = {"why": 0, "how": 1}
    rest = sorted([*ours[1:], *kept], key=lambda paragraph: order.get(_label(paragraph), 2))
    body = "\n\n".join([ours[0], *rest])
    return replace(draft, kind=topic.header.kind or draft.kind, name=topic.header.name, body=body)


def _label(paragraph: str) -> str:
    match = re.match(r"\*\*(\w+)", paragraph)
    return match[1].lower() if match else paragraph


def _sentence(text: str) -> str:
    text = capitalise(re.sub(r"\A(?:[ ,;:]|[-\u2013\u2014]+\s)+", "", text).rstrip(" ,;:-\u2013\u2014"))
    if text and "\u3400" <= text[-1] <= "\u9fff":
        return f"{text}\u3002"
    ended = (*'.!?\u3002\uff01\uff1f\u2026"', ".)", "!)", "?)")
    return text if not text or text.endswith(ended) else f"{text}."


def _values(text: str) -> frozenset[str]:
    """Return what can differ between two texts of the same words: dates, numbers, addresses."""
    return frozenset(value.rstrip(".,:") for value in _VALUE.findall(without_day_words(text)))


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
_NEGATES = re.compile(
    r"\b(?:no longer|any ?more|not|don'?t|stop|no need|never|isn'?t|aren'?t)\b|不再|nicht mehr"
    r"|ne .{1,20} plus|ya no",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"\b(?:instead of|rather than|no longer(?: use| in| on)?|replac(?:es|ed|ing)|away from|switched from"
    r"|moved from|(?:don'?t|do not|does not|doesn'?t) (?:use|work with|need|write in)|no more"
    r"|left) (?:the )?(?P<old>[\w.#+-]+)",
    re.IGNORECASE,
)
CHANGE = re.compile(
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
_VALUE = re.compile(r"https?://\S+|\d{4}-\d\d(?:-\d\d)?|\b\d[\d.:,%]*\b")
