"""Finds in a conversation what is worth a memory: what the tagger marks, and what the person asks to keep."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.credentials import CREDENTIAL, gives_credential, holds_credential
from memdir.extract.heuristics.drafting import CHANGE, compare_with_known, finish_draft, is_about
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
from memdir.extract.result import UNREADABLE, Extracted
from memdir.extract.tagger import Tag, Tagger
from memdir.memories.proposed_names import propose_kind
from memdir.memories.refusals import derivable_hint
from memdir.memories.repetition import Echoes
from memdir.memories.topic import Draft, Kind, Topic
from memdir.resources import alternatives_of, read_table
from memdir.text.similarity import share_held, words
from memdir.text.value import replace, value_class

__all__ = ["Judge", "extract"]

MAX_SENTENCES = 100
"""Sentences of a message that are looked at: the tagger takes some 30 ms for each."""
ABOUT_IT = 0.5
"""Share of a withdrawal's words that a draft must contain to be the one that is withdrawn."""
JOINED = 0.2
"""Least probability to be worth keeping with which a neighbour joins a marked sentence."""
FOLLOWS = 0.5
"""Least probability of it to belong to the same memory."""
HOLLOW = 1
"""Telling words: with no more, a sentence means little without what it answers or what stands around it."""


@value_class(frozen=True, slots=True)
class Judge:
    """The tagger, where there is one, and how sure it must be."""

    tagger: Tagger | None = None
    save: float = 0.93
    """From this on a memory is saved."""
    inbox: float = 0.45
    """From this on it waits in the inbox."""


def extract(
    spoken: Sequence[Spoken],
    known: Sequence[Topic],
    today: date,
    *,
    judge: Judge,
    literal: bool = False,
) -> Extracted:
    """Return what of a conversation to keep and what to forget; `today` counts for undated messages.

    A person who only repeats what was recalled says nothing new.
    """
    reader = _MessageReader(known, today, judge)
    for one in spoken:
        try:
            reader.take_message(one)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one message costs no other
            reader.skip(one.id, f"{UNREADABLE} ({type(error).__name__})")
    found = reader.result(literal=literal)
    if recalled := [one.text for one in spoken if one.recalled]:
        echoes = Echoes(recalled)
        for draft in found.drafts:
            if echoes.repeats(draft.body.partition("\n\n")[0], typed=True):
                found = found.without(draft, "it repeats what was recalled")
    return found


