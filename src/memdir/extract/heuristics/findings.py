"""What of one message is worth a memory: what the tagger marks, and what the person asks to keep."""

import re
from collections.abc import Sequence

from memdir.extract.heuristics.certainty import Judge
from memdir.extract.heuristics.credentials import CREDENTIAL, gives_credential
from memdir.extract.heuristics.drafting import Candidate
from memdir.extract.heuristics.known import is_change
from memdir.extract.heuristics.own_words import Sentence, is_english
from memdir.extract.heuristics.requests import (
    Request,
    accepts,
    answered_sentence,
    offered_matter,
    points_back,
    request_in,
)
from memdir.extract.tagger import Tag
from memdir.memories.kinds import Kind, propose_kind
from memdir.memories.review import derivable_hint
from memdir.text.likeness import words
from memdir.text.value import value_class

__all__ = ["FoundInMessage", "findings"]

JOINED = 0.2
"""How likely a neighbour of a marked sentence must be worth keeping to be a part of its memory."""
FOLLOWS = 0.5
"""How likely it must belong to the same memory."""
HOLLOW = 1
"""Telling words: with no more, a sentence means little without what it answers or what stands around it."""


@value_class(frozen=True, slots=True)
class FoundInMessage:
    """What one message gives, and why the rest is left."""

    candidates: tuple[Candidate, ...]
    skipped: tuple[str, ...]


def findings(said: Sequence[Sentence], message: str, reply_to: str, judge: Judge) -> FoundInMessage:
    """Return what the sentences of a message give."""
    skipped = dict.fromkeys(CREDENTIAL for one in said if gives_credential(one, reply_to))
    english = is_english(" ".join(one.text for one in said))
    candidates = []
    for one in _passages(said, reply_to, judge):
        if any(gives_credential(sentence, reply_to) for sentence in one.said):
            continue
        if not (one.asked or judge.is_likely(one.certainty, english=english)):
            continue
        sure = judge.is_sure(one.certainty, asked=one.asked, firm=one.firm, english=english)
        candidate = _candidate(one, message, reply_to, is_sure=sure)
        if candidate and (derivable_hint(candidate.text) or _IN_PROJECT.search(candidate.text)):
            skipped["the project itself shows it"] = None
        elif candidate:
            candidates.append(candidate)
    return FoundInMessage(tuple(candidates), tuple(skipped))


@value_class(frozen=True, slots=True)
class _Passage:
    """Neighbouring sentences that belong to one memory."""

    said: tuple[Sentence, ...]
    tags: tuple[Tag, ...]
    asked: bool
    """Whether the person asks to keep it."""
    firm: bool = True
    """Whether they clearly do."""

    @property
    def certainty(self) -> float:
        return max((tag.keep for tag in self.tags), default=1.0)

    @property
    def kind(self) -> Kind:
        if not self.tags:
            return propose_kind(" ".join(one.text for one in self.said))
        return max(Kind, key=lambda kind: sum(tag.kinds[kind] for tag in self.tags))


def _passages(said: Sequence[Sentence], reply_to: str, judge: Judge) -> list[_Passage]:
    """Return the passages that are marked or asked for, in order."""
    requests = [_request(said, at, reply_to) for at in range(len(said))]
    asked = [one is not None for one in requests]
    firm = [one is not None and one.firm for one in requests]
    if judge.tagger is None:
        return [_Passage((said[at],), (), asked=True) for at in range(len(said)) if firm[at]]
    tags = judge.tagger.tags([one.text for one in said], reply_to)
    joins = [_joins(said, tags, at) for at in range(len(said))]
    # A request begins a memory of its own.
    follows = [tag.follows >= FOLLOWS and not is_asked for tag, is_asked in zip(tags, asked, strict=True)]
    found: list[_Passage] = []
    done = 0
    for at in range(len(said)):
        if at >= done and (firm[at] or tags[at].keep >= judge.inbox):
            start, stop = at, at + 1
            while start > done and joins[start - 1] and follows[start]:
                start -= 1
            while stop < len(said) and joins[stop] and follows[stop]:
                stop += 1
            part = slice(start, stop)
            found.append(_Passage(tuple(said[part]), tuple(tags[part]), any(asked[part]), any(firm[part])))
            done = stop
    return found


def _joins(said: Sequence[Sentence], tags: Sequence[Tag], at: int) -> bool:
    """Whether a sentence may belong to a marked one beside it; never a question, always a mere "ever."."""
    if said[at].text.endswith(("?", "\uff1f")):
        return False
    between = 0 < at < len(said) - 1 and len(words(said[at].text)) <= HOLLOW
    beside = min(tags[at - 1].keep, tags[at + 1].keep) if between else 0.0
    return max(tags[at].keep, beside) >= JOINED


def _request(said: Sequence[Sentence], at: int, reply_to: str) -> Request | None:
    """Return what a sentence asks to keep; where the next one asks to keep it, itself; for a yes, nothing."""
    if at + 1 < len(said) and points_back(said[at + 1].bare):
        return Request(said[at].text, firm=True)
    if at == 0 and (points_back(said[at].bare) or accepts(said[at].bare, answered_sentence(reply_to))):
        return Request("", firm=True)
    return None if points_back(said[at].bare) else request_in(said[at].text, said[at].bare)


def _candidate(passage: _Passage, message: str, reply_to: str, *, is_sure: bool) -> Candidate | None:
    """Return what a passage becomes; None when it says nothing by itself and answers nothing."""
    text, kind, source = " ".join(filter(None, map(_told, passage.said))), passage.kind, "user"
    telling, answered = len(words(text)), answered_sentence(reply_to)
    accepted = passage.asked and accepts(" ".join(one.bare for one in passage.said), answered)
    if not telling or accepted:
        # The words are the assistant's: they are saved only if the person said yes to an offer to keep them.
        text, source, is_sure = offered_matter(answered), "assistant", accepted
        kind = Kind.REFERENCE if propose_kind(text) is Kind.REFERENCE else Kind.PROJECT
    elif telling <= HOLLOW and kind is Kind.FEEDBACK and answered:
        text = f'{text.rstrip(". ")} (to: "{answered}")'
    changes = any(is_change(one.bare) for one in passage.said)
    return Candidate(kind, text, message, source, unsure=not is_sure, changes=changes) if text else None


def _told(sentence: Sentence) -> str:
    """Return a sentence without the words that ask to keep it."""
    if points_back(sentence.bare):
        return ""
    request = request_in(sentence.text, sentence.bare)
    return request.text if request else sentence.text


# A file of the project is found there at any time; one of a home folder, a server or a share is not.
_IN_PROJECT = re.compile(
    r"\b(?:is|are|lives?|lies?|sits?|defined|stored|kept) (?:\w+ )?(?:in|at|under) (?:the )?`?"
    r"(?:[\w.-]+/)+[\w.-]*\w\.\w{1,6}\b",
    re.IGNORECASE,
)
