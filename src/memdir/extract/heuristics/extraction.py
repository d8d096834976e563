"""Finds in a conversation what is worth a memory: what the tagger marks, and what the person asks to keep."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.credentials import CREDENTIAL, gives_credential, holds_credential
from memdir.extract.heuristics.drafting import (
    CHANGE,
    Candidate,
    ExtractedDraft,
    compare_with_known,
    draft_from,
    is_about,
)
from memdir.extract.heuristics.own_words import MAX_MESSAGE, Sentence, is_english, sentences
from memdir.extract.heuristics.requests import (
    POINTS_BACK,
    TAKEN_BACK,
    UNWANTED,
    accepts,
    answered_sentence,
    forgotten,
    full_text,
    matter_of,
    refused_subject,
    request_in,
    tells,
    unwanted_subject,
)
from memdir.extract.tagger import Tag, Tagger
from memdir.memories.echo import Echoes
from memdir.memories.proposed_names import propose_kind
from memdir.memories.refusals import derivable_hint
from memdir.memories.topic import Kind, Topic
from memdir.text.likeness import share_held, words
from memdir.text.value import replace, value_class

__all__ = ["UNREADABLE", "Extraction", "Judge", "extract"]

MAX_SENTENCES = 100
"""Sentences of a message that are looked at: the tagger takes some 30 ms for each."""
UNREADABLE = "it could not be read"
"""The reason why a message is left out that raised an error; its name follows in brackets."""
ABOUT_IT = 0.5
"""Share of the words of what a person takes back that something must hold to be meant."""
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

    def decision(self, passage: "_Passage", *, english: bool) -> str:
        """Return `save`, `inbox`, or nothing for a passage that is left out; the tagger knows English best.

        What a person clearly asks to keep is saved; what is not in English only if it is asked for.
        """
        certainty, asked = max((tag.keep for tag in passage.tags), default=1.0), passage.asked
        if not asked and certainty < (self.inbox if english else self.inbox + (self.save - self.inbox) / 3):
            return ""
        needed = (self.save + self.inbox) / 2 if asked and english else self.save
        is_sure = (asked and passage.firm) or ((english or asked) and certainty >= needed)
        return "save" if is_sure else "inbox"


@value_class(frozen=True, slots=True)
class Extraction:
    """What a conversation gave, and what it did not."""

    drafts: tuple[ExtractedDraft, ...]
    forget: tuple[str, ...]
    """Names of memories that the person wants gone."""
    skipped: tuple[tuple[str, str], ...]
    """Ids of messages from which something was left out, with the reason."""


def extract(
    spoken: Sequence[Spoken],
    known: Sequence[Topic],
    today: date,
    *,
    judge: Judge,
    literal: bool = False,
) -> Extraction:
    """Return what of a conversation to keep and what to forget; `today` counts for undated messages.

    Who only repeats what was recalled says nothing new.
    """
    reading = _Reading(known, today, judge)
    for one in spoken:
        try:
            reading.take_message(one)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one message costs no other
            reading.skip(one.id, f"{UNREADABLE} ({type(error).__name__})")
    found = reading.result(literal=literal)
    recalled = [one.text for one in spoken if one.recalled]
    echoes = Echoes(recalled) if recalled else None
    repeated = [
        one for one in found.drafts if echoes and echoes.repeats(one.body.partition("\n\n")[0], typed=True)
    ]
    return replace(
        found,
        drafts=tuple(one for one in found.drafts if one not in repeated),
        skipped=(*found.skipped, *((one.message, "it repeats what was recalled") for one in repeated)),
    )


class _Reading:
    """What was found while a conversation is read from its start."""

    def __init__(self, known: Sequence[Topic], today: date, judge: Judge) -> None:
        self._known, self._today, self._judge = known, today, judge
        self._kept: list[tuple[Candidate, date]] = []
        self._forget: list[str] = []
        self._skipped: dict[tuple[str, str], None] = {}
        self._reply_to = self._last_prompt = ""

    def take_message(self, one: Spoken) -> None:
        """Take in the next message; only a person's own words are searched."""
        if one.recalled:
            self.skip(one.id, "it was put there from memory")
        elif one.role == "user":
            self._search(one)
            self._reply_to, self._last_prompt = "", one.id
        elif one.role == "assistant":
            self._reply_to = one.text or self._reply_to
        elif _INSTRUCTS.search(one.text[:_RESULT_LOOKED_AT]):
            self.skip(one.id, "what a tool gave back is not followed")

    def result(self, *, literal: bool) -> Extraction:
        """Return what is left when it is held against what is known."""
        left = [topic for topic in self._known if self._kept and topic.header.name not in self._forget]
        known = [(topic, words(full_text(topic))) for topic in left]
        drafts: dict[str, ExtractedDraft] = {}
        for candidate, on in self._kept:
            try:
                draft = compare_with_known(draft_from(candidate, on, literal=literal), candidate, known)
                if isinstance(draft, ExtractedDraft) and holds_credential(f"{draft.name}\n{draft.body}"):
                    draft = CREDENTIAL
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one sentence costs no other
                draft = f"{UNREADABLE} ({type(error).__name__})"
            if isinstance(draft, str):
                self.skip(candidate.message, draft)
            elif draft.name in drafts:
                self.skip(candidate.message, "another message gives a memory of the same name")
            else:
                drafts[draft.name] = draft
        return Extraction(tuple(drafts.values()), tuple(self._forget), tuple(self._skipped))

    def _search(self, one: Spoken) -> None:
        """Look at the sentences of a message, and at those before one that takes them back."""
        if len(one.text) > MAX_MESSAGE:
            self.skip(one.id, f"only its first {MAX_MESSAGE:,} characters were looked at")
        typed = sentences(one.text)
        if len(typed) > MAX_SENTENCES:
            self.skip(one.id, f"only its first {MAX_SENTENCES} sentences were looked at")
        said = self._sentences_to_keep(one, typed[:MAX_SENTENCES])
        start = 0
        for at, sentence in enumerate(said):
            if TAKEN_BACK.match(sentence.bare):
                self._find(one, said[start:at])
                self._take_back({one.id, self._last_prompt})
                start = at + 1
        self._find(one, said[start:])

    def _find(self, one: Spoken, said: list[Sentence]) -> None:
        """Keep what the sentences of a message give, each candidate in the place of what it corrects."""
        said = [sentence for sentence in said if not self._note_withdrawals(one, sentence)]
        secret = [sentence for sentence in said if gives_credential(sentence, self._reply_to)]
        left_out = dict.fromkeys(CREDENTIAL for _ in secret)
        english = is_english(" ".join(sentence.text for sentence in said))
        answered = answered_sentence(self._reply_to) if self._reply_to else ""
        candidates = []
        for passage in _passages(said, self._reply_to, answered, self._judge):
            decision = self._judge.decision(passage, english=english)
            if not decision or any(sentence in secret for sentence in passage.said):
                continue
            new = _candidate(passage, one.id, answered, is_sure=decision == "save")
            if new and (derivable_hint(new.text) or _IN_PROJECT.search(new.text)):
                left_out["the project itself shows it"] = None
            elif new:
                candidates.append(new)
        for because in left_out:
            self.skip(one.id, because)
        for new in candidates:
            corrected = (
                at
                for at, (earlier, _) in enumerate(self._kept)
                if earlier.kind is new.kind and is_about(new.text, earlier.text, changes=new.changes)
            )
            if (at := next(corrected, len(self._kept))) < len(self._kept):
                self.skip(self._kept[at][0].message, "a later message says it otherwise")
            self._kept[at : at + 1] = [(new, one.at.date() if one.at else self._today)]

    def skip(self, message: str, because: str) -> None:
        """Note what was left out, each reason once for a message."""
        self._skipped[message, because] = None

    def _sentences_to_keep(self, one: Spoken, said: list[Sentence]) -> list[Sentence]:
        """Return the sentences that may be kept; where one refuses something, only requests beside it."""
        refused = [at for at, sentence in enumerate(said) if UNWANTED.search(sentence.bare)]
        if not refused:
            return said
        self.skip(one.id, "the person does not want it kept")
        subject = refused_subject(said[refused[0]].bare)
        if subject:
            self._drop(lambda candidate: share_held(subject, words(candidate.text)) >= ABOUT_IT)
            return [said[at] for at in range(len(said)) if at not in refused and _is_request(said[at])]
        if any(_ALL.search(said[at].bare) for at in refused):
            self._drop(lambda _: True)
        elif not any(tells(sentence.bare) for sentence in said[: refused[0]]):
            self._take_back({candidate.message for candidate, _ in self._kept})
        return [sentence for sentence in said[refused[0] + 1 :] if _is_request(sentence)]

    def _take_back(self, messages: set[str]) -> None:
        """Leave out the last thing that one of these messages gave."""
        given = [candidate for candidate, _ in self._kept if candidate.message in messages]
        self._drop(lambda candidate: candidate in given[-1:])

    def _drop(self, is_meant: Callable[[Candidate], bool]) -> bool:
        """Leave out what is meant of all that was found before, and tell whether there was any."""
        dropped = [candidate for candidate, _ in self._kept if is_meant(candidate)]
        self._kept = [(candidate, on) for candidate, on in self._kept if candidate not in dropped]
        for candidate in dropped:
            self.skip(candidate.message, "a later message takes it back")
        return bool(dropped)

    def _note_withdrawals(self, one: Spoken, sentence: Sentence) -> bool:
        """Note which memories a sentence asks to forget, and say whether it asks for that at all."""
        subject = unwanted_subject(sentence.bare)
        if subject is None:
            return False
        names = [name for name in forgotten(subject, self._known) if name not in self._forget]
        asked = words(subject)
        dropped = self._drop(lambda candidate: share_held(asked, words(candidate.text)) >= ABOUT_IT)
        if not (names or dropped):
            self.skip(one.id, "nothing is known of what should be forgotten")
        self._forget += names
        return True


