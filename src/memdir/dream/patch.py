"""A dream as a patch: what would change, what becomes of every statement, and what speaks against it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memdir.dream.checks import Rules, inventions, objections
from memdir.dream.ledger import Fate, Ledger, ledger_of
from memdir.dream.sources import Sources
from memdir.memories.change import Edit
from memdir.memories.topic import Provenance
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.header import parse, with_value
from memdir.text.value import replace, value_class

__all__ = ["Patch", "patch_of", "signed"]


@value_class(frozen=True, slots=True)
class Patch:
    """All of it as a value: nothing was written yet."""

    edits: tuple[Edit, ...] = ()
    """What is to be applied in one step."""
    invented: tuple[Edit, ...] = ()
    """New memories that rest on nothing known: each is for a person to decide."""
    ledger: Ledger = Ledger()
    objections: tuple[str, ...] = ()
    relied_on: Mapping[str, str] | None = None
    """Unchanged files that hold statements which are kept by them, with their texts."""


def patch_of(
    edits: Sequence[Edit],
    told: Mapping[str, Fate],
    present: Mapping[str, str],
    sources: Sources,
    rules: Rules,
) -> Patch:
    """Check the edits against all texts there are; those that rest on nothing are set apart."""
    edits = [edit for edit in edits if edit.verb != "nothing"]
    named = {fate.into for fate in told.values()}
    apart = [edit for edit in inventions(edits, sources) if edit.file not in named]
    rest = tuple(edit for edit in edits if edit not in apart)
    before = {edit.file: edit.before for edit in rest if edit.before is not None}
    after = _after(present, rest)
    ledger = ledger_of(before, after, told, sources)
    changed = {edit.file for edit in rest}
    relied = {entry.into for entry in ledger.entries if entry.into and entry.into not in changed}
    against = objections(rest, ledger, rules, sources)
    against += [f"{edit.file} rests on nothing that was known." for edit in inventions(rest, sources)]
    return Patch(rest, tuple(apart), ledger, tuple(against), {file: after[file] for file in sorted(relied)})


def signed(edit: Edit, by: Provenance, now: datetime) -> Edit:
    """Return a edit for an unprotected file with a header that claims no more than is true."""
    if edit.after is None or edit.verb == "nothing":
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


_FREE = frozenset({"title", "type", "expires", "supersedes", "verified"})
"""Keys under metadata that a dream may set or change, some of them only if a person agrees."""
_TRUSTED = ("pinned", "enforce")


def _after(present: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    changed = {edit.file: edit.after for edit in edits}
    kept = {file: text for file, text in present.items() if file not in changed}
    return kept | {file: text for file, text in changed.items() if text is not None}
