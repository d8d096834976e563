"""What saving drafts writes: over the memory of the name, or in a new file; nothing takes another's place."""

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
from memdir.memories.directory import refuse_unread, unread
from memdir.memories.draft import Intake, refuse_secrets
from memdir.memories.draft_text import body_text, rendered_draft
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.names import file_name, key_problem, slug
from memdir.memories.replacement import replacement
from memdir.memories.topic import Provenance
from memdir.memories.update import says_the_same, updated
from memdir.memories.write.change import Write
from memdir.memories.write.plans import refuse_rule, replaced
from memdir.memories.write.used_names import TakenNames
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
    intakes: Sequence[Intake]
    by: Provenance
    now: datetime
    allow_secret: bool = False
    done: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The file of each draft and what is to be said about it, in order, once the plan was made."""

    def __call__(self, folder: Folder) -> list[Write]:
        """Return the texts to write."""
        self.done.clear()
        named = {intake.draft.name for intake in self.intakes}
        named |= {
            slug(name) for intake in self.intakes for name in intake.draft.supersedes.split(",") if name
        }
        _look_again(self.catalog, folder, named)
        batch = _Batch(self.catalog, folder, {i.draft.name for i in self.intakes if i.named})
        for intake in self.intakes:
            target = batch.target(intake)
            if target.file not in batch.writes:
                target = self._written(batch, target)
            self.done.append((target.file, target.intake.warnings))
        return [*batch.writes.values(), *(Write(file, None) for file in batch.replaced)]

    def _written(self, batch: "_Batch", target: "_Target") -> "_Target":
        file, intake, previous = target.file, target.intake, target.previous
        refuse_rule(self.by, file, previous or "")
        if previous is not None:
            intake = updated(intake, previous, self.now.date())
        draft = replace(intake.draft, supersedes=batch.superseded(intake.draft.supersedes, file))
        saved_ns = _nanoseconds(draft.saved_at)
        whose = replace(self.by, source=draft.source or self.by.source)
        text = rendered_draft(draft, whose, self.now, previous)
        if not self.allow_secret:
            refuse_secrets(text)
        batch.add(Write(file, text, saved_ns), target.intake)
        return replace(target, intake=intake)


@value_class(frozen=True, slots=True)
class _Target:
    """Where a draft goes, and the text that stands there until now."""

    file: str
    intake: Intake
    previous: str | None = None


class _Batch:
    """The drafts of one step: none takes the place of another."""

    def __init__(self, catalog: Catalog, folder: Folder, chosen: set[str]) -> None:
        self._catalog, self._folder, self._chosen = catalog, folder, chosen
        self._taken = TakenNames(catalog)
        self._by_name: dict[str, tuple[str, Intake]] = {}
        self.writes: dict[str, Write] = {}
        self.replaced: dict[str, None] = {}
        """The files whose place a draft takes: they go to the trash in the same step."""

    def superseded(self, names: str, file: str) -> str:
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
            self.replaced[old] = None
        return ", ".join(told)

    def add(self, write: Write, intake: Intake) -> None:
        """Take in what is to be written for a draft."""
        self.writes[write.file] = write
        self._by_name[intake.draft.name] = write.file, intake
        self._taken.add(write.file.casefold())

    def target(self, intake: Intake) -> _Target:
        """Choose the file of a draft, and the text it replaces if the name is in use."""
        if not intake.named:
            return self._free(intake)
        name = intake.draft.name
        if name in self._by_name:
            file, other = self._by_name[name]
            _refuse_two(other, intake)
            return _Target(file, intake)
        if existing := self._catalog.file_named(name):
            version = replaced(self._folder, self._catalog, existing)
            if version is not None:
                return _Target(existing, intake, version.text)
        if (item := unread(self._catalog, name)) and self._folder.exists(item.file):
            refuse_unread(self._catalog, self._folder.path, name)
        return self._new(intake)

    def _free(self, intake: Intake) -> _Target:
        """Return the memory that says the same under a name made from this text, or a new one."""
        body, wished = body_text(intake.draft), intake.draft.name
        for number in count(1):
            name = wished if number == 1 else f"{wished}-{number}"
            file, other = self._by_name.get(name, ("", intake))
            if file and _says_the_same(other, intake):
                return _Target(file, intake)
            if file or name in self._chosen or unread(self._catalog, name):
                continue
            named = self._catalog.files_named(name)
            for one in named:
                version = version_on_disk(self._folder, one)
                if version is not None and says_the_same(version.text, body):
                    return _Target(one, _renamed(intake, name), version.text)
            if not named:
                break
        return self._new(_renamed(intake, name))

    def _new(self, intake: Intake) -> _Target:
        file = file_name(str(intake.draft.kind), intake.draft.name, self._taken)
        if problem := key_problem(file):
            raise Rejected(f"{file!r} cannot be a memory file: {problem}.")
        return _Target(file, intake)


def _says_the_same(one: Intake, other: Intake) -> bool:
    """Tell whether two drafts differ in nothing but what they are called."""
    return replace(one.draft, name="", title="") == replace(other.draft, name="", title="")


def _refuse_two(one: Intake, other: Intake) -> None:
    """Raise when two drafts of one step have one name and do not say the same."""
    if not _says_the_same(one, other):
        said = " and ".join(f"{item.given.body.strip()[:40]!r}" for item in (one, other))
        raise Rejected(
            f"Two of these are called {one.draft.name!r}: {said}. Nothing was saved. Give one of them "
            "another name, or make one text of both."
        )


def _renamed(intake: Intake, name: str) -> Intake:
    return replace(intake, draft=replace(intake.draft, name=name))


def _look_again(catalog: Catalog, folder: Folder, names: set[str]) -> None:
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
