"""The edits that save drafts: each updates the memory of its name or makes a new file."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from time import monotonic

from memdir.disk.files import Folder
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.catalog.row import signature_of
from memdir.memories.change import Edit, version_on_disk
from memdir.memories.directory import refuse_unread, unread_file
from memdir.memories.draft_text import body_text, render_draft, says_the_same, update_draft
from memdir.memories.names import file_name, key_problem, replacement, slug
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Draft, Provenance
from memdir.memories.write.plans import UsedNames, refuse_rule, removal, replaced_version
from memdir.text.value import replace, value_class

__all__ = ["SavePlan"]

_EPOCH, _END = datetime.fromtimestamp(0, UTC), datetime(2262, 1, 1, tzinfo=UTC)

_FEW, _BURST_SECONDS = 200, 1.0
"""Looking at so few files costs next to nothing beside a save; at more, a burst of saves looks once a second
whether someone gave one of them a new name."""


@dataclass(slots=True)
class SavePlan:
    """Finds for each draft the file it updates or makes, and the text that then stands there."""

    catalog: Catalog
    drafts: Sequence[Draft]
    """With nothing left open."""
    by: Provenance
    now: datetime
    allow_secret: bool = False
    done: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The file of each draft and what is to be said about it, in order, once the plan was made."""

    def __call__(self, folder: Folder) -> list[Edit]:
        """Return the texts to write."""
        self.done.clear()
        names = {draft.name for draft in self.drafts}
        names |= {slug(name) for draft in self.drafts for name in draft.supersedes.split(",") if name}
        _refresh_if_stale(self.catalog, folder, names)
        batch = _Batch(self.catalog, folder, {one.name for one in self.drafts if "name" not in one.filled})
        for draft in self.drafts:
            target = batch.target(draft)
            if target.file not in batch.edits:
                target = self._edit(batch, target)
            self.done.append((target.file, target.draft.hints))
        return [*batch.edits.values(), *(removal(folder, self.catalog, file) for file in batch.superseded)]

    def _edit(self, batch: "_Batch", target: "_Target") -> "_Target":
        file, draft, previous = target.file, target.draft, target.previous
        refuse_rule(self.by, file, previous or "")
        if previous is not None:
            draft = update_draft(draft, previous, self.now.date())
        saved_ns = _nanoseconds(draft.saved_at)
        signed = replace(draft, supersedes=batch.supersede(draft.supersedes, file))
        by = replace(self.by, source=draft.source or self.by.source)
        text = render_draft(signed, by, self.now, previous)
        if not self.allow_secret:
            refuse_secrets(text)
        batch.add(Edit(file, previous, text, saved_ns), target.draft)
        return replace(target, draft=draft)


@value_class(frozen=True, slots=True)
class _Target:
    """Where a draft goes, and the text that stands there until now."""

    file: str
    draft: Draft
    previous: str | None = None