class _MessageReader:
    """Reads a conversation from its start and keeps what is found in it."""

    def __init__(self, known: Sequence[Topic], today: date, judge: Judge) -> None:
        self._known, self._today, self._judge = known, today, judge
        self._kept: list[tuple[Draft, bool, date]] = []
        """Unfinished drafts, each with whether it says that something changed, and the day of its message."""
        self._forget: list[str] = []
        self._skipped: dict[tuple[str, str], None] = {}
        self._reply_to = self._last_prompt = ""

    def take_message(self, one: Spoken) -> None:
        """Take in the next message; only a person's own words are searched."""
        if one.recalled:
            self.skip(one.id, "it was put there from memory")
        elif one.role == "user":
            self._search(one)
        elif one.role == "assistant":
            self._reply_to = one.text or self._reply_to
        elif _INSTRUCTS.search(one.text[:_RESULT_LOOKED_AT]):
            self.skip(one.id, "what a tool gave back is not followed")

    def skip(self, message: str, because: str) -> None:
        """Note what was left out, each reason once for a message."""
        self._skipped[message, because] = None

    def result(self, *, literal: bool) -> Extracted:
        """Return the finished drafts that say more than the known memories."""
        left = [topic for topic in self._known if self._kept and topic.header.name not in self._forget]
        known = [(topic, words(full_text(topic))) for topic in left]
        drafts: dict[str, Draft] = {}
        for unfinished, changes, on in self._kept:
            try:
                draft = finish_draft(unfinished, on, literal=literal)
                made = compare_with_known(draft, known, changes=changes)
                if isinstance(made, Draft) and holds_credential(f"{made.name}\n{made.body}"):
                    made = CREDENTIAL
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one sentence costs no other
                made = f"{UNREADABLE} ({type(error).__name__})"
            if isinstance(made, str):
                self.skip(unfinished.message, made)
            elif made.name in drafts:
                self.skip(unfinished.message, "another message gives a memory of the same name")
            else:
                drafts[made.name] = made
        return Extracted(tuple(drafts.values()), tuple(self._forget), tuple(self._skipped))

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
        self._reply_to, self._last_prompt = "", one.id

    def _find(self, one: Spoken, said: list[Sentence]) -> None:
        """Keep the drafts that sentences of a message give, each in the place of what it corrects."""
        said = [sentence for sentence in said if not self._note_withdrawals(one, sentence)]
        answered = answered_sentence(self._reply_to) if self._reply_to else ""
        said = [_with_request(said, at, answered) for at in range(len(said))]
        secret = [sentence for sentence in said if gives_credential(sentence, self._reply_to)]
        if secret:
            self.skip(one.id, CREDENTIAL)
        english, judge = is_english(" ".join(sentence.text for sentence in said)), self._judge
        tags = judge.tagger.tags([sentence.text for sentence in said], self._reply_to) if judge.tagger else []
        found = list[tuple[Draft, bool]]()
        for part in _passages(said, tags, judge.inbox):
            if any(sentence in secret for sentence in said[part]):
                continue
            draft = _draft(said[part], tags[part], answered, judge, english=english)
            if draft and (derivable_hint(draft.body) or _IN_PROJECT.search(draft.body)):
                self.skip(one.id, "the project itself shows it")
            elif draft:
                found.append((draft, any(CHANGE.search(sentence.bare) for sentence in said[part])))
        for draft, changes in found:
            corrected = (
                at
                for at, (earlier, _, _) in enumerate(self._kept)
                if earlier.kind is draft.kind and is_about(draft.body, earlier.body, changes=changes)
            )
            if (at := next(corrected, len(self._kept))) < len(self._kept):
                self.skip(self._kept[at][0].message, "a later message says it otherwise")
            on = one.at.date() if one.at else self._today
            self._kept[at : at + 1] = [(replace(draft, message=one.id), changes, on)]

    def _sentences_to_keep(self, one: Spoken, said: list[Sentence]) -> list[Sentence]:
        """Return the sentences that may be kept; where one refuses something, only requests beside it."""
        refused = [at for at, sentence in enumerate(said) if UNWANTED.search(sentence.bare)]
        if not refused:
            return said
        self.skip(one.id, "the person does not want it kept")
        subject = refused_subject(said[refused[0]].bare)
        if subject:
            self._drop(lambda draft: share_held(subject, words(draft.body)) >= ABOUT_IT)
            return [sentence for sentence in said if _is_request(sentence)]
        if any(_ALL.search(said[at].bare) for at in refused):
            self._drop(lambda _: True)
        elif not any(tells(sentence.bare) for sentence in said[: refused[0]]):
            self._take_back({draft.message for draft, _, _ in self._kept})
        return [sentence for sentence in said[refused[0] + 1 :] if _is_request(sentence)]

    def _take_back(self, messages: set[str]) -> None:
        """Drop the last draft that came from one of these messages."""
        given = [draft for draft, _, _ in self._kept if draft.message in messages]
        self._drop(lambda draft: draft in given[-1:])

    def _drop(self, is_meant: Callable[[Draft], bool]) -> bool:
        """Drop the earlier drafts that are meant, and tell whether there was any."""
        dropped = [draft for draft, _, _ in self._kept if is_meant(draft)]
        self._kept = [kept for kept in self._kept if kept[0] not in dropped]
        for draft in dropped:
            self.skip(draft.message, "a later message takes it back")
        return bool(dropped)

    def _note_withdrawals(self, one: Spoken, sentence: Sentence) -> bool:
        """Note which memories a sentence asks to forget, and say whether it asks for that at all."""
        subject = unwanted_subject(sentence.bare)
        if subject is None:
            return False
        names = [name for name in forgotten(subject, self._known) if name not in self._forget]
        asked = words(subject)
        dropped = self._drop(lambda draft: share_held(asked, words(draft.body)) >= ABOUT_IT)
        if not (names or dropped):
            self.skip(one.id, "nothing is known of what should be forgotten")
        self._forget += names
        return True


def _is_request(sentence: Sentence) -> bool:
    """Tell whether a sentence clearly asks to keep something, whatever stands beside it."""
    if UNWANTED.search(sentence.bare):
        return False
    request = request_in(sentence.text, sentence.bare)
    return request is not None and request[1]


