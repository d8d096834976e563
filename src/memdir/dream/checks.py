"""The checks of a dream: its draft becomes a patch, with all that speaks against applying it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import datetime

from memdir.dream.inputs import DreamContext, DreamDraft, DreamInput, sources_of
from memdir.dream.ledger import LOST, LossLedger, build_ledger
from memdir.dream.marks import lost_marks, marks_of
from memdir.dream.patch import Patch
from memdir.dream.sources import Sources
from memdir.dream.statements import statements
from memdir.memories.change import Change
from memdir.memories.contradiction.judge import contradicts_itself
from memdir.memories.topic import MAX_DESCRIPTION, Header, Provenance, header_from
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.edits import with_values
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace

__all__ = ["build_patch"]

_FREE = frozenset({"title", "type", "expires", "supersedes", "verified"})
"""Keys under metadata that a dream may set or change, some of them only if a person agrees."""
_TRUSTED = ("enforce", "pinned")
"""Keys that count only in a text that was written through memdir."""
_DECIDING = ("expires", "supersedes", *_TRUSTED)
"""Keys that only a person sets or changes. Signing an edit puts a missing one back."""


def build_patch(
    draft: DreamDraft, inputs: DreamInput, context: DreamContext, texts: Mapping[str, str], by: Provenance
) -> Patch:
    """Sign the edits of a draft and check them against all texts there are.

    A new memory that is made up becomes a proposal of its own, unless the draft moves statements into it.
    """
    sources = sources_of(texts, inputs, context)
    drafted = [edit for edit in draft.edits if edit.verb != "nothing"]
    signed = [edit if edit.file in inputs.protected else _sign(edit, by, context.now) for edit in drafted]
    named = {fate.into for fate in draft.fates.values()}
    made_up = [edit for edit in signed if edit.before is None and not _is_sourced(edit, sources)]
    alone = [edit for edit in made_up if edit.file not in named]
    edits = tuple(edit for edit in signed if edit not in alone)
    changed = {edit.file for edit in edits}
    after = {file: text for file, text in texts.items() if file not in changed}
    after |= {edit.file: edit.after for edit in edits if edit.after is not None}
    before = {edit.file: edit.before for edit in edits if edit.before is not None}
    ledger = build_ledger(before, after, draft.fates, sources)
    against = [*_objections(edits, ledger, sources, inputs.protected, context.max_deletes)]
    for edit in drafted:
        if edit.file in changed:
            against += _header_objections(edit, by.source, sources)
    whole = [(edits, f"A dream did not pass its checks. {' '.join(against)}")] if against else []
    apart = [((edit,), f"{edit.file} rests on no memory and no log.") for edit in alone]
    holders = {entry.into for entry in ledger.entries if entry.into} - changed
    relied_on = tuple(Change(file, after[file], after[file]) for file in sorted(holders))
    return Patch(edits, ledger, tuple(against), (*whole, *apart, *draft.proposals), relied_on)


def _sign(edit: Change, by: Provenance, now: datetime) -> Change:
    """Return an edit of an unprotected file with a header that claims no more than is true."""
    if edit.after is None:
        return edit
    old, new = parse(edit.before or ""), parse(edit.after)
    was, claimed, when = old.metadata, new.metadata, utc_stamp(now)
    values: dict[str, str | None] = {}
    if "name" in old.fields and "name" not in new.fields:
        values["name"] = old.fields["name"]
    for key in [*was, *claimed]:
        is_free = key in _FREE and key in claimed
        if not is_free and claimed.get(key) != was.get(key):
            values[f"metadata.{key}"] = was.get(key)
    values |= {"metadata.source": by.source, "metadata.actor": by.actor, "metadata.method": by.method or None}
    values["metadata.modified"] = when
    if "created" not in was:
        values["metadata.created"] = when
    # The old text only claimed them, as it is not protected: in bytes that we write they would count.
    values |= {f"metadata.{key}": None for key in _TRUSTED}
    return replace(edit, after=with_values(edit.after, values))


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
    removed = {edit.file for edit in edits if edit.after is None} | set(ledger.emptied)
    if len(removed) > max_deletes:
        yield f"{len(removed)} memories would go, and {max_deletes} is the most (dream.maxDeletes)."
    for edit in edits:
        was, about = (_header(edit.file, text).description for text in (edit.before, edit.after))
        if len(about) > MAX_DESCRIPTION and about != was:
            yield f"{edit.file} has a description of {len(about)} characters; {MAX_DESCRIPTION} is the most."
    yield from _contradictions(edits)
    for edit in edits:
        if _is_sourced(edit, sources):
            continue
        is_new = edit.before is None
        problem = "rests on nothing that was known" if is_new else "would say what no memory and no log says"
        yield f"{edit.file} {problem}."


def _contradictions(edits: Sequence[Change]) -> Iterator[str]:
    """Object to a memory that contradicts itself, unless one of the old texts did so already."""
    if any(_contradiction(edit.before) for edit in edits):
        return
    for edit in edits:
        if because := _contradiction(edit.after):
            yield f"{edit.file} would say two things that may contradict each other ({because})."


def _contradiction(text: str | None) -> str:
    return contradicts_itself(text[parse(text).body :]) if text else ""


def _is_sourced(edit: Change, sources: Sources) -> bool:
    """Tell whether all that an edit adds was known before."""
    known = {one.key for one in statements(edit.file, edit.before or "")}
    new = [one for one in statements(edit.file, edit.after or "") if one.key not in known]
    return all(sources.supports(one.text, one.marks) for one in new)


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
    before, after = _header(edit.file, edit.before), _header(edit.file, edit.after)
    if new.get("name") and after.name != before.name:
        yield f"{edit.file} would be named {after.name[:80]!r} instead of {before.name[:80]!r}."
    if new.get("type") and after.kind != before.kind:
        yield f"{edit.file} would be of type {new['type'][:80]!r} instead of {before.kind or 'none'}."
    yield from _description_objections(before, after, sources)


def _description_objections(before: Header, after: Header, sources: Sources) -> Iterator[str]:
    old, new = marks_of(before.description), marks_of(after.description)
    is_newer = 2 * len(new.marks) >= len(old.marks) and sources.say(new)  # any line says a lone word
    if before.description == after.description or is_newer:
        return
    if missing := lost_marks(old, new):
        yield f"The description of {before.file} would differ in {', '.join(missing[:5])}."
    elif not sources.supports(after.description, new):
        yield f"The description of {before.file} would say what no memory and no log says."


def _header(file: str, text: str | None) -> Header:
    return header_from(file, text or "")


def _values(text: str) -> dict[str, str]:
    """Return all keys of a header with their values."""
    front = parse(text)
    return {key: value.strip() for key, value in (front.metadata | front.fields).items()}
