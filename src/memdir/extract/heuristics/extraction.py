"""Finds in a conversation what is worth a memory, by rules over what the person said."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.credentials import CREDENTIAL, holds_credential
from memdir.extract.heuristics.drafting import (
    Candidate,
    ExtractedDraft,
    compare_with_known,
    draft_from,
    is_about,
)
from memdir.extract.heuristics.findings import Judge, findings
from memdir.extract.heuristics.own_words import MAX_MESSAGE, Sentence, sentences
from memdir.extract.heuristics.requests import (
    TAKEN_BACK,
    UNWANTED,
    forgotten,
    full_text,
    refused_subject,
    request_in,
    tells,
    unwanted_subject,
)
from memdir.memories.echo import Echoes
from memdir.memories.topic import Topic
from memdir.text.likeness import share_held, words
from memdir.text.value import replace, value_class

__all__ = ["UNREADABLE", "Extraction", "extract"]

MAX_SENTENCES = 100
"""Sentences of a message that are looked at: the tagger takes some 30 ms for each."""
UNREADABLE = "it could not be read"
"""The reason why a message is left out that raised an error; its name follows in brackets."""
ABOUT_IT = 0.5
"""Share of the words of what a person takes back that something must hold to be meant."""


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
    echoes = Echoes([one.text for one in spoken if one.recalled])
    repeated = [one for one in found.drafts if echoes.repeats(one.body.partition("\n\n")[0], typed=True)]
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
            draft = _draft(candidate, on, known, literal=literal)
            if isinstance(draft, ExtractedDraft) and draft.name in drafts:
                draft = "another message gives a memory of the same name"
            if isinstance(draft, str):
                self.skip(candidate.message, draft)
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
        said = [sentence for sentence in said if not self._note_withdrawals(one, sentence)]
        on = one.at.date() if one.at else self._today
        candidates, left_out = findings(said, one.id, self._reply_to, self._judge)
        for because in left_out:
            self.skip(one.id, because)
        for candidate in candidates:
            self._take(candidate, on)

    def skip(self, message: str, because: str) -> None:
        """Note what was left out, each reason once for a message."""
        self._skipped[message, because] = None

    def _take(self, candidate: Candidate, on: date) -> None:
        """Keep a candidate in the place of what it corrects."""
        for at, (earlier, _) in enumerate(self._kept):
            if earlier.kind is candidate.kind and is_about(
                candidate.text, earlier.text, changes=candidate.changes
            ):
                self.skip(earlier.message, "a later message says it otherwise")
                self._kept[at] = (candidate, on)
                return
        self._kept.append((candidate, on))

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


def _draft(
    candidate: Candidate, on: date, known: Sequence[tuple[Topic, frozenset[str]]], *, literal: bool
) -> ExtractedDraft | str:
    """Return what is written down of a candidate, or why nothing is."""
    try:
        draft = compare_with_known(draft_from(candidate, on, literal=literal), candidate, known)
        holds = not isinstance(draft, str) and holds_credential(f"{draft.name}\n{draft.body}")
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one sentence costs no other
        return f"{UNREADABLE} ({type(error).__name__})"
    return CREDENTIAL if holds else draft


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