_ALL = re.compile(r"\b(?:any of (?:this|that|it)|anything|everything|what i (?:told|said))\b", re.IGNORECASE)

_RESULT_LOOKED_AT = 16_000
"""Characters of a result that are looked at."""

_P = alternatives_of(read_table(__file__, "extraction.txt"))
_INSTRUCTS = re.compile(_P["instructs"], re.IGNORECASE | re.MULTILINE)
_IN_PROJECT = re.compile(_P["in the project"], re.IGNORECASE)


def _with_request(said: Sequence[Sentence], at: int, answered: str) -> Sentence:
    """Return a sentence with what it asks to keep, and whether it is asked for, and clearly.

    The next sentence may ask for it; a mere yes asks for what it answers.
    """
    one, following = said[at], said[at + 1].bare if at + 1 < len(said) else ""
    points_back = POINTS_BACK.fullmatch(one.bare) is not None
    request = None if points_back else request_in(one.text, one.bare)
    matter, firm = ("", False) if points_back else request or (one.text, False)
    accepted = at == 0 and (points_back or bool(answered and accepts(one.bare, answered)))
    if accepted or POINTS_BACK.fullmatch(following):
        return replace(one, matter=matter, asked=True, firm=True)
    return replace(one, matter=matter, asked=request is not None, firm=firm)


def _passages(said: Sequence[Sentence], tags: Sequence[Tag], least: float) -> Iterator[slice]:
    """Yield where neighbouring sentences lie that belong to one memory, each marked or asked for."""
    if not tags:
        yield from (slice(at, at + 1) for at, one in enumerate(said) if one.firm)
        return
    joins = [_joins(said, tags, at) for at in range(len(said))]
    # A request begins a memory of its own.
    follows = [tag.follows >= FOLLOWS and not one.asked for tag, one in zip(tags, said, strict=True)]
    done = 0
    for at, one in enumerate(said):
        if at >= done and (one.firm or tags[at].keep >= least):
            start, stop = at, at + 1
            while start > done and joins[start - 1] and follows[start]:
                start -= 1
            while stop < len(said) and joins[stop] and follows[stop]:
                stop += 1
            done = stop
            yield slice(start, stop)


def _joins(said: Sequence[Sentence], tags: Sequence[Tag], at: int) -> bool:
    """Tell whether a sentence may belong to a marked one beside it: no question, but any mere "ever."."""
    if said[at].text.endswith(("?", "\uff1f")):
        return False
    between = 0 < at < len(said) - 1 and len(words(said[at].text)) <= HOLLOW
    beside = min(tags[at - 1].keep, tags[at + 1].keep) if between else 0.0
    return max(tags[at].keep, beside) >= JOINED


def _draft(
    passage: Sequence[Sentence], tags: Sequence[Tag], answered: str, judge: Judge, *, english: bool
) -> Draft | None:
    """Return what a passage becomes; None when it is not worth it, or says nothing and answers nothing.

    What a person clearly asks to keep is saved; what is not in English only if it is asked for: the tagger
    knows English best.
    """
    save, inbox, certainty = judge.save, judge.inbox, max((tag.keep for tag in tags), default=1.0)
    asked, firm = any(one.asked for one in passage), any(one.firm for one in passage)
    if not asked and certainty < (inbox if english else inbox + (save - inbox) / 3):
        return None
    needed = (save + inbox) / 2 if asked and english else save
    is_sure = firm or ((english or asked) and certainty >= needed)
    text, source = " ".join(one.matter for one in passage if one.matter), "user"
    if tags:
        kind = max(Kind, key=lambda kind: sum(tag.kinds[kind] for tag in tags))
    else:
        kind = propose_kind(" ".join(one.text for one in passage))
    telling, bare = len(words(text)), " ".join(one.bare for one in passage)
    accepted = asked and bool(answered) and accepts(bare, answered)
    if not telling or accepted:
        # The words are the assistant's: they are saved only if the person said yes to an offer to keep them.
        text, source, is_sure = matter_of(answered) or answered.rstrip("?"), "assistant", accepted
        kind = Kind.REFERENCE if propose_kind(text) is Kind.REFERENCE else Kind.PROJECT
    elif telling <= HOLLOW and kind is Kind.FEEDBACK and answered:
        text = f'{text.rstrip(". ")} (to: "{answered}")'
    return Draft(text, kind, source=source, inbox=not is_sure) if text else None
