"""The patch of a dream: what would change, checked, and put in place in one step that can be undone.

A dream that is stopped while it writes leaves a record, by which the next one takes its part back.
"""

import json
import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.disk.files import make_folder
from memdir.dream.ledger import LOST, LossLedger, build_ledger
from memdir.dream.material import DreamContext, DreamDraft, Material, sources_of
from memdir.dream.statements import EPOCH, Sources, lost_marks, marks_of, statements
from memdir.errors import Conflict, HistoryError
from memdir.memories.change import Change
from memdir.memories.contradiction.judge import contradicts_itself
from memdir.memories.review import MAX_DESCRIPTION
from memdir.memories.topic import Header, Provenance, header_from
from memdir.memories.writer import Writer
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace, value_class
from memdir.workers.workbench import edit_plan

__all__ = ["Patch", "apply_patch", "build_patch", "repair_torn_patch"]

_RECORD = "dream.patch"
"""The texts before and after of a patch that is being put in place, in the state folder."""


@value_class(frozen=True, slots=True)
class Patch:
    """The checked changes of a dream, before anything is written."""

    edits: tuple[Change, ...] = ()
    """What is to be applied in one step."""
    ledger: LossLedger = LossLedger()
    objections: tuple[str, ...] = ()
    """What speaks against applying it: then all of it is for a person to decide."""
    proposals: tuple[tuple[tuple[Change, ...], str], ...] = ()
    """Changes for a person to decide, each with the reason."""
    relied_on: tuple[Change, ...] = ()
    """Unchanged files that hold statements which the edits remove elsewhere."""


def build_patch(
    draft: DreamDraft, material: Material, context: DreamContext, texts: Mapping[str, str], by: Provenance
) -> Patch:
    """Sign the edits of a draft and check them against all texts there are; inventions are set apart."""
    sources = sources_of(texts, material, context)
    edits = [
        edit if edit.file in material.protected else _sign(edit, by, context.now)
        for edit in draft.edits
        if edit.verb != "nothing"
    ]
    named = {fate.into for fate in draft.fates.values()}
    apart = [edit for edit in _inventions(edits, sources) if edit.file not in named]
    rest = tuple(edit for edit in edits if edit not in apart)
    changes = {edit.file: edit.after for edit in rest}
    after = {file: text for file, text in texts.items() if file not in changes}
    after |= {file: text for file, text in changes.items() if text is not None}
    before = {edit.file: edit.before for edit in rest if edit.before is not None}
    ledger = build_ledger(before, after, draft.fates, sources)
    relied = {entry.into for entry in ledger.entries if entry.into and entry.into not in changes}
    against = [
        *_objections(rest, ledger, sources, material.protected, context.max_deletes),
        *(f"{edit.file} rests on nothing that was known." for edit in _inventions(rest, sources)),
        *(
            said
            for edit in draft.edits
            if edit.file in changes
            for said in _header_objections(edit, by.source, sources)
        ),
    ]
    whole = [(rest, f"A dream did not pass its checks. {' '.join(against)}")] if against else []
    invented = [((edit,), f"{edit.file} rests on no memory and no log.") for edit in apart]
    unchanged = tuple(Change(file, after[file], after[file]) for file in sorted(relied))
    return Patch(rest, ledger, tuple(against), (*whole, *invented, *draft.proposals), unchanged)


def _sign(edit: Change, by: Provenance, now: datetime) -> Change:
    """Return an edit of an unprotected file with a header that claims no more than is true."""
    if edit.after is None:
        return edit
    old, text = parse(edit.before or ""), edit.after
    was, new = old.metadata, parse(text).metadata
    if "name" in old.fields and "name" not in parse(text).fields:
        text = with_value(text, "name", old.fields["name"])
    for key in {*was, *new} - _FREE | was.keys() - new.keys():
        if new.get(key) != was.get(key):
            text = with_value(text, f"metadata.{key}", was.get(key))
    when = utc_stamp(now)
    traces = {"source": by.source, "actor": by.actor, "method": by.method, "modified": when}
    if "created" not in was:
        traces["created"] = when
    for key, value in traces.items():
        text = with_value(text, f"metadata.{key}", value or None)
    for key in _TRUSTED:
        if key in was:  # only claimed: once we write these bytes, it would count
            text = with_value(text, f"metadata.{key}", None)
    return replace(edit, after=text)


def apply_patch(writer: Writer, patch: Patch, by: Provenance, now: datetime) -> str:
    """Write all of a patch if every file is as the dream saw it, else `Conflict`; return the operation."""
    state = writer.memories.state
    rows = [[edit.file, edit.before, edit.after] for edit in patch.edits]
    with make_folder(state) as folder:
        folder.write(_RECORD, json.dumps(rows).encode())
    try:
        plan = edit_plan([*patch.edits, *patch.relied_on])
        operation = writer.apply("dream", by, now, plan)[0].id
    except Conflict:
        _drop_record(state)  # found before anything was put in place
        raise
    except BaseException:
        repair_torn_patch(writer, now)
        raise
    _drop_record(state)
    return operation


def repair_torn_patch(writer: Writer, now: datetime) -> bool:
    """Undo the part of a patch that an interrupted dream wrote; tell whether there was one."""
    rows = _record(writer.memories.state)
    if not rows:
        return False
    versions = {file: writer.version_now(file) for file, _, _ in rows}
    texts = {file: version.text if version else None for file, version in versions.items()}
    put = [row for row in rows if texts[row[0]] == row[2]]
    new = [row for row in put if row[2] is not None or not _was_forgotten(writer, row[0])]
    torn = bool(new) and len(put) < len(rows)
    if torn:
        by = Provenance("dream", "assistant", "", "", "a dream was interrupted while it was applied")
        back = [Change(file, after, before) for file, before, after in new]
        writer.apply("recover", by, now, edit_plan(back))
    _drop_record(writer.memories.state)
    return torn


