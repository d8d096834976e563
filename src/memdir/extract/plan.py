"""What an extraction writes: planned, kept until it is done, and applied in one step, nothing twice.

A process may die between any two of these. Whoever looks at the conversation next finds the kept plan,
finishes it, and only then reads on.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from typing import Any

from memdir.conversation.cursors import Cursor, Cursors
from memdir.conversation.state import session_hash
from memdir.disk.files import make_folder, storage_errors, sweep
from memdir.errors import Conflict, HistoryError, MemdirError, Rejected
from memdir.extract.gate import JOB
from memdir.extract.result import Extracted
from memdir.inbox.proposals import Inbox, Proposal, apply_edits, draft_edits
from memdir.memories.change import Change
from memdir.memories.draft import complete, is_instructed, least_trusted, render_draft
from memdir.memories.enforce import holds_rule
from memdir.memories.names import slug
from memdir.memories.refusals import refuse_secrets
from memdir.memories.repetition import Echoes, is_echo
from memdir.memories.topic import Draft, Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

__all__ = ["VERB", "ExtractionPlan", "UnfinishedPlans", "plan_changes"]

VERB = "extract"
"""The verb of an extraction in the journal and the history."""

_UNSURE = "the person did not say it for certain"
_UNCONFIRMED = {
    "user": _UNSURE,
    "assistant": "it rests on what the assistant said; nobody confirmed it",
    "tool": "it rests on what a tool said; nobody confirmed it",
}
_RULED = "it would change a memory that holds a rule, which only the user does"
_LOOKED_BACK = 100
"""Operations among which one is looked for that was written shortly before a process died."""


@value_class(frozen=True, slots=True)
class ExtractionPlan:
    """The changes found in a piece of a conversation, and the cursor to set when they are written."""

    since: Cursor | None
    to: Cursor
    at: datetime
    """When it was decided, in whole seconds: with `by` it tells the operation that wrote it."""
    by: Provenance
    edits: tuple[Change, ...] = ()
    """What is changed in the memory directory, in one step."""
    proposals: tuple[Proposal, ...] = ()
    """What goes to the inbox."""


def plan_changes(
    found: Extracted, known: Sequence[Topic], writer: Writer, plan: ExtractionPlan
) -> tuple[Extracted, ExtractionPlan]:
    """Add the changes to a plan; return it with what is left of the drafts.

    What the store does not take is left out with the reason. `Conflict` when a memory came up meanwhile.
    """
    now = plan.at
    # No worker may loosen a rule that hosts are held to.
    held = [topic.header for topic in known if holds_rule(topic.text)]
    ruled = {header.name for header in held} | {header.file for header in held}
    found = replace(found, drafts=_with_unique_names(found.drafts, known))
    instructions = writer.instructions() if found.drafts else ()
    instructed = Echoes(instructions) if instructions else None
    for one in found.drafts:
        if because := _RULED if one.name in ruled else _problem(one, now, instructed):
            found = found.without(one, because)
    kept = [one for one in found.drafts if not one.inbox]
    reason = _reason(found.drafts, plan.by.session)
    by = replace(plan.by, source=least_trusted(one.source for one in kept), reason=reason)
    # Of two with one name the newest is found by it, the other by its file.
    named = {slug(topic.header.name): topic for topic in reversed(known)}
    named |= {slug(topic.header.file): topic for topic in known}
    unwanted = set(found.forget) - {one.name for one in kept} - ruled
    gone = [topic for topic in known if {topic.header.name, topic.header.file} & unwanted]
    edits = _edits(kept, named, writer, by, now)
    edits += [Change(topic.header.file, topic.text, None) for topic in gone]
    waiting = [edit for one in Inbox(writer.memories.state).proposals() for edit in one.edits]
    proposals = list[Proposal]()
    for one in [one for one in found.drafts if one.inbox]:
        new = tuple(_edits([one], named, writer, by, now))
        if {edit.file for edit in new} & {edit.file for edit in edits} or _is_waiting(one, waiting, now):
            found = found.without(one, "it waits in the inbox already")
            continue
        whose = replace(by, source=one.source, reason=_reason([one], by.session))
        proposals.append(Proposal(new, whose, _UNCONFIRMED[one.source], now))
        waiting += new
    left = replace(found, forget=tuple(topic.header.name for topic in gone))
    return left, replace(plan, by=by, edits=tuple(edits), proposals=tuple(proposals))


class UnfinishedPlans:
    """The plans of one memory directory that are not written yet, one for each conversation."""

    def __init__(self, writer: Writer) -> None:
        """Remember the places of the directory's records."""
        state = writer.memories.state
        self._writer, self._inbox, self.cursors = writer, Inbox(state), Cursors(state, JOB)
        self._path = os.path.join(state, "unfinished", JOB)

    def write(self, key: str, plan: ExtractionPlan) -> Extracted:
        """Write a plan: the memories, the inbox, the cursor; `Conflict` when a memory changed meanwhile."""
        if key and (plan.edits or plan.proposals):
            row = {name: getattr(plan, name) for name in ExtractionPlan.__match_args__}
            with storage_errors("Nothing was extracted"), make_folder(self._path) as folder:
                sweep(self._path)
                folder.write(f"{session_hash(key)}.json", json.dumps(row, default=_as_json).encode())
        try:
            return self._finish(key, plan, plan.edits)
        except (Conflict, Rejected):
            self._drop(key)
            raise

    def finish(self, key: str) -> Extracted | None:
        """Finish the plan of a process that died; None when there is none that can be finished."""
        plan, path = None, os.path.join(self._path, f"{session_hash(key)}.json")
        with suppress(OSError, ValueError, KeyError, TypeError), open(path, encoding="utf-8") as file:
            plan = _from_json(json.load(file))
        if plan is None:
            return None
        try:
            if self.cursors.of(key) == plan.since:
                return self._finish(key, plan, self._missing_edits(plan))
        except (Conflict, Rejected):
            pass  # somebody changed the same memories since: the messages are read again
        self._drop(key)
        return None

    def _finish(self, key: str, plan: ExtractionPlan, edits: Sequence[Change]) -> Extracted:
        done = apply_edits(self._writer, edits, plan.by, plan.at, verb=VERB) if edits else None
        ids = tuple(id_ for proposal in plan.proposals if (id_ := self._inbox.add(proposal)))
        if key:
            self.cursors.advance(key, plan.since, plan.to)
            self._drop(key)
        if done is None:
            return Extracted(inbox=ids)
        saved = tuple(self._writer.result_of(done.id, one) for one in done.changes if one.after)
        gone = tuple(one.file for one in done.changes if one.after is None)
        return Extracted(saved=saved, forgotten=gone, inbox=ids, operation=done.id)

    def _drop(self, key: str) -> None:
        """Remove a plan that is written, or that can no longer be."""
        if key and os.path.isdir(self._path):
            with (
                storage_errors("A kept result was not removed"),
                make_folder(self._path) as folder,
                suppress(FileNotFoundError),
            ):
                folder.remove(f"{session_hash(key)}.json")

    def _missing_edits(self, plan: ExtractionPlan) -> list[Change]:
        """Return the edits that were not acknowledged; a file that is in place already is recorded again."""
        recorder = self._writer.recorder
        done = [(one.verb, one.at, one.by) for one in recorder.pending()]
        with suppress(HistoryError):  # without history the texts themselves tell
            done += [(one.verb, one.at, one.by) for one in recorder.history.entries(limit=_LOOKED_BACK)]
        if (VERB, utc_stamp(plan.at), plan.by) in done:
            return []
        missing = list[Change]()
        for edit in plan.edits:
            version = self._writer.version_now(edit.file)
            text = version.text if version else None
            if edit.after is not None or text is not None:
                missing.append(replace(edit, before=text) if text == edit.after else edit)
        return missing


