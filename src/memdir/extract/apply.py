"""Writes what an extraction found: kept first, then saved in one step, then the cursor; nothing twice.

A process may die between any two of these. Whoever looks at the conversation next finds what was kept, does
the rest of it, and only then reads on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count

from memdir.conversation.cursors import Cursors
from memdir.conversation.messages import Spoken
from memdir.errors import Conflict, HistoryError, MemdirError, Rejected
from memdir.extract.gate import JOB
from memdir.extract.heuristics.drafting import ExtractedDraft as Found
from memdir.extract.heuristics.extraction import Extraction
from memdir.inbox.proposals import Inbox, Proposal, apply_edits, draft_edits
from memdir.memories.change import Edit, Operation
from memdir.memories.draft import complete, is_instructed, least_trusted, render_draft
from memdir.memories.echo import Echoes, is_echo
from memdir.memories.enforce import holds_rule
from memdir.memories.history.history import HistoryEntry
from memdir.memories.history.recorder import Recorder
from memdir.memories.names import slug
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Draft, Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class
from memdir.workers.results import JobResult, ResultStore

__all__ = ["VERB", "Outlook", "Shelf", "Written", "outlook", "without_taken_back"]

VERB = "extract"

_UNCONFIRMED = "it rests on what {source} said; nobody confirmed it"
_UNSURE = "the person did not say it for certain"
_LOOKED_BACK = 100
"""Operations among which one is looked for that was written shortly before a process died."""


@value_class(frozen=True, slots=True)
class Outlook:
    """What would be written, exactly."""

    drafts: tuple[Found, ...]
    forget: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    edits: tuple[Edit, ...]
    proposals: tuple[Proposal, ...]
    by: Provenance
    at: datetime


@value_class(frozen=True, slots=True)
class Written:
    """What was written: one operation, if the memory directory changed, and what waits in the inbox."""

    operation: Operation | None = None
    inbox: tuple[str, ...] = ()


def outlook(
    found: Extraction, known: Sequence[Topic], writer: Writer, by: Provenance, now: datetime
) -> Outlook:
    """Work out what a result would write over the memories that it was held against.

    What the store does not take is left out with the reason. `Conflict` when a memory came up meanwhile.
    """
    # No worker may loosen a rule that hosts are held to.
    held = [topic.header for topic in known if holds_rule(topic.text)]
    ruled = {header.name for header in held} | {header.file for header in held}
    told = _told_apart(found.drafts, known)
    instructed = Echoes(writer.instructions() if told else ())
    problems = [_RULED if one.name in ruled else _problem(one, now, instructed) for one in told]
    drafts = [one for one, why in zip(told, problems, strict=True) if not why]
    skipped = [*found.skipped, *((one.message, why) for one, why in zip(told, problems, strict=True) if why)]
    kept = [one for one in drafts if not one.inbox]
    by = replace(by, source=least_trusted(one.source for one in kept), reason=_reason(drafts, by.session))
    # Where two have one name, the newest has it, and the other goes by its file.
    named = {slug(topic.header.name): topic for topic in reversed(known)}
    named |= {slug(topic.header.file): topic for topic in known}
    unwanted = set(found.forget) - {one.name for one in kept} - ruled
    gone = [topic for topic in known if {topic.header.name, topic.header.file} & unwanted]
    edits = [
        *_edits(kept, named, writer, by, now),
        *(Edit(topic.header.file, topic.text, None) for topic in gone),
    ]
    proposals, waiting = list[Proposal](), Inbox(writer.memories.state).proposals()
    for one in [one for one in drafts if one.inbox]:
        whose = replace(by, source=one.source, reason=_reason([one], by.session))
        because = _UNSURE if one.source == "user" else _UNCONFIRMED.format(source=_SPEAKERS[one.source])
        proposal = Proposal(tuple(_edits([one], named, writer, by, now)), whose, because, now)
        if _is_in_inbox(proposal, one, [*waiting, *proposals]) or {edit.file for edit in edits} & set(
            proposal.files
        ):
            drafts.remove(one)
            skipped.append((one.message, "it waits in the inbox already"))
        else:
            proposals.append(proposal)
    forget = tuple(topic.header.name for topic in gone)
    return Outlook(tuple(drafts), forget, tuple(skipped), tuple(edits), tuple(proposals), by, now)


class Shelf:
    """Where results of one memory directory are kept until they are written."""

    def __init__(self, writer: Writer) -> None:
        """Remember the places of the directory's records."""
        state = writer.memories.state
        self._writer, self._inbox = writer, Inbox(state)
        self.cursors, self._unfinished = Cursors(state, JOB), ResultStore(state, JOB)

    def write(self, key: str, result: JobResult) -> Written:
        """Write a result: the memories, the inbox, the cursor; `Conflict` when a memory changed meanwhile."""
        if key and (result.edits or result.proposals):
            self._unfinished.keep(key, result)
        try:
            return self._finish(key, result, result.edits)
        except (Conflict, Rejected):
            if key:
                self._unfinished.drop(key)
            raise

    def finish(self, key: str) -> Written | None:
        """Do the rest of what a process that died had decided; None when there is nothing left of that."""
        result = self._unfinished.of(key) if key else None
        if result is None:
            return None
        try:
            if self.cursors.of(key) == result.since:
                return self._finish(key, result, self._missing(result))
        except (Conflict, Rejected):
            pass  # somebody changed the same memories since: the messages are read again
        self._unfinished.drop(key)
        return None

    def _finish(self, key: str, result: JobResult, edits: Sequence[Edit]) -> Written:
        operation = apply_edits(self._writer, edits, result.by, result.at, verb=VERB) if edits else None
        ids = tuple(id_ for proposal in result.proposals if (id_ := self._inbox.add(proposal)))
        if key:
            self.cursors.advance(key, result.since, result.to)
            self._unfinished.drop(key)
        return Written(operation, ids)

    def _missing(self, result: JobResult) -> list[Edit]:
        """Return the edits that were not acknowledged; a file that is in place already is recorded again."""
        if self._is_acknowledged(result):
            return []
        present = {edit.file: self._writer.version_now(edit.file) for edit in result.edits}
        texts = {file: version.text if version else None for file, version in present.items()}
        left = [edit for edit in result.edits if edit.after is not None or texts[edit.file] is not None]
        return [replace(edit, before=edit.after) if texts[edit.file] == edit.after else edit for edit in left]

    def _is_acknowledged(self, result: JobResult) -> bool:
        at = utc_stamp(result.at)
        recorder = self._writer.recorder
        done = [(one.verb, one.at, one.by) for one in recorder.pending()]
        with suppress(HistoryError):  # without history the texts themselves tell
            done += [(one.verb, one.at, one.by) for one in recorder.history.entries(limit=_LOOKED_BACK)]
        return (VERB, at, result.by) in done


