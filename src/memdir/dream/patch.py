"""A dream as a patch: what would change, what becomes of every statement, and what speaks against it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from memdir.dream.checks import Rules, inventions, objections
from memdir.dream.ledger import Fate, Ledger, ledger_of
from memdir.dream.sources import Sources
from memdir.memories.topic import Provenance
from memdir.text.frontmatter.header import parse, with_value
from memdir.text.value import replace, value_class
from memdir.workers.workbench import Wish

__all__ = ["Patch", "patch_of", "signed"]


@value_class(frozen=True, slots=True)
class Patch:
    """All of it as a value: nothing was written yet."""

    wishes: tuple[Wish, ...] = ()
    """What is to be applied in one step."""
    invented: tuple[Wish, ...] = ()
    """New memories that rest on nothing known: each is for a person to decide."""
    ledger: Ledger = Ledger()
    objections: tuple[str, ...] = ()
    relied_on: Mapping[str, str] | None = None
    """Unchanged files that hold statements which are kept by them, with their texts."""


def patch_of(
    wishes: Sequence[Wish],
    told: Mapping[str, Fate],
    present: Mapping[str, str],
    sources: Sources,
    rules: Rules,
) -> Patch:
    """Check the wishes against all texts there are; those that rest on nothing are set apart."""
    wishes = [wish for wish in wishes if wish.verb != "nothing"]
    named = {fate.into for fate in told.values()}
    apart = [wish for wish in inventions(wishes, sources) if wish.file not in named]
    rest = tuple(wish for wish in wishes if wish not in apart)
    before = {wish.file: wish.was for wish in rest if wish.was is not None}
    after = _after(present, rest)
    ledger = ledger_of(before, after, told, sources)
    changed = {wish.file for wish in rest}
    relied = {entry.into for entry in ledger.entries if entry.into and entry.into not in changed}
    against = objections(rest, ledger, rules, sources)
    against += [f"{wish.file} rests on nothing that was known." for wish in inventions(rest, sources)]
    return Patch(rest, tuple(apart), ledger, tuple(against), {file: after[file] for file in sorted(relied)})


def signed(wish: Wish, by: Provenance, now: datetime) -> Wish:
    """Return a wish for an unprotected file with a header that claims no more than is true."""
    if wish.text is None or wish.verb == "nothing":
        return wish
    old, text = parse(wish.was or ""), wish.text
    was, new = old.metadata, parse(text).metadata
    if "name" in old.fields and "name" not in parse(text).fields:
        text = with_value(text, "name", old.fields["name"])
    for key in {*was, *new} - _FREE | was.keys() - new.keys():
        if new.get(key) != was.get(key):
            text = with_value(text, f"metadata.{key}", was.get(key))
    when = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    traces = {"source": by.source, "actor": by.actor, "method": by.method, "modified": when}
    if "created" not in was:
        traces["created"] = when
    for key, value in traces.items():
        text = with_value(text, f"metadata.{key}", value or None)
    for key in _TRUSTED:
        if key in was:  # only claimed: once we write these bytes, it would count
            text = with_value(text, f"metadata.{key}", None)
    return replace(wish, text=text)


_FREE = frozenset({"title", "type", "expires", "supersedes", "verified"})
"""Keys under metadata that a dream may set or change, some of them only if a person agrees."""
_TRUSTED = ("pinned", "enforce")


def _after(present: Mapping[str, str], wishes: Iterable[Wish]) -> dict[str, str]:
    changed = {wish.file: wish.text for wish in wishes}
    kept = {file: text for file, text in present.items() if file not in changed}
    return kept | {file: text for file, text in changed.items() if text is not None}