def _as_json(one: Cursor | Provenance | Change | Proposal | datetime) -> object:
    """Return the fields of a value in their order, and a moment as text."""
    return (
        one.isoformat() if isinstance(one, datetime) else [getattr(one, name) for name in one.__match_args__]
    )


def _from_json(row: dict[str, Any]) -> ExtractionPlan:
    def edits_in(rows: list[Any]) -> tuple[Change, ...]:
        return tuple(Change(*edit) for edit in rows)

    proposals = [
        Proposal(edits_in(edits), Provenance(*by), why, datetime.fromisoformat(at))
        for edits, by, why, at, *_ in row["proposals"]
    ]
    return ExtractionPlan(
        Cursor(*row["since"]) if row["since"] else None,
        Cursor(*row["to"]),
        datetime.fromisoformat(row["at"]),
        Provenance(*row["by"]),
        edits_in(row["edits"]),
        tuple(proposals),
    )


def _problem(one: Draft, now: datetime, instructed: Echoes | None) -> str:
    """Return why a draft is not saved: the instructions say it, or the store refuses it; else nothing."""
    if instructed and is_instructed(one.body, instructed):
        return "the instructions say this already"
    try:
        complete(one, now.date())
        refuse_secrets(f"{one.name}\n{one.description}\n{one.body}")
    except MemdirError as error:
        return str(error)
    return ""