def _is_request(sentence: Sentence) -> bool:
    """Whether a sentence asks to keep something, whatever stands beside it."""
    request = None if UNWANTED.search(sentence.bare) else request_in(sentence.text, sentence.bare)
    return request is not None and request.firm


_ALL = re.compile(r"\b(?:any of (?:this|that|it)|anything|everything|what i (?:told|said))\b", re.IGNORECASE)

_RESULT_LOOKED_AT = 16_000
"""Characters of a result that are looked at."""


_INSTRUCTS = re.compile(
    r"\b(?:please )?remember(?: that| this|:)|\bfrom now on\b|\bgoing forward,|\bmemori[sz]e (?:this|that)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your |these )*(?:previous|prior|above|earlier|other"
    r"|system)(?: \w+)? (?:instructions?|rules?|messages?|prompts?)"
    r"|\b(?:save|store|add|write|put) (?:this |that |it |the following )?(?:to|in|into) (?:your |the "
    r"|long-term )*memory\b|\byou (?:must|should) (?:always|never|now)\b|\b(?:the )?user (?:always )?"
    r"(?:prefers|wants you)\b|^\W*(?:always|never) [a-z]{3,} (?!-)",
    re.IGNORECASE | re.MULTILINE,
)


@value_class(frozen=True, slots=True)
class _Passage:
    """Neighbouring sentences that belong to one memory."""

    said: tuple[Sentence, ...]
    text: str
    """The same without the words that ask to keep it."""
    tags: tuple[Tag, ...]
    asked: bool
    """Whether the person asks to keep it."""
    firm: bool = True
    """Whether they clearly do."""


