"""A directory of memories with its index: scanned, read, saved to, mended; nothing acknowledged is lost."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from threading import RLock

from memdir.core.intake import completed, refuse_secrets
from memdir.core.names import INDEX_NAME
from memdir.core.topic import Draft, Header, Provenance, Topic, header_from, topic_from
from memdir.errors import Rejected
from memdir.store.batch import Write, operation_of, put_in_place, staged, storage_errors, version_of
from memdir.store.catalog import Catalog, saved_time
from memdir.store.files import MAX_FILE_BYTES, Folder, Staged, appended, folder_made
from memdir.store.index_file import IndexFile, Look
from memdir.store.journal import Change, Operation, Version
from memdir.store.lock import locked
from memdir.store.outside import OUTSIDE, outside_changes
from memdir.store.plans import Plan, SavePlan, edit_plan, file_of, rename_plan, replaced
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
        self._signed = False
        self._threads = RLock()

    def exists(self) -> bool:
        """Tell whether the directory was made yet."""
        return os.path.isdir(self.path)

    def full_path(self, file: str) -> str:
        """Return the absolute path of one memory file."""
        return os.path.join(self.path, file)

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
        with self._opened() as folder:
            if folder is not None:
                self.catalog.refresh(folder)
            return self.read_file(file_of(self.catalog, name))

    def read_file(self, file: str) -> Topic:
        """Return one memory by its file alone."""
        with storage_errors(f"{file} could not be read"), Folder.opened(self.path) as folder:
            data, status = folder.read(file, MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise Rejected(
                f"{file} is over {MAX_FILE_BYTES:,} bytes, too large for a memory. Open it yourself."
            )
        return topic_from(file, data.decode("utf-8", "replace"), saved_time(status.st_mtime_ns))

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
        plan = SavePlan(self.catalog, intakes, by, now, allow_secret)
        operation, warnings = self.apply("remember", by, now, plan)
        created = {change.file for change in operation.changes if change.before is None}
        return [
            Saved(
                file=file,
                name=intake.draft.name,
                path=self.full_path(file),
                created=file in created,
                operation=operation.id,
                warnings=(*intake.warnings, *warnings),
            )
            for file, intake in zip(plan.files, intakes, strict=True)
        ]

    def edit(
        self, topic: Topic, text: str, by: Provenance, now: datetime, *, allow_secret: bool = False
    ) -> Operation:
        """Replace a whole memory if it still reads as the caller saw it."""
        if not allow_secret:
            refuse_secrets(text)
        return self.apply("edit", by, now, edit_plan(topic.header.file, text, topic.text))[0]

    def forget(self, name: str, by: Provenance, now: datetime) -> Forgotten:
        """Remove one memory and its pointer; its text goes to the trash and stays in history."""
        operation, warnings = self.apply(
            "forget", by, now, lambda _: [Write(file_of(self.catalog, name), None)]
        )
        (file,) = operation.files
        return Forgotten(file, self.full_path(file), operation.id, tuple(warnings))

    def rename(self, name: str, new: str, by: Provenance, now: datetime) -> str:
        """Give a memory another name and the file that goes with it; return the file."""
        operation, _ = self.apply("rename", by, now, rename_plan(self.catalog, name, new))
        return operation.files[0]

    def apply(
        self, verb: str, by: Provenance, now: datetime, plan: Plan, *, undoes: str = ""
    ) -> tuple[Operation, list[str]]:
        """Do what the plan says as one step: topics first, index second, then the journal; then history."""
        with storage_errors("Not saved"), self._locked() as folder:
            empty = operation_of(verb, by, now, [], undoes=undoes)
            operation, warnings = self._written(folder, empty, plan(folder), now)
        self._sign_in()
        self.recorder.follow(now)
        return operation, warnings

    def heal(self, now: datetime) -> bool:
        """Write the healed index to disk; tell whether anything had to change."""
        with storage_errors("The index was not mended"), self._locked() as folder:
            self.catalog.refresh(folder)
            writes = self.index.writes(folder, self.catalog, {})
            self._put_index(folder, writes, staged(folder, writes), now)
            self._seen = _stamp(folder)
        return bool(writes)

    def note_outside(self, now: datetime) -> Operation | None:
        """Bring history up to date, changes made by others included."""
        self.recorder.catch_up(now)
        if not self.exists():
            return None
        with storage_errors("History was not brought up to date"), self._locked() as folder:
            self.catalog.refresh(folder)
            changes = outside_changes(folder, list(self.catalog), self.recorder.history)
            operation = operation_of("outside", OUTSIDE, now, changes) if changes else None
            if operation is not None:
                self.recorder.note(operation)
        self.recorder.catch_up(now)
        return operation

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────────

    def _written(
        self, folder: Folder, operation: Operation, writes: Sequence[Write], now: datetime
    ) -> tuple[Operation, list[str]]:
        """Put every change in place in the one safe order, and write it down."""
        before = {write.file: replaced(folder, self.catalog, write.file) for write in writes}
        removed = [write.file for write in writes if write.text is None]
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
        self._put_index(folder, index_writes, index, now)
        for write in writes:
            self.catalog.put(folder, write.file)
        changes = [Change(write.file, before[write.file], version_of(folder, write)) for write in writes]
        done = replace(operation, changes=tuple(changes))
        warning = self.recorder.note(done)
        self._seen = _stamp(folder)
        return done, [text for text in (warning, self.index.warning()) if text]

    def _put_index(
        self, folder: Folder, writes: Sequence[Write], items: Sequence[Staged], now: datetime
    ) -> None:
        if writes and (edited := self.index.edited(folder)):
            present = Change(INDEX_NAME, None, Version(edited[1], 0, ""))
            self.recorder.note(operation_of("outside", OUTSIDE, now, [present]))
        put_in_place(folder, items, [write.file for write in writes if write.text is None])
        self.index.wrote(writes)

    @contextmanager
    def _opened(self) -> Iterator[Folder | None]:
        """Open the directory for reading; None when it was not made yet."""
        try:
            folder = Folder.opened(self.path)
        except (FileNotFoundError, NotADirectoryError):
            yield None
            return
        with storage_errors(f"{self.path} could not be read"), folder, self._threads:
            yield folder

    @contextmanager
    def _locked(self) -> Iterator[Folder]:
        """Hold the directory alone, with the names of its files up to date and stale temporary files gone."""
        fallback = os.path.join(self.state, "directory.lock")
        with self._threads, folder_made(self.path) as folder, locked(self.path, fallback):
            if self._seen is None or self._seen != _stamp(folder):
                for file in self.catalog.refresh_names(folder):
                    with suppress(OSError):
                        folder.remove(file)
            yield folder

    def _sign_in(self) -> None:
        """Record once which project uses this directory: two roots with one slug can then be told."""
        if self.root and not self._signed:
            self._signed = True
            with suppress(OSError), folder_made(self.state) as state:
                known = state.read("root")[0].decode().splitlines() if state.exists("root") else []
                if self.root not in known:
                    appended(state, "root", f"{self.root}\n".encode())


def _stamp(folder: Folder) -> tuple[int, int]:
    """Return what changes whenever a name comes or goes."""
    status = os.stat(folder.fd if folder.fd >= 0 else folder.path)
    return status.st_mtime_ns, status.st_ino
