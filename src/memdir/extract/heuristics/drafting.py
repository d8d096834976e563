"""Finishes a draft out of a person's words, and compares it with the memories that exist."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from memdir.extract.heuristics.requests import SPACED, full_text
from memdir.memories.proposed_names import propose_description, propose_name
from memdir.memories.review import is_vague
from memdir.memories.topic import Draft, Kind, Topic
from memdir.resources import alternatives_of, read_table
from memdir.text.dates.relative_dates import with_absolute_dates, without_day_words
from memdir.text.similarity import share_held, similarity, words
from memdir.text.value import replace

__all__ = [
    "CHANGE",
    "capitalise",
    "compare_with_known",
    "finish_draft",
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


def finish_draft(draft: Draft, on: date, *, literal: bool = False) -> Draft:
    """Return a draft of a person's words with name, description and body.

    The reason becomes a paragraph, and dates are added beside the days, counted from the day of the message.
    """
    lead, why = _OPENING.sub("", draft.body.strip()), ""
    if draft.kind in {Kind.FEEDBACK, Kind.PROJECT} and (split := _BECAUSE.fullmatch(lead)):
        lead, why = split["rule"], split["why"]
    if draft.kind is not Kind.FEEDBACK and not literal:
        lead, why = (with_absolute_dates(part, on) for part in (lead, why))
    lead = _sentence(lead)
    description = propose_description(lead)
    if why and is_vague(description):
        description = propose_description(f"{description}: {why}")
    return replace(
        draft,
        name=propose_name(_DAYS.sub("", without_day_words(lead)) or lead),
        description=description,
        body=f"{lead}\n\n**Why:** {_sentence(why)}" if why else lead,
        literal=True,  # its days have their dates
    )


def compare_with_known(
    draft: Draft, known: Sequence[tuple[Topic, frozenset[str]]], *, changes: bool
) -> Draft | str:
    """Return the draft as it should be saved, or why not; `known` are memories, each with its words.

    `changes` tells that the person says something is different from before.
    """
    lead, said = draft.body.partition("\n\n")[0], words(draft.body)
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
    if similarity(one, two) >= ALIKE:
        return True
    replaced = _REPLACED.search(text)
    if changes and replaced and words(replaced["old"]) and words(replaced["old"]) <= two:
        return True
    fewest = min(len(one), len(two))
    return changes and fewest > 0 and len(shared) / fewest >= ABOUT and (len(shared) > 1 or fewest <= 2)


def update_draft(draft: Draft, topic: Topic) -> Draft:
    """Return a draft as an update of a memory: its first paragraph is replaced, its others stay."""
    lead, *ours = draft.body.split("\n\n")
    labels = {_label(paragraph) for paragraph in (lead, *ours)}
    theirs = topic.body.strip().split("\n\n")[1:]
    kept = [paragraph for paragraph in theirs if _label(paragraph) not in labels]
    order = {"why": 0, "how": 1}
    rest = sorted([*ours, *kept], key=lambda paragraph: order.get(_label(paragraph), 2))
    body = "\n\n".join([lead, *rest])
    return replace(draft, kind=topic.header.kind or draft.kind, name=topic.header.name, body=body)


def _label(paragraph: str) -> str:
    match = re.match(r"\*\*(\w+)", paragraph)
    return match[1].lower() if match else paragraph


def capitalise(text: str) -> str:
    """Return a sentence with a capital, unless it begins with a path, a command's option or another name."""
    first = text.split(" ", 1)[0].rstrip(",;:.!?")
    return text if re.search(r"[\W\d_]|(?<=.)[A-Z]", first.replace("'", "")) else text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    text = capitalise(re.sub(r"\A(?:[ ,;:]|[-\u2013\u2014]+\s)+", "", text).rstrip(" ,;:-\u2013\u2014"))
    if text and "\u3400" <= text[-1] <= "\u9fff":
        return f"{text}\u3002"
    ended = (*'.!?\u3002\uff01\uff1f\u2026"', ".)", "!)", "?)")
    return text if not text or text.endswith(ended) else f"{text}."


def _values(text: str) -> frozenset[str]:
    """Return what can differ between two texts of the same words: dates, numbers, addresses."""
    return frozenset(value.rstrip(".,:") for value in _VALUE.findall(without_day_words(text)))


_P = alternatives_of(read_table(__file__, "drafting.txt"))
_OPENING = re.compile(_P["opening"], re.IGNORECASE)
_BECAUSE = re.compile(_P["because"], re.IGNORECASE)
_DAYS = re.compile(_P["days"])
_NEGATES = re.compile(_P["negates"], re.IGNORECASE)
_REPLACED = re.compile(rf"\b(?:{_P['replaced']}) (?:the )?(?P<old>[\w.#+-]+)", re.IGNORECASE)
CHANGE = re.compile(_P["change"], re.IGNORECASE)
_VALUE = re.compile(r"https?://\S+|\d{4}-\d\d(?:-\d\d)?|\b\d[\d.:,%]*\b")
