"""A directory of memories with its index: scanned, read, saved to and mended; nothing acknowledged is lost."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memdir.core.intake import completed, refuse_secrets
from memdir.core.names import file_name, key_problem, slug
from memdir.core.topic import Draft, Header, Provenance, Topic, header_from, rendered_draft, topic_from
from memdir.errors import Conflict, NoSuchMemory, Rejected
from memdir.store.batch import Write, operation_of, put_in_place, staged, storage_errors, version_of
from memdir.store.catalog import Catalog, saved_time
from memdir.store.files import MAX_FILE_BYTES, Folder, Staged, folder_made
from memdir.store.index_file import IndexFile, Look
from memdir.store.journal import Change, Operation, Version
from memdir.store.lock import locked
from memdir.store.outside import OUTSIDE, outside_changes, version_on_disk
from memdir.store.recorder import Recorder
from memdir.store.trash import Trash

__all__ = ["Forgotten", "MemoryDir", "Saved"]


@dataclass(frozen=True, slots=True)
class Saved:
    """One memory that is durable, with its pointer."""

    file: str
    name: str
    path: str
    created: bool
    operation: str
    """The id under which this can be undone."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One memory that is gone from the directory and kept in trash and history."""

    file: str
    path: str
    operation: str
    warnings: tuple[str, ...] = ()


Plan = Callable[[Folder], Sequence[Write]]
"""Decides under the lock, with the names up to date, what is to be written."""


