"""What of one message is worth a memory: what the tagger marks, and what the person asks to keep."""

import re
from collections.abc import Sequence

from memdir.extract.heuristics.credentials import CREDENTIAL, gives_credential
from memdir.extract.heuristics.drafting import CHANGE, Candidate
from memdir.extract.heuristics.own_words import Sentence, is_english
from memdir.extract.heuristics.requests import (
    Request,
    accepts,
    answered_sentence,
    offered_matter,
    points_back,
    request_in,
)
from memdir.extract.tagger import Tag, Tagger
from memdir.memories.kinds import Kind, propose_kind
from memdir.memories.refusals import derivable_hint
from memdir.text.likeness import words
from memdir.text.value import value_class

__all__ = ["Judge", "findings"]

JOINED = 0.2
"""How likely a neighbour of a marked sentence must be worth keeping to be a part of its memory."""
FOLLOWS = 0.5
"""How likely it must belong to the same memory."""
HOLLOW = 1
"""Telling words: with no more, a sentence means little without what it answers or what stands around it."""


@value_class(frozen=True, slots=True)
class Judge:
    """Who decides what is kept: the tagger, where there is one, and how sure it must be."""

    tagger: Tagger | None = None
    save: float = 0.93
    """From this on a memory is saved."""
    inbox: float = 0.45
    """From this on it waits in the inbox."""

    def decision(self, certainty: float, *, asked: bool, firm: bool, english: bool) -> str:
        """Return `save`, `inbox`, or nothing for a passage that is left out; the tagger knows English best.

        What a person clearly asks to keep is saved; what is not in English only if it is asked for.
        """
        if not asked and certainty < (self.inbox if english else self.inbox + (self.save - self.inbox) / 3):
            return ""
        needed = (self.save + self.inbox) / 2 if asked and english else self.save
        is_sure = (asked and firm) or ((english or asked) and certainty >= needed)
        return "save" if is_sure else "inbox"


def findings(
    said: Sequence[Sentence], message: str, reply_to: str, judge: Judge
) -> tuple[list[Candidate], list[str]]:
    """Return what the sentences of a message give, and why the rest is left."""
    secret = [one for one in said if gives_credential(one, reply_to)]
    skipped = dict.fromkeys(CREDENTIAL for _ in secret)
    english = is_english(" ".join(one.text for one in said))
    answered = answered_sentence(reply_to) if reply_to else ""
    candidates = []
    for one in _passages(said, reply_to, answered, judge):
        certainty = max((tag.keep for tag in one.tags), default=1.0)
        decision = judge.decision(certainty, asked=one.asked, firm=one.firm, english=english)
        if not decision or any(sentence in secret for sentence in one.said):
            continue
        candidate = _candidate(one, message, answered, is_sure=decision == "save")
        if candidate and (derivable_hint(candidate.text) or _IN_PROJECT.search(candidate.text)):
            skipped["the project itself shows it"] = None
        elif candidate:
            candidates.append(candidate)
    return candidates, list(skipped)


@value_class(frozen=True, slots=True)
class _Passage:
    """Neighbouring sentences that belong to one memory."""

    said: tuple[Sentence, ...]
    tags: tuple[Tag, ...]
    asked: bool
    """Whether the person asks to keep it."""
    firm: bool = True
    """Whether they clearly do."""


def _passages(said: Sequence[Sentence], reply_to: str, answered: str, judge: Judge) -> list[_Passage]:
    """Return the passages that are marked or asked for, in order."""
    requests = [_request(said, at, answered) for at in range(len(said))]
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


def _request(said: Sequence[Sentence], at: int, answered: str) -> Request | None:
    """Return what a sentence asks to keep; where the next one asks to keep it, itself; for a yes, nothing."""
    if at + 1 < len(said) and points_back(said[at + 1].bare):
        return Request(said[at].text, firm=True)
    is_pointer = points_back(said[at].bare)
    if at == 0 and (is_pointer or (answered and accepts(said[at].bare, answered))):
        return Request("", firm=True)
    return None if is_pointer else request_in(said[at].text, said[at].bare)


def _candidate(passage: _Passage, message: str, answered: str, *, is_sure: bool) -> Candidate | None:
    """Return what a passage becomes; None when it says nothing by itself and answers nothing."""
    text, source = " ".join(filter(None, map(_without_request, passage.said))), "user"
    if passage.tags:
        kind = max(Kind, key=lambda kind: sum(tag.kinds[kind] for tag in passage.tags))
    else:
        kind = propose_kind(" ".join(one.text for one in passage.said))
    telling, bare = len(words(text)), " ".join(one.bare for one in passage.said)
    accepted = passage.asked and bool(answered) and accepts(bare, answered)
    if not telling or accepted:
        # The words are the assistant's: they are saved only if the person said yes to an offer to keep them.
        text, source, is_sure = offered_matter(answered), "assistant", accepted
        kind = Kind.REFERENCE if propose_kind(text) is Kind.REFERENCE else Kind.PROJECT
    elif telling <= HOLLOW and kind is Kind.FEEDBACK and answered:
        text = f'{text.rstrip(". ")} (to: "{answered}")'
    changes = any(CHANGE.search(one.bare) for one in passage.said)
    return Candidate(kind, text, message, source, unsure=not is_sure, changes=changes) if text else None


def _without_request(sentence: Sentence) -> str:
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
