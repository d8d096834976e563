"""What each verb wants written, decided under the lock when the names are up to date."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from time import monotonic

from memdir.core.frontmatter import parse, with_value
from memdir.core.intake import Intake, refuse_secrets
from memdir.core.names import file_name, key_problem, slug
from memdir.core.topic import Draft, Provenance, rendered_draft, topic_from
from memdir.core.value import replace
from memdir.errors import Conflict, NoSuchMemory, Rejected
from memdir.store.catalog import Catalog
from memdir.store.catalog_entry import signature_of
from memdir.store.files import MAX_FILE_BYTES, Folder
from memdir.store.history import encoded
from memdir.store.journal import Version
from memdir.store.memory_dir import MemoryDir
from memdir.store.odd_bytes import with_bytes_kept
from memdir.store.outside import version_on_disk
from memdir.store.write import Write

__all__ = [
    "Plan",
    "SavePlan",
    "edit_plan",
    "forget_plan",
    "free_name",
    "refuse_rule",
    "rename_plan",
    "replaced",
]

Plan = Callable[[Folder], Sequence[Write]]

_EPOCH, _END = datetime.fromtimestamp(0, UTC), datetime(2262, 1, 1, tzinfo=UTC)

_FEW, _BURST_SECONDS = 200, 1.0
"""Looking at so few files costs next to nothing beside a save; at more, a burst of saves looks once a second
whether someone gave one of them a new name."""


@dataclass(slots=True)
class SavePlan:
    """Finds for each draft the file it updates or makes; two drafts of one name become one file."""

    catalog: Catalog
    intakes: Sequence[Intake]
    by: Provenance
    now: datetime
    allow_secret: bool = False
    files: list[str] = field(default_factory=list)
    """The file of each draft, in order, once the plan was made."""

    def __call__(self, folder: Folder) -> list[Write]:
        """Return the texts to write."""
        planned: dict[str, Write] = {}
        by_name: dict[str, str] = {}
        taken = _Taken(self.catalog)
        self.files.clear()
        _look_again(self.catalog, folder, {intake.draft.name for intake in self.intakes})
        for intake in self.intakes:
            earlier = by_name.get(intake.draft.name) if intake.named else None
            if earlier is not None:
                file, previous = earlier, planned[earlier].text
            else:
                file, previous = self._target(folder, intake, taken)
                refuse_rule(self.by, file, previous or "")
            saved_ns = _nanoseconds(intake.draft.saved_at)
            source = intake.draft.source or self.by.source
            whose = self.by if source == self.by.source else replace(self.by, source=source)
            text = rendered_draft(intake.draft, whose, self.now, previous)
            if not self.allow_secret:
                refuse_secrets(text)
            planned[file] = Write(file, text, saved_ns)
            by_name[intake.draft.name] = file
            taken.add(file.casefold())
            self.files.append(file)
        return list(planned.values())

    def _target(self, folder: Folder, intake: Intake, taken: "_Taken") -> tuple[str, str | None]:
        """Choose the file of a draft, and the text it replaces if the name is in use."""
        draft = intake.draft
        existing = self.catalog.file_named(draft.name)
        if existing is not None:
            version = replaced(folder, self.catalog, existing)
            if version is not None and (intake.named or _says_the_same(version.text, draft)):
                return existing, version.text
        file = file_name(str(draft.kind), draft.name, taken)
        if problem := key_problem(file):
            raise Rejected(f"{file!r} cannot be a memory file: {problem}.")
        return file, None


class _Taken:
    """File names that a new file cannot have: those of the catalog, which is not copied, and further ones."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog, self._more = catalog, set[str]()

    def __contains__(self, name: object) -> bool:
        return name in self._catalog.folded() or name in self._more

    def add(self, name: str) -> None:
        self._more.add(name)


def edit_plan(file: str, text: str, expected: str) -> Plan:
    """Replace a whole file if it still holds the expected text."""

    def plan(folder: Folder) -> list[Write]:
        version = version_on_disk(folder, file)
        if version is None or encoded(version.text).decode("utf-8", "replace") != expected:
            raise Conflict(
                f"{file} was changed by someone else meanwhile. Nothing was written; read it again."
            )
        return [Write(file, with_bytes_kept(file, text, version.text))]

    return plan


def forget_plan(memories: MemoryDir, name: str) -> Plan:
    """Remove the memory that has the name now, whatever it was called when its file was seen last."""

    def plan(folder: Folder) -> list[Write]:
        memories.catalog.refresh(folder)
        return [Write(memories.file_of(name), None)]

    return plan


def rename_plan(memories: MemoryDir, name: str, new: str) -> Plan:
    """Move a memory to the file of its new name; the text keeps its time."""

    def plan(folder: Folder) -> list[Write]:
        catalog = memories.catalog
        catalog.refresh(folder)
        file = memories.file_of(name)
        header, version = catalog.header(file), version_on_disk(folder, file)
        if header is None or version is None:
            raise NoSuchMemory(f"{file} cannot be read, so it cannot be renamed.")
        if catalog.file_named(slug(new)) is not None:
            raise Rejected(f"There is a memory called {slug(new)!r} already. Choose another name.")
        target = file_name(header.kind or "memory", new, catalog.folded())
        text = with_value(version.text, "name", slug(new))
        return [Write(target, text, version.saved_ns), Write(file, None)]

    return plan


def refuse_rule(by: Provenance, file: str, previous: str) -> None:
    """Raise when someone else than the user would change or remove a memory that agents are held to."""
    if by.actor != "user" and parse(previous).metadata.get("enforce"):
        raise Rejected(f"{file} holds a rule that agents are held to. Only the user may change it.")


def free_name(catalog: Catalog, name: str, kind: str | None) -> tuple[str, str]:
    """Return a name that no memory has, made from the wished one, and its file."""
    wished = (slug(name if number < 2 else f"{name}-{number}") for number in range(1, len(catalog) + 3))
    free = next(candidate for candidate in wished if catalog.file_named(candidate) is None)
    return free, file_name(kind or "memory", free, catalog.folded())


def replaced(folder: Folder, catalog: Catalog, file: str) -> Version | None:
    """Return the text that is about to be replaced; a memory that history cannot keep is not touched."""
    version = version_on_disk(folder, file)
    if version is None and file in catalog and folder.exists(file):
        raise Rejected(
            f"{file} is over {MAX_FILE_BYTES:,} bytes, so its text cannot be kept in history first."
        )
    return version


def _says_the_same(text: str, draft: Draft) -> bool:
    return topic_from("", text, _EPOCH).body.strip() == draft.body


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
