"""Finds in a conversation what is worth a memory, by rules over what the person said."""

import re
from collections.abc import Sequence
from datetime import date

from memdir.core.topic import Topic
from memdir.core.turns import Spoken
from memdir.core.value import value_class
from memdir.workers.offline.candidate import Candidate, Setting
from memdir.workers.offline.credentials import holds_credential
from memdir.workers.offline.drafting import Extracted, drafted
from memdir.workers.offline.findings import findings
from memdir.workers.offline.forgetting import forgotten, unwanted_subject
from memdir.workers.offline.known import Similar, Skip, compared, is_about
from memdir.workers.offline.likeness import held, words
from memdir.workers.offline.manner import is_unwanted
from memdir.workers.offline.sentences import Sentence, sentences

__all__ = ["Extraction", "extracted"]


@value_class(frozen=True, slots=True)
class Extraction:
    """What a conversation gave, and what it did not."""

    drafts: tuple[Extracted, ...]
    forget: tuple[str, ...]
    """Names of memories that the person wants gone."""
    skipped: tuple[tuple[str, str], ...]
    """Ids of messages from which something was left out, with the reason."""


def extracted(
    spoken: Sequence[Spoken], known: Sequence[Topic], today: date, similar: Similar | None = None
) -> Extraction:
    """Return what of a conversation to keep and what to forget; `today` counts for undated messages."""
    reading = _Reading(known, today)
    for one in spoken:
        reading.hear(one)
    return reading.result(similar)


class _Reading:
    """What was found while a conversation is read from its start."""

    def __init__(self, known: Sequence[Topic], today: date) -> None:
        self._known, self._today = known, today
        self._kept: list[tuple[Candidate, date]] = []
        self._forget: list[str] = []
        self._skipped: list[tuple[str, str]] = []
        self._reply_to = ""

    def hear(self, one: Spoken) -> None:
        """Take in the next message; only a person's own words are searched."""
        if one.recalled:
            self._skipped.append((one.id, "it was put there from memory"))
        elif one.role == "user":
            self._search(one)
            self._reply_to = ""
        elif one.role == "assistant":
            self._reply_to = one.text or self._reply_to

    def result(self, similar: Similar | None) -> Extraction:
        """Return what is left when it is held against what is known."""
        left = [topic for topic in self._known if topic.header.name not in self._forget]
        drafts: list[Extracted] = []
        for candidate, on in self._kept:
            draft = compared(drafted(candidate, on), candidate, left, similar)
            if isinstance(draft, Extracted) and holds_credential(f"{draft.name}\n{draft.body}"):
                draft = Skip("it holds what looks like a credential")
            if isinstance(draft, Skip):
                self._skipped.append((candidate.message, draft.because))
            elif draft.name not in {other.name for other in drafts}:
                drafts.append(draft)
        return Extraction(tuple(drafts), tuple(self._forget), tuple(self._skipped))

    def _search(self, one: Spoken) -> None:
        said = sentences(one.text)
        if any(is_unwanted(sentence.bare) for sentence in said):
            self._withdraw(one, said)
            return
        said = [sentence for sentence in said if not self._forgot(one, sentence)]
        on = one.at.date() if one.at else self._today
        before = [
            (topic.header.kind, f"{topic.header.description} {topic.body}")
            for topic in self._known
            if topic.header.kind
        ]
        before += [(candidate.kind, candidate.text) for candidate, _ in self._kept]
        found = findings(said, Setting(one.id, on, self._reply_to, before=tuple(before)))
        self._skipped += [(one.id, because) for because in found.skipped]
        for candidate in found.candidates:
            self._take(candidate, on)

    def _take(self, candidate: Candidate, on: date) -> None:
        """Keep a candidate in the place of what it corrects."""
        for at, (earlier, _) in enumerate(self._kept):
            if earlier.kind is candidate.kind and is_about(
                candidate.text, earlier.text, changes=candidate.changes
            ):
                self._skipped.append((earlier.message, "a later message says it otherwise"))
                self._kept[at] = (candidate, on)
                return
        self._kept.append((candidate, on))

    def _withdraw(self, one: Spoken, said: list[Sentence]) -> None:
        """Leave a message out that is not to be kept, and what it points back at."""
        self._skipped.append((one.id, "the person does not want it kept"))
        if any(_ALL.search(sentence.bare) for sentence in said):
            self._kept.clear()
        elif len(said) == 1 and len(words(said[0].bare)) <= 3 and self._kept:
            self._kept.pop()

    def _forgot(self, one: Spoken, sentence: Sentence) -> bool:
        """Note which memories a sentence asks to forget, and say whether it asks for that at all."""
        subject = unwanted_subject(sentence.bare)
        if subject is None:
            return False
        names = [name for name in forgotten(subject, self._known) if name not in self._forget]
        asked = words(subject)
        stays = [(candidate, on) for candidate, on in self._kept if held(asked, words(candidate.text)) < 0.5]
        if not names and len(stays) == len(self._kept):
            self._skipped.append((one.id, "nothing is known of what should be forgotten"))
        self._forget += names
        self._kept = stays
        return True


_ALL = re.compile(r"\b(?:any of (?:this|that|it)|anything|everything|what i (?:told|said))\b", re.IGNORECASE)
