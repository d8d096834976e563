"""Holds a draft against the memories that exist: new, the same again, or another state of one of them."""

import re
from collections.abc import Callable, Sequence

from memdir.extract.heuristics.drafting import Candidate, ExtractedDraft, reworked
from memdir.memories.topic import Topic
from memdir.text.dates.relative_dates import without_day_words
from memdir.text.likeness import likeness, share_held, words
from memdir.text.value import value_class

__all__ = ["NoDraft", "Similar", "compared", "is_about", "is_change", "nearest"]

Similar = Callable[[str], list[tuple[str, float]]]
"""The files of the memories nearest to a text, best first, with their scores."""

SAME = 0.75
"""Share of a draft's words in a memory from which it says nothing new."""
ABOUT = 0.4
"""Share of the shorter text's words that two texts about one thing share when one corrects the other."""
ALIKE = 0.6
"""Share of all words from which two texts are about one thing even if neither says that it corrects."""
MAX_COMPARED = 20
"""Memories that a ranker may propose for one draft."""


@value_class(frozen=True, slots=True)
class NoDraft:
    """A decision to leave something out, with its reason."""

    because: str


def compared(
    draft: ExtractedDraft, candidate: Candidate, known: Sequence[Topic], similar: Similar | None
) -> ExtractedDraft | NoDraft:
    """Return the draft as it should be saved, or why there is nothing to save."""
    lead, changes = draft.body.partition("\n\n")[0], candidate.changes
    near = _narrowed(known, draft.body, similar)
    for one in near:
        if _says(one, draft, candidate):
            return NoDraft(f"it is already known as {one.header.name}")
    topic = (
        next((one for one in known if one.header.name == draft.name), None)
        or nearest(lead, [one for one in near if one.header.kind in {draft.kind, None}], changes=changes)
        or (nearest(lead, near, changes=True) if changes else None)
    )
    return reworked(draft, topic.header.name, topic.header.kind or draft.kind, topic.body) if topic else draft


def nearest(text: str, known: Sequence[Topic], *, changes: bool) -> Topic | None:
    """Return the memory that is about the same thing as a text, or None."""
    about = [topic for topic in known if is_about(text, _lead(topic), changes=changes)]
    said = words(text)
    return max(about, key=lambda topic: len(said & words(_text(topic))), default=None)


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


def is_change(bare: str) -> bool:
    """Whether a sentence says that something is no longer as it was."""
    return _CHANGE.search(bare) is not None


def _says(topic: Topic, draft: ExtractedDraft, candidate: Candidate) -> bool:
    """Whether a memory says all that a draft says; one that turns it round or replaces a part does not."""
    lead = draft.body.partition("\n\n")[0]
    if candidate.changes and _NEGATES.search(lead) and not _NEGATES.search(topic.body):
        return False
    enough = 1.0 if candidate.changes and _REPLACED.search(lead) else SAME
    return share_held(words(lead), words(_text(topic))) >= enough and _values(lead) <= _values(_text(topic))


def _narrowed(known: Sequence[Topic], text: str, similar: Similar | None) -> Sequence[Topic]:
    if similar is None:
        return known
    best = [file for file, _ in similar(text)[:MAX_COMPARED]]
    by_file = {topic.header.file: topic for topic in known}
    return [by_file[file] for file in best if file in by_file]


def _text(topic: Topic) -> str:
    name = topic.header.name.replace("-", " ").replace("_", " ")
    return f"{name}\n{topic.header.title}\n{topic.header.description}\n{topic.body}"


def _lead(topic: Topic) -> str:
    name = topic.header.name.replace("-", " ").replace("_", " ")
    return f"{name} {topic.header.description} {topic.body.strip().partition(chr(10) * 2)[0]}"


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
_VALUE = re.compile(r"https?://\S+|\d{4}-\d\d(?:-\d\d)?|\b\d[\d.:,%]*\b")


def _values(text: str) -> frozenset[str]:
    """Return what can differ between two texts of the same words: dates, numbers, addresses."""
    return frozenset(value.rstrip(".,:") for value in _VALUE.findall(without_day_words(text)))