def _passages(said: Sequence[Sentence], reply_to: str, answered: str, judge: Judge) -> list[_Passage]:
    """Return the passages that are marked or asked for, in order."""
    requests = [_request(said, at, answered) for at in range(len(said))]
    texts, asked = [text for text, _, _ in requests], [is_asked for _, is_asked, _ in requests]
    firm = [is_firm for _, _, is_firm in requests]
    if judge.tagger is None:
        return [_Passage((said[at],), texts[at], (), asked=True) for at in range(len(said)) if firm[at]]
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
            part, done = slice(start, stop), stop
            text = " ".join(filter(None, texts[part]))
            one = _Passage(tuple(said[part]), text, tuple(tags[part]), any(asked[part]), any(firm[part]))
            found.append(one)
    return found


def _joins(said: Sequence[Sentence], tags: Sequence[Tag], at: int) -> bool:
    """Whether a sentence may belong to a marked one beside it; never a question, always a mere "ever."."""
    if said[at].text.endswith(("?", "\uff1f")):
        return False
    between = 0 < at < len(said) - 1 and len(words(said[at].text)) <= HOLLOW
    beside = min(tags[at - 1].keep, tags[at + 1].keep) if between else 0.0
    return max(tags[at].keep, beside) >= JOINED


def _request(said: Sequence[Sentence], at: int, answered: str) -> tuple[str, bool, bool]:
    """Return a sentence without the words that ask to keep it, and whether it is asked for, and clearly.

    The next sentence may ask for it; a mere yes asks for what it answers.
    """
    one, next_one = said[at], said[at + 1] if at + 1 < len(said) else None
    points_back = POINTS_BACK.fullmatch(one.bare) is not None
    request = None if points_back else request_in(one.text, one.bare)
    text = "" if points_back else request.text if request else one.text
    if next_one and POINTS_BACK.fullmatch(next_one.bare):
        return text, True, True
    if at == 0 and (points_back or (answered and accepts(one.bare, answered))):
        return text, True, True
    return text, request is not None, request is not None and request.firm


def _candidate(passage: _Passage, message: str, answered: str, *, is_sure: bool) -> Candidate | None:
    """Return what a passage becomes; None when it says nothing by itself and answers nothing."""
    text, source = passage.text, "user"
    if passage.tags:
        kind = max(Kind, key=lambda kind: sum(tag.kinds[kind] for tag in passage.tags))
    else:
        kind = propose_kind(" ".join(one.text for one in passage.said))
    telling, bare = len(words(text)), " ".join(one.bare for one in passage.said)
    accepted = passage.asked and bool(answered) and accepts(bare, answered)
    if not telling or accepted:
        # The words are the assistant's: they are saved only if the person said yes to an offer to keep them.
        text, source, is_sure = matter_of(answered) or answered.rstrip("?"), "assistant", accepted
        kind = Kind.REFERENCE if propose_kind(text) is Kind.REFERENCE else Kind.PROJECT
    elif telling <= HOLLOW and kind is Kind.FEEDBACK and answered:
        text = f'{text.rstrip(". ")} (to: "{answered}")'
    changes = any(CHANGE.search(one.bare) for one in passage.said)
    return Candidate(kind, text, message, source, unsure=not is_sure, changes=changes) if text else None


# A file of the project is found there at any time; one of a home folder, a server or a share is not.
_IN_PROJECT = re.compile(
    r"\b(?:is|are|lives?|lies?|sits?|defined|stored|kept) (?:\w+ )?(?:in|at|under) (?:the )?`?"
    r"(?:[\w.-]+/)+[\w.-]*\w\.\w{1,6}\b",
    re.IGNORECASE,
)