class MemoryDir:
    """One memory directory; every verb opens it anew, so that several handles and processes agree."""

    def __init__(
        self, path: str, state: str, *, program: str | None, indexed: bool = True, root: str = ""
    ) -> None:
        """Remember the places; the directory is made by the first save."""
        self.path, self.state, self.root = path, state, root
        self.catalog = Catalog(state)
        self.recorder = Recorder(path, state, program)
        self.index = IndexFile(state, enabled=indexed)
        self.trash = Trash(state)
        self._seen: tuple[int, int] | None = None

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────

    def scan(self, limit: int | None = None) -> list[Header]:
        """Return headers, newest first: all of them, or the newest few."""
        with self._opened() as folder:
            if folder is None:
                return []
            if limit is not None and not len(self.catalog):
                return self.catalog.newest(folder, limit)
            self.catalog.refresh(folder)
        headers = self.catalog.headers()
        return headers if limit is None else headers[:limit]

    def read(self, name: str) -> Topic:
        """Return one memory by its name or file."""
        self.scan()
        return self.read_file(self.file_of(name))

    def read_file(self, file: str) -> Topic:
        """Return one memory by its file alone."""
        with storage_errors(f"{file} could not be read"), Folder.opened(self.path) as folder:
            data, status = folder.read(file, MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise Rejected(
                f"{file} is over {MAX_FILE_BYTES:,} bytes, too large for a memory. Open it yourself."
            )
        return topic_from(file, data.decode("utf-8", "replace"), saved_time(status.st_mtime_ns))

    def file_of(self, name: str) -> str:
        """Return the file of a memory known to the catalog, by file, name or words that make the name."""
        if name in self.catalog:
            return name
        wanted = slug(name) if name else ""
        by_name = [header.file for header in self.catalog.headers() if header.name in (name, wanted)]
        if not by_name:
            raise NoSuchMemory(f"No memory is called {name!r}. `memdir list` shows what there is.")
        return by_name[0]

    def view(self) -> str:
        """Return the index as it should be: every memory pointed at once, nothing that is gone."""
        with self._opened() as folder:
            if folder is None:
                return ""
            self.catalog.refresh(folder)
            return self.index.view(folder, self.catalog)

    def examine_index(self) -> Look:
        """Compare the index on disk with the files."""
        with self._opened() as folder:
            if folder is None:
                return Look()
            self.catalog.refresh(folder)
            return self.index.look(folder, self.catalog)

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────

    def save(
        self,
        drafts: Sequence[Draft],
        by: Provenance,
        now: datetime,
        *,
        allow_secret: bool = False,
        strict: bool = False,
    ) -> list[Saved]:
        """Save drafts in one step; each is durable and pointed at when this returns."""
        intakes = [completed(draft, now.date(), strict=strict) for draft in drafts]
        planned: dict[str, Write] = {}
        files: list[str] = []

        def plan(folder: Folder) -> Sequence[Write]:
            for intake in intakes:
                file, previous = self._target(folder, intake.draft, planned, named=intake.named)
                whose = replace(by, source=intake.draft.source or by.source)
                text = rendered_draft(intake.draft, whose, now, previous)
                if not allow_secret:
                    refuse_secrets(text)
                planned[file] = Write(file, text, _nanoseconds(intake.draft.saved_at))
                files.append(file)
            return list(planned.values())

        operation, warnings = self.apply("remember", by, now, plan)
        created = {change.file for change in operation.changes if change.before is None}
        return [
            Saved(
                file,
                i.draft.name,
                self.full_path(file),
                file in created,
                operation.id,
                (*i.warnings, *warnings),
            )
            for file, i in zip(files, intakes, strict=True)
        ]

    def replace_text(
        self,
        file: str,
        text: str,
        by: Provenance,
        now: datetime,
        *,
        expected: str,
        allow_secret: bool = False,
    ) -> tuple[Operation, list[str]]:
        """Replace a whole file if it still holds the expected text."""
        if not allow_secret:
            refuse_secrets(text)

        def plan(folder: Folder) -> Sequence[Write]:
            version = version_on_disk(folder, file)
            if version is None or version.text != expected:
                raise Conflict(
                    f"{file} was changed by someone else meanwhile. Nothing was written; read it again."
                )
            return [Write(file, text)]

        return self.apply("edit", by, now, plan)

    def forget(self, name: str, by: Provenance, now: datetime) -> tuple[Operation, list[str]]:
        """Remove one memory and its pointer; its text goes to the trash and stays in history."""

        def plan(_: Folder) -> Sequence[Write]:
            return [Write(self.file_of(name), None)]

        return self.apply("forget", by, now, plan)

    def rename(self, name: str, new: str, by: Provenance, now: datetime) -> tuple[Operation, list[str]]:
        """Give a memory another name and the file that goes with it; the text keeps its time."""
        from memdir.core.frontmatter import with_value  # noqa: PLC0415 - off the hot path

        def plan(folder: Folder) -> Sequence[Write]:
            file = self.file_of(name)
            header, version = self.catalog.header(file), version_on_disk(folder, file)
            if header is None or version is None:
                raise NoSuchMemory(f"{file} cannot be read, so it cannot be renamed.")
            if any(other.name == slug(new) for other in self.catalog.headers()):
                raise Rejected(f"There is a memory called {slug(new)!r} already. Choose another name.")
            target = file_name(header.kind or "memory", new, self.catalog.folded())
            text = with_value(version.text, "name", slug(new))
            return [Write(target, text, version.saved_ns), Write(file, None)]

        return self.apply("rename", by, now, plan)

    def apply(
        self, verb: str, by: Provenance, now: datetime, plan: Plan, *, undoes: str = ""
    ) -> tuple[Operation, list[str]]:
        """Do what the plan says as one step: topics first, index second, then the journal; then history."""
        with storage_errors("Not saved"), self._locked() as folder:
            writes = plan(folder)
            operation, warnings = self._written(folder, verb, by, now, writes, undoes)
        self.recorder.follow(now)
        return operation, warnings

    def heal(self) -> bool:
        """Write the healed index to disk; tell whether anything had to change."""
        with storage_errors("The index was not mended"), self._locked() as folder:
            self.catalog.refresh(folder)
            writes = self.index.writes(folder, self.catalog, {})
            self._put_index(folder, writes, staged(folder, writes))
            self._look(folder)
        return bool(writes)

    def note_outside(self, now: datetime) -> Operation | None:
        """Bring history up to date, changes made by others included."""
        self.recorder.catch_up(now)
        with self._opened() as folder:
            if folder is None:
                return None
            self.catalog.refresh(folder)
            with locked(self.path, self._lock_file()):
                changes = outside_changes(folder, list(self.catalog), self.recorder.history)
                operation = operation_of("outside", OUTSIDE, now, changes) if changes else None
                if operation is not None:
                    self.recorder.note(operation)
        self.recorder.catch_up(now)
        return operation

    def exists(self) -> bool:
        """Tell whether the directory was made yet."""
        return os.path.isdir(self.path)

    def free_name(self, name: str, kind: str | None) -> tuple[str, str]:
        """Return a name that no memory has, made from the wished one, and its file."""
        names = {header.name for header in self.catalog.headers()}
        wished = [slug(name), *(f"{slug(name)}-{number}" for number in range(2, len(names) + 3))]
        free = next(candidate for candidate in wished if candidate not in names)
        return free, file_name(kind or "memory", free, self.catalog.folded())

    def full_path(self, file: str) -> str:
        """Return the absolute path of one memory file."""
        return os.path.join(self.path, file)

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────────

    def _written(
        self, folder: Folder, verb: str, by: Provenance, now: datetime, writes: Sequence[Write], undoes: str
    ) -> tuple[Operation, list[str]]:
        before = {write.file: self._replaced(folder, write.file) for write in writes}
        removed = [write.file for write in writes if write.text is None]
        operation = operation_of(verb, by, now, [], undoes=undoes)
        self.trash.keep(operation.id, [Change(file, before[file], None) for file in removed])
        topics = staged(folder, writes)
        try:
            changed = {w.file: None if w.text is None else header_from(w.file, w.text, now) for w in writes}
            index_writes = self.index.writes(folder, self.catalog, changed)
            index = staged(folder, index_writes)
        except BaseException:
            for item in topics:
                item.drop()
            raise
        put_in_place(folder, topics, removed)
        self._put_index(folder, index_writes, index)
        for write in writes:
            self.catalog.put(folder, write.file)
        changes = tuple(Change(write.file, before[write.file], version_of(folder, write)) for write in writes)
        operation = Operation(operation.id, operation.at, verb, by, changes, undoes)
        warning = self.recorder.note(operation)
        self._look(folder)
        return operation, [text for text in (warning, self.index.warning()) if text]

    def _put_index(self, folder: Folder, writes: Sequence[Write], items: Sequence[Staged]) -> None:
        gone = [write.file for write in writes if write.text is None]
        put_in_place(folder, items, gone)
        self.index.wrote(folder, writes)

    def _replaced(self, folder: Folder, file: str) -> Version | None:
        version = version_on_disk(folder, file)
        if version is None and file in self.catalog:
            raise Rejected(
                f"{file} is over {MAX_FILE_BYTES:,} bytes, so its text cannot be kept in history first."
            )
        return version

    def _target(
        self, folder: Folder, draft: Draft, planned: dict[str, Write], *, named: bool
    ) -> tuple[str, str | None]:
        """Choose the file of a draft, and the text it replaces if the name is in use."""
        for file, write in planned.items():
            if named and write.text is not None and header_from(file, write.text, _EPOCH).name == draft.name:
                return file, write.text
        existing = self.catalog.file_named(draft.name)
        if existing is not None:
            version = self._replaced(folder, existing)
            if version is not None and (named or _says_the_same(version.text, draft)):
                return existing, version.text
        taken = self.catalog.folded() | {file.casefold() for file in planned}
        file = file_name(str(draft.kind), draft.name, taken)
        if problem := key_problem(file):
            raise Rejected(f"{file!r} cannot be a memory file: {problem}.")
        return file, None

    @contextmanager
    def _opened(self) -> Iterator[Folder | None]:
        try:
            folder = Folder.opened(self.path)
        except (FileNotFoundError, NotADirectoryError):
            yield None
            return
        with storage_errors(f"{self.path} could not be read"), folder:
            yield folder

    @contextmanager
    def _locked(self) -> Iterator[Folder]:
        with folder_made(self.path) as folder, locked(self.path, self._lock_file()):
            if self._seen is None or self._seen != _stamp(folder):
                for file in self.catalog.refresh_names(folder):
                    with suppress(OSError):
                        folder.remove(file)
            yield folder

    def _look(self, folder: Folder) -> None:
        self._seen = _stamp(folder)

    def _lock_file(self) -> str:
        return os.path.join(self.state, "directory.lock")


_EPOCH = datetime.fromtimestamp(0, UTC)


def _stamp(folder: Folder) -> tuple[int, int]:
    """Return what changes whenever a name comes or goes."""
    status = os.stat(folder.fd if folder.fd >= 0 else folder.path)
    return status.st_mtime_ns, status.st_ino


def _says_the_same(text: str, draft: Draft) -> bool:
    return topic_from("", text, _EPOCH).body.strip() == draft.body


def _nanoseconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1e9)