def _draft(one: Found) -> Draft:
    return Draft(one.body, one.kind, one.name, one.description, source=one.source, literal=True)


def _problem(one: Found, now: datetime, instructed: Echoes) -> str:
    """Return why a draft is not saved: the instructions say it, or the store refuses it; else nothing."""
    if is_instructed(one.body, instructed):
        return "the instructions say this already"
    try:
        complete(_draft(one), now.date())
        refuse_secrets(f"{one.name}\n{one.description}\n{one.body}")
    except MemdirError as error:
        return str(error)
    return ""


def _told_apart(found: Sequence[Found], known: Sequence[Topic]) -> list[Found]:
    """Return drafts of which no two have one name: of those that say the same one is enough."""
    used = {slug(name) for topic in known for name in (topic.header.name, topic.header.file)}
    used |= {slug(one.name) for one in found}
    apart: dict[str, Found] = {}
    for one in found:
        name = slug(one.name)
        if name not in apart:
            apart[name] = one
        elif apart[name].body.strip() != one.body.strip():
            name = next(free for number in count(2) if (free := f"{name}-{number}") not in used)
            used.add(name)
            apart[name] = replace(one, name=name)
    return list(apart.values())


def _reason(drafts: Sequence[Found], session: str) -> str:
    """Return where these were said, for a person who reads the history."""
    ids = list(dict.fromkeys(_short(one.message) for one in drafts))
    if not ids:
        return ""
    where = f" of conversation {_short(session)}" if session else ""
    return f"said in message{'s' * (len(ids) > 1)} {', '.join(ids[:_MOST_IDS])}{where}"