class _Batch:
    """The drafts of one step: none takes the place of another."""

    def __init__(self, catalog: Catalog, folder: Folder, chosen: set[str]) -> None:
        self._catalog, self._folder, self._chosen = catalog, folder, chosen
        self._used = UsedNames(catalog)
        self._by_name: dict[str, tuple[str, Draft]] = {}
        self.edits: dict[str, Edit] = {}
        self.superseded: dict[str, None] = {}
        """The files whose place a draft takes: they go to the trash in the same step."""

    def supersede(self, names: str, file: str) -> str:
        """Return which memories a draft replaces, each with its day, and note that they go."""
        told = []
        for name in filter(None, map(str.strip, names.split(","))):
            old = self._catalog.file_named(slug(name)) or (name if name in self._catalog else None)
            header = self._catalog.header(old) if old is not None else None
            if old is None or header is None:
                raise NoSuchMemory(f"There is no memory {name!r} to replace. `memdir list` shows all names.")
            if old == file:
                raise Rejected(f"{name!r} cannot replace itself. Save the new text under its name instead.")
            told.append(replacement(header.name, header.saved_at.date()))
            self.superseded[old] = None
        return ", ".join(told)

    def add(self, edit: Edit, draft: Draft) -> None:
        """Take in what is to be written for a draft."""
        self.edits[edit.file] = edit
        self._by_name[draft.name] = edit.file, draft
        self._used.add(edit.file.casefold())

    def target(self, draft: Draft) -> _Target:
        """Choose the file of a draft, and the text it replaces if the name is in use."""
        if "name" in draft.filled:
            return self._free(draft)
        name = draft.name
        if name in self._by_name:
            file, other = self._by_name[name]
            _refuse_two(other, draft)
            return _Target(file, draft)
        if existing := self._catalog.file_named(name):
            version = replaced_version(self._folder, self._catalog, existing)
            if version is not None:
                return _Target(existing, draft, version.text)
        if (item := unread_file(self._catalog, name)) and self._folder.exists(item.file):
            refuse_unread(self._catalog, self._folder.path, name)
        return self._new(draft)

    def _free(self, draft: Draft) -> _Target:
        """Return the memory that says the same under a name made from this text, or a new one."""
        body, wished = body_text(draft), draft.name
        for number in count(1):
            name = wished if number == 1 else f"{wished}-{number}"
            file, other = self._by_name.get(name, ("", draft))
            if file and _says_the_same(other, draft):
                return _Target(file, draft)
            if file or name in self._chosen or unread_file(self._catalog, name):
                continue
            named = self._catalog.files_named(name)
            for one in named:
                version = version_on_disk(self._folder, one)
                if version is not None and says_the_same(version.text, body):
                    return _Target(one, _renamed(draft, name), version.text)
            if not named:
                break
        return self._new(_renamed(draft, name))

    def _new(self, draft: Draft) -> _Target:
        file = file_name(str(draft.kind), draft.name, self._used)
        if problem := key_problem(file):
            raise Rejected(f"{file!r} cannot be a memory file: {problem}.")
        return _Target(file, draft)


def _says_the_same(one: Draft, other: Draft) -> bool:
    """Tell whether two drafts differ in nothing but what they are called."""
    one, other = (replace(draft, name="", title="", hints=(), filled=frozenset()) for draft in (one, other))
    return one == other


def _refuse_two(one: Draft, other: Draft) -> None:
    """Raise when two drafts of one step have one name and do not say the same."""
    if not _says_the_same(one, other):
        said = " and ".join(f"{item.body.strip()[:40]!r}" for item in (one, other))
        raise Rejected(
            f"Two of these are called {one.name!r}: {said}. Nothing was saved. Give one of them "
            "another name, or make one text of both."
        )


def _renamed(draft: Draft, name: str) -> Draft:
    return replace(draft, name=name)


def _refresh_if_stale(catalog: Catalog, folder: Folder, names: set[str]) -> None:
    """Look at every file anew where another memory than the catalog says may have one of the names now."""
    files = [catalog.file_named(name) for name in names] if len(catalog) else []
    rested = len(catalog) <= _FEW or monotonic() - catalog.refreshed_at >= _BURST_SECONDS
    if any(not _is_as_seen(catalog, folder, file) if file else rested for file in files):
        catalog.refresh(folder)


def _is_as_seen(catalog: Catalog, folder: Folder, file: str) -> bool:
    try:
        holder, name = folder.holder(file)
        return signature_of(holder.at(os.lstat, name)) == catalog.signature(file)
    except OSError:
        return False


def _nanoseconds(moment: datetime | None) -> int | None:
    """Return a time as files keep it; one without a zone is taken as UTC, as in the header."""
    if moment is None:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not _EPOCH <= moment < _END:
        raise Rejected(f"saved_at is {moment}, a time that files do not keep. Give one from 1970 to 2261.")
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000