_FREE = frozenset({"title", "type", "expires", "supersedes", "verified"})
"""Keys under metadata that a dream may set or change, some of them only if a person agrees."""
_TRUSTED = ("pinned", "enforce")


def _record(state: str) -> list[tuple[str, str | None, str | None]]:
    with suppress(OSError, ValueError, TypeError), open(os.path.join(state, _RECORD), "rb") as file:
        return [(str(name), before, after) for name, before, after in json.loads(file.read())]
    return []


def _drop_record(state: str) -> None:
    with make_folder(state) as folder, suppress(FileNotFoundError):
        folder.remove(_RECORD)


def _was_forgotten(writer: Writer, file: str) -> bool:
    """Tell whether an operation removed the file: a dream that was stopped leaves none."""
    for operation in reversed(writer.recorder.pending()):
        for change in operation.changes:
            if change.file == file:
                return change.after is None
    try:
        newest = writer.recorder.history.entries(file=file, limit=1)
    except HistoryError:
        return False
    return any(not entry.mark(file).sha for entry in newest)


_DECIDING = ("expires", "supersedes", "enforce", "pinned")
"""Keys that only a person sets or changes. Signing an edit puts a missing one back."""


def _objections(
    edits: Sequence[Change], ledger: LossLedger, sources: Sources, protected: Container[str], max_deletes: int
) -> Iterator[str]:
    """Yield what speaks against a patch, each as a sentence; nothing when it may be applied."""
    for edit in edits:
        if edit.file in protected:
            yield f"{edit.file} is pinned or holds rules, and would be changed."
    if lost := ledger.of(LOST):
        first = lost[0]
        count = "1 statement is" if len(lost) == 1 else f"{len(lost)} statements are"
        yield f"{count} unaccounted for, such as {first.statement.text[:120]!r} ({first.because})."
    removed = {edit.file for edit in edits if edit.verb == "forget"} | set(ledger.emptied)
    if len(removed) > max_deletes:
        yield f"{len(removed)} memories would go, and {max_deletes} is the most (dream.maxDeletes)."
    for edit in edits:
        about, was = (
            header_from(edit.file, text or "", EPOCH).description for text in (edit.after, edit.before)
        )
        if len(about) > MAX_DESCRIPTION and about != was:
            yield f"{edit.file} has a description of {len(about)} characters; {MAX_DESCRIPTION} is the most."
    yield from _contradictions(edits)
    for edit in edits:
        if edit.verb == "edit" and not _rests_on(edit, sources):
            yield f"{edit.file} would say what no memory and no log says."


def _inventions(edits: Sequence[Change], sources: Sources) -> list[Change]:
    """Return the new memories that rest on nothing that was known."""
    return [edit for edit in edits if edit.before is None and not _rests_on(edit, sources)]


def _header_objections(edit: Change, source: str, sources: Sources) -> Iterator[str]:
    """Yield what speaks against the header of a text before it is signed with this source."""
    if edit.after is None:
        return
    was, new = _values(edit.before or ""), _values(edit.after)
    for key in _DECIDING:
        if new.get(key) and new[key] != was.get(key, ""):
            yield f"{edit.file} would have its {key} set to {new[key][:80]!r}."
    if edit.before is None:
        return
    if new.get("source", source) not in (source, was.get("source")):
        yield f"{edit.file} would claim {new['source'][:80]!r} as its source."
    before, after = (header_from(edit.file, text, EPOCH) for text in (edit.before, edit.after))
    if new.get("name") and after.name != before.name:
        yield f"{edit.file} would be named {after.name[:80]!r} instead of {before.name[:80]!r}."
    if new.get("type") and after.kind != before.kind:
        yield f"{edit.file} would be of type {new['type'][:80]!r} instead of {before.kind or 'none'}."
    yield from _description(before, after, sources)


def _rests_on(edit: Change, sources: Sources) -> bool:
    before = {one.key for one in statements(edit.file, edit.before or "")}
    new = [one for one in statements(edit.file, edit.after or "") if one.key not in before]
    return all(sources.supports(one.text, one.marks) for one in new)


def _contradictions(edits: Sequence[Change]) -> Iterator[str]:
    """Object to a memory that contradicts itself, unless one of the old texts did so already."""
    befores = [edit.before for edit in edits if edit.before]
    if any(contradicts_itself(text[parse(text).body :]) for text in befores):
        return
    for edit in edits:
        if edit.after and (because := contradicts_itself(edit.after[parse(edit.after).body :])):
            yield f"{edit.file} would say two things that may contradict each other ({because})."


def _description(before: Header, after: Header, sources: Sources) -> Iterator[str]:
    old, new = marks_of(before.description), marks_of(after.description)
    newer = 2 * len(new.marks) >= len(old.marks) and sources.say(new)  # a lone word is said by any line
    if before.description == after.description or newer:
        return
    if missing := lost_marks(old, new):
        yield f"The description of {before.file} would differ in {', '.join(missing[:5])}."
    elif not sources.supports(after.description, new):
        yield f"The description of {before.file} would say what no memory and no log says."


def _values(text: str) -> dict[str, str]:
    front = parse(text)
    return {key: value.strip() for key, value in (front.metadata | front.fields).items()}