def _short(known_as: str) -> str:
    """Return an id as people read it: of a UUID its beginning."""
    return known_as[:8] if _UUID.fullmatch(known_as) else known_as


_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


_MOST_IDS = 8
_RULED = "it would change a memory that holds a rule, which only the user does"


def _edits(
    drafts: Sequence[Found], known: Mapping[str, Topic], writer: Writer, by: Provenance, now: datetime
) -> list[Edit]:
    """Return drafts as texts of files: over the memory of that name as it was seen, or in a new file."""
    new = [_draft(one) for one in drafts if slug(one.name) not in known]
    edits = draft_edits(writer, new, by, now)
    if seen := [edit.file for edit in edits if edit.before is not None]:
        raise Conflict(f"{', '.join(seen)} came up meanwhile. Nothing was written; do it again.")
    for one in drafts:
        if topic := known.get(slug(one.name)):
            draft = complete(_draft(replace(one, name=topic.header.name)), now.date())
            text = render_draft(draft, replace(by, source=one.source), now, topic.text)
            edits.append(Edit(topic.header.file, topic.text, text))
    return edits


_SPEAKERS = {"assistant": "the assistant", "tool": "a tool"}


def _is_in_inbox(proposal: Proposal, one: Found, waiting: Sequence[Proposal]) -> bool:
    """Tell whether the inbox holds this: the same file and words, or the same in other words."""
    texts = [
        topic_from(edit.file, edit.after, proposal.at).body
        for known in waiting
        for edit in known.edits
        if edit.after is not None
    ]
    return any(one.body.strip() == text.strip() for text in texts) or is_echo(one.body, texts)


_MOST = 40
"""Changes that were taken back whose texts are read, the newest ones."""


@value_class(frozen=True, slots=True)
class _TakenBack:
    """A text that was a memory until a person took it back."""

    body: str
    at: datetime


def without_taken_back(
    found: Extraction, heard: Sequence[Spoken], recorder: Recorder, now: datetime
) -> Extraction:
    """Leave out drafts that say what was undone or forgotten after their message; said again, it counts.

    A message without a time counts as said before: `remember` saves what a person wants after all.
    """
    if not found.drafts:
        return found
    times = {one.id: one.at for one in heard}
    gone: list[_TakenBack] = []
    with suppress(HistoryError):  # without history nobody knows what was taken back
        gone = recorder.ask_history(now, lambda: list(_taken_back(recorder)))
    away = list[Found]()
    for one in found.drafts if gone else ():
        lead = one.body.partition("\n\n")[0].strip()
        texts = [it.body for it in gone if (times.get(one.message) or it.at) <= it.at]
        if any(lead == text.partition("\n\n")[0].strip() for text in texts) or is_echo(lead, texts):
            away.append(one)
    reasons = [(one.message, "it was saved once and taken back") for one in away]
    return replace(
        found,
        drafts=tuple(one for one in found.drafts if one not in away),
        skipped=(*found.skipped, *reasons),
    )


def _taken_back(recorder: Recorder) -> Iterator[_TakenBack]:
    """Yield the texts of extractions that were undone, and of memories that a person forgot."""
    undone: dict[str, str] = {}
    taken: list[tuple[HistoryEntry | Operation, str]] = []
    # Newest first, and what is not in history yet before it: an undo that was undone takes nothing back.
    every: list[HistoryEntry | Operation] = [
        *reversed(recorder.pending()),
        *recorder.history.entries(),
    ]
    for done in every:
        if done.id in undone:
            taken += [(done, undone[done.id])] if done.verb == "extract" else []
        elif done.undoes:
            undone[done.undoes] = done.at
        elif done.verb == "forget" and done.by.actor != "extractor":
            taken.append((done, done.at))
    for done, at in taken[:_MOST]:
        operation = done if isinstance(done, Operation) else recorder.history.operation(done)
        for change in operation.changes:
            text = change.text_before if done.verb == "forget" else change.text_after
            if text is not None:
                moment = datetime.fromisoformat(at)
                yield _TakenBack(topic_from(change.file, text, moment).body, moment)
