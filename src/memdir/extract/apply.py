"""Writes what an extraction found: kept first, then saved in one step, then the cursor; nothing twice.

A process may die between any two of these. Whoever looks at the conversation next finds what was kept, does
the rest of it, and only then reads on.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from typing import Any

from memdir.conversation.cursors import Cursors
from memdir.conversation.state import session_hash
from memdir.conversation.transcripts import Cursor
from memdir.disk.files import make_folder, storage_errors, sweep
from memdir.errors import Conflict, HistoryError, MemdirError, Rejected
from memdir.extract.gate import JOB
from memdir.extract.heuristics.drafting import ExtractedDraft as Found
from memdir.extract.heuristics.extraction import UNREADABLE, Extraction
from memdir.inbox.proposals import Inbox, Proposal, apply_edits, draft_edits
from memdir.memories.change import Edit, Saved
from memdir.memories.draft import complete, is_instructed, least_trusted, render_draft
from memdir.memories.echo import Echoes, is_echo
from memdir.memories.enforce import holds_rule
from memdir.memories.names import slug
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Draft, Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

__all__ = ["VERB", "Extracted", "JobResult", "Shelf", "outlook"]

VERB = "extract"

_UNCONFIRMED = "it rests on what {source} said; nobody confirmed it"
_UNSURE = "the person did not say it for certain"
_LOOKED_BACK = 100
"""Operations among which one is looked for that was written shortly before a process died."""


@value_class(frozen=True, slots=True)
class Extracted:
    """The result of looking at one piece of a conversation."""

    drafts: tuple[Found, ...] = ()
    forget: tuple[str, ...] = ()
    """Names of memories to forget, or forgotten."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Ids of messages from which something was left out, with the reason."""
    method: str = ""
    """model or offline; empty when nobody looked."""
    because: str = ""
    """Why nobody looked; empty otherwise."""
    saved: tuple[Saved, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Files that are gone; undo brings them back."""
    inbox: tuple[str, ...] = ()
    """Ids of what waits for a person."""
    operation: str = ""
    """The one step that can be undone; empty when the directory is as it was."""

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Ids of messages that raised an error, each with its reason: another time they may be read."""
        return tuple(f"{one}: {because}" for one, because in self.skipped if because.startswith(UNREADABLE))

    @property
    def shape(self) -> dict[str, Any]:
        """Return what is found as one JSON object, the same with a model and without."""
        return {
            "drafts": [
                {
                    "kind": str(one.kind),
                    "name": one.name,
                    "description": one.description,
                    "body": one.body,
                    "source": one.source,
                    "message": one.message,
                    "inbox": one.inbox,
                }
                for one in self.drafts
            ],
            "forget": list(self.forget),
            "skipped": [{"message": message, "because": because} for message, because in self.skipped],
        }

    @property
    def line(self) -> str:
        """Return in one line what was written; empty when nothing was."""
        parts = [
            ("Memory saved", [saved.file for saved in self.saved]),
            ("Memory forgotten", self.forgotten),
            ("Waits in the inbox", self.inbox),
        ]
        return ". ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)

    def after(self, before: "Extracted") -> "Extracted":
        """Return this result together with what was written before it."""
        return replace(
            self,
            saved=before.saved + self.saved,
            forgotten=before.forgotten + self.forgotten,
            inbox=before.inbox + self.inbox,
            operation=self.operation or before.operation,
        )


@value_class(frozen=True, slots=True)
class JobResult:
    """The changes found in a piece of a conversation, and the cursor to set when they are written."""

    since: Cursor | None
    to: Cursor
    at: datetime
    """When it was decided, in whole seconds: with `by` it tells the operation that wrote it."""
    by: Provenance
    edits: tuple[Edit, ...] = ()
    """What is changed in the memory directory, in one step."""
    proposals: tuple[Proposal, ...] = ()
    """What goes to the inbox."""


def outlook(
    found: Extraction, known: Sequence[Topic], writer: Writer, result: JobResult
) -> tuple[Extraction, JobResult]:
    """Work out what would be written over these memories: what is left, and the result with its changes.

    What the store does not take is left out with the reason. `Conflict` when a memory came up meanwhile.
    """
    # No worker may loosen a rule that hosts are held to.
    held = [topic.header for topic in known if holds_rule(topic.text)]
    ruled = {header.name for header in held} | {header.file for header in held}
    told = _told_apart(found.drafts, known)
    instructions = writer.instructions() if told else ()
    instructed = Echoes(instructions) if instructions else None
    problems = [_RULED if one.name in ruled else _problem(one, result.at, instructed) for one in told]
    drafts = [one for one, why in zip(told, problems, strict=True) if not why]
    skipped = [*found.skipped, *((one.message, why) for one, why in zip(told, problems, strict=True) if why)]
    kept = [one for one in drafts if not one.inbox]
    source, reason = least_trusted(one.source for one in kept), _reason(drafts, result.by.session)
    by, now = replace(result.by, source=source, reason=reason), result.at
    # Where two have one name, the newest has it, and the other goes by its file.
    named = {slug(topic.header.name): topic for topic in reversed(known)}
    named |= {slug(topic.header.file): topic for topic in known}
    unwanted = set(found.forget) - {one.name for one in kept} - ruled
    gone = [topic for topic in known if {topic.header.name, topic.header.file} & unwanted]
    edits = _edits(kept, named, writer, by, now)
    edits += [Edit(topic.header.file, topic.text, None) for topic in gone]
    proposals, waiting = list[Proposal](), Inbox(writer.memories.state).proposals()
    for one in [one for one in drafts if one.inbox]:
        whose = replace(by, source=one.source, reason=_reason([one], by.session))
        because = _UNSURE if one.source == "user" else _UNCONFIRMED.format(source=_SPEAKERS[one.source])
        proposal = Proposal(tuple(_edits([one], named, writer, by, now)), whose, because, now)
        is_written = not {edit.file for edit in edits}.isdisjoint(proposal.files)
        if is_written or _is_in_inbox(proposal, one, [*waiting, *proposals]):
            drafts.remove(one)
            skipped.append((one.message, "it waits in the inbox already"))
        else:
            proposals.append(proposal)
    left = Extraction(tuple(drafts), tuple(topic.header.name for topic in gone), tuple(skipped))
    return left, replace(result, by=by, edits=tuple(edits), proposals=tuple(proposals))


class Shelf:
    """Where results of one memory directory are kept until they are written, one for each conversation."""

    def __init__(self, writer: Writer) -> None:
        """Remember the places of the directory's records."""
        state = writer.memories.state
        self._writer, self._inbox, self.cursors = writer, Inbox(state), Cursors(state, JOB)
        self._path = os.path.join(state, "unfinished", JOB)

    def write(self, key: str, result: JobResult) -> Extracted:
        """Write a result: the memories, the inbox, the cursor; `Conflict` when a memory changed meanwhile."""
        if key and (result.edits or result.proposals):
            row = {name: getattr(result, name) for name in JobResult.__match_args__}
            row["proposals"] = [(one.edits, one.by, one.because, one.at) for one in result.proposals]
            with storage_errors("Nothing was extracted"), make_folder(self._path) as folder:
                sweep(self._path)
                folder.write(f"{session_hash(key)}.json", json.dumps(row, default=_as_json).encode())
        try:
            return self._finish(key, result, result.edits)
        except (Conflict, Rejected):
            self._drop(key)
            raise

    def finish(self, key: str) -> Extracted | None:
        """Do the rest of what a process that died had decided; None when there is nothing left of that."""
        result, path = None, os.path.join(self._path, f"{session_hash(key)}.json")
        with suppress(OSError, ValueError, KeyError, TypeError), open(path, encoding="utf-8") as file:
            result = _from_json(json.load(file))
        if result is None:
            return None
        try:
            if self.cursors.of(key) == result.since:
                return self._finish(key, result, self._missing(result))
        except (Conflict, Rejected):
            pass  # somebody changed the same memories since: the messages are read again
        self._drop(key)
        return None

    def _finish(self, key: str, result: JobResult, edits: Sequence[Edit]) -> Extracted:
        done = apply_edits(self._writer, edits, result.by, result.at, verb=VERB) if edits else None
        ids = tuple(id_ for proposal in result.proposals if (id_ := self._inbox.add(proposal)))
        if key:
            self.cursors.advance(key, result.since, result.to)
            self._drop(key)
        if done is None:
            return Extracted(inbox=ids)
        saved = tuple(self._writer.result_of(done.id, one) for one in done.changes if one.after)
        gone = tuple(one.file for one in done.changes if one.after is None)
        return Extracted(saved=saved, forgotten=gone, inbox=ids, operation=done.id)

    def _drop(self, key: str) -> None:
        """Remove a result that is written, or that can no longer be."""
        if key and os.path.isdir(self._path):
            with (
                storage_errors("A kept result was not removed"),
                make_folder(self._path) as folder,
                suppress(FileNotFoundError),
            ):
                folder.remove(f"{session_hash(key)}.json")

    def _missing(self, result: JobResult) -> list[Edit]:
        """Return the edits that were not acknowledged; a file that is in place already is recorded again."""
        recorder = self._writer.recorder
        done = [(one.verb, one.at, one.by) for one in recorder.pending()]
        with suppress(HistoryError):  # without history the texts themselves tell
            done += [(one.verb, one.at, one.by) for one in recorder.history.entries(limit=_LOOKED_BACK)]
        if (VERB, utc_stamp(result.at), result.by) in done:
            return []
        present = {edit.file: self._writer.version_now(edit.file) for edit in result.edits}
        texts = {file: version.text if version else None for file, version in present.items()}
        left = [edit for edit in result.edits if edit.after is not None or texts[edit.file] is not None]
        return [replace(edit, before=edit.after) if texts[edit.file] == edit.after else edit for edit in left]


def _as_json(one: Cursor | Provenance | Edit | datetime) -> object:
    """Return the fields of a value in their order, and a moment as text."""
    return (
        one.isoformat() if isinstance(one, datetime) else [getattr(one, name) for name in one.__match_args__]
    )


def _from_json(row: dict[str, Any]) -> JobResult:
    proposals = [
        Proposal(tuple(Edit(*edit) for edit in edits), Provenance(*by), why, datetime.fromisoformat(at))
        for edits, by, why, at in row["proposals"]
    ]
    return JobResult(
        Cursor(*row["since"]) if row["since"] else None,
        Cursor(*row["to"]),
        datetime.fromisoformat(row["at"]),
        Provenance(*row["by"]),
        tuple(Edit(*edit) for edit in row["edits"]),
        tuple(proposals),
    )


def _draft(one: Found) -> Draft:
    return Draft(one.body, one.kind, one.name, one.description, source=one.source, literal=True)


def _problem(one: Found, now: datetime, instructed: Echoes | None) -> str:
    """Return why a draft is not saved: the instructions say it, or the store refuses it; else nothing."""
    if instructed and is_instructed(one.body, instructed):
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
    """Return where these were said, for a person who reads the history; of a UUID its beginning."""
    conversation, *said = (_UUID.sub(r"\1", one) for one in (session, *(one.message for one in drafts)))
    if not said:
        return ""
    ids, where = list(dict.fromkeys(said)), f" of conversation {conversation}" if session else ""
    return f"said in message{'s' * (len(ids) > 1)} {', '.join(ids[:_MOST_IDS])}{where}"


_UUID = re.compile(r"\A([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
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