def _with_unique_names(found: Sequence[Draft], known: Sequence[Topic]) -> tuple[Draft, ...]:
    """Return the drafts under different names: a name that is taken gets a number, a copy is left out."""
    used = {slug(name) for topic in known for name in (topic.header.name, topic.header.file)}
    used |= {slug(one.name) for one in found}
    unique: dict[str, Draft] = {}
    for one in found:
        name = slug(one.name)
        if name not in unique:
            unique[name] = one
        elif unique[name].body.strip() != one.body.strip():
            name = next(free for number in count(2) if (free := f"{name}-{number}") not in used)
            used.add(name)
            unique[name] = replace(one, name=name)
    return tuple(unique.values())


def _reason(drafts: Sequence[Draft], session: str) -> str:
    """Return where these were said, for a person who reads the history; of a UUID its beginning."""
    conversation, *said = (_UUID.sub(r"\1", one) for one in (session, *(one.message for one in drafts)))
    if not said:
        return ""
    ids, where = list(dict.fromkeys(said)), f" of conversation {conversation}" if session else ""
    return f"said in message{'s' * (len(ids) > 1)} {', '.join(ids[:_MOST_IDS])}{where}"


_UUID = re.compile(r"\A([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_MOST_IDS = 8


def _edits(
    drafts: Sequence[Draft], known: Mapping[str, Topic], writer: Writer, by: Provenance, now: datetime
) -> list[Change]:
    """Return drafts as texts of files: over the memory of that name as it was seen, or in a new file."""
    edits = draft_edits(writer, [one for one in drafts if slug(one.name) not in known], by, now)
    if seen := [edit.file for edit in edits if edit.before is not None]:
        raise Conflict(f"{', '.join(seen)} came up meanwhile. Nothing was written; do it again.")
    for one in drafts:
        if topic := known.get(slug(one.name)):
            draft = complete(replace(one, name=topic.header.name), now.date())
            text = render_draft(draft, replace(by, source=one.source), now, topic.text)
            edits.append(Change(topic.header.file, topic.text, text))
    return edits


def _is_waiting(one: Draft, waiting: Sequence[Change], now: datetime) -> bool:
    """Tell whether the inbox holds this: the same words, or the same in other words."""
    texts = [topic_from(edit.file, edit.after, now).body for edit in waiting if edit.after is not None]
    return any(one.body.strip() == text.strip() for text in texts) or is_echo(one.body, texts)
