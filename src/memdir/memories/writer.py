"""All changes to a memory directory: save, edit, forget, rename, repair the index."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256

from memdir.disk.files import MAX_FILE_BYTES, Folder, Staged, make_folder, storage_errors, sweep
from memdir.disk.lock import DirectoryLock
from memdir.errors import Rejected
from memdir.memories.catalog.header_cache import name_stamp
from memdir.memories.change import (
    Change,
    Forgotten,
    Operation,
    Saved,
    Version,
    change_between,
    file_bytes,
    version_on_disk,
)
from memdir.memories.directory import MemoryDir, claim_state
from memdir.memories.draft import compare_with_instructions, complete, update_edited
from memdir.memories.history.authorship import is_pinned_by_user
from memdir.memories.history.commits import FOUND, moved_from
from memdir.memories.history.external_changes import (
    OUTSIDE,
    index_change,
    outside_changes,
    outside_steps,
)
from memdir.memories.history.recorder import Recorder
from memdir.memories.history.versions import keep_in_trash
from memdir.memories.index.file import set_aside
from memdir.memories.index.text import is_reworded
from memdir.memories.names import INDEX_NAME
from memdir.memories.plans import (
    Plan,
    SavePlan,
    edit_plan,
    forget_plan,
    refuse_rule,
    rename_plan,
    replaced_version,
)
from memdir.memories.refusals import refuse_path, refuse_secrets, refuse_unusable_name, text_problem
from memdir.memories.topic import Draft, Provenance, Topic, header_from, saved_time
from memdir.progress import count_progress
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace

__all__ = ["Writer"]

_MAY_CHANGE_RULES = ("apply", "dream", "recover", "sync")
"""Verbs that may change a rule: a person accepted it, the dream checked that it is not the user's, or it came
from a remote, and then it asks until somebody approves it here."""
_FAILED = {
    "forget": "Not forgotten",
    "rename": "Not renamed",
    "restore": "Not restored",
    "undo": "Not undone",
}


class Writer:
    """All changes to one memory directory go through here, in one order, and are written down."""

    def __init__(
        self,
        memories: MemoryDir,
        program: str | None,
        anchors: Callable[[str], str] | None = None,
        afterwards: Callable[[Operation], object] = lambda _: None,
        instructions: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Take a directory in charge, opening nothing.

        `anchors` says what a text names in the project; `afterwards` is told of every change that was made;
        `instructions` returns the texts that conversations here are given anyway.
        """
        self._anchors, self._afterwards, self.instructions = anchors, afterwards, instructions
        self.memories, self.catalog, self.index = memories, memories.catalog, memories.index
        self.index.is_pinned = lambda file: is_pinned_by_user(self.recorder, file)
        self.recorder = Recorder(memories.path, memories.state, program)
        self._seen: tuple[int, ...] | None = None
        self._signed = False

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
        if not drafts:
            return []
        full = self.complete_drafts(drafts, now, strict=strict)
        if texts := self.instructions():
            full = compare_with_instructions(full, texts, strict=strict)
        for draft in drafts:
            refuse_path(draft.name)
        # The directory itself decides what it admits; no option overrides that.
        plan = SavePlan(self.catalog, full, by, now, allow_secret or self.memories.admit is not None)
        operation, warnings = self.apply("remember", by, now, plan)
        changes = {change.file: change for change in operation.changes}
        return [self.result_of(operation.id, changes[file], (*hints, *warnings)) for file, hints in plan.done]

    def complete_drafts(self, drafts: Sequence[Draft], now: datetime, *, strict: bool = False) -> list[Draft]:
        """Return drafts with all fields filled in, anchored in the project; nothing is written yet."""
        full = [complete(draft, now.date(), strict=strict) for draft in drafts]
        if find := self._anchors:
            return [replace(one, anchors=find(f"{one.description}\n\n{one.body}")) for one in full]
        return full

    def edit(
        self, topic: Topic, text: str, by: Provenance, now: datetime, *, allow_secret: bool = False
    ) -> Saved:
        """Replace a whole memory if it still reads as the caller saw it."""
        if problem := text_problem(text, MAX_FILE_BYTES):
            raise Rejected(f"The text {problem}")
        text, hints = update_edited(topic, text, now)
        if not allow_secret and not self.memories.admit:
            refuse_secrets(text, has_option=True)
        header = header_from(topic.header.file, text, now)
        for label in ("name", "title", "description"):
            refuse_secrets(getattr(header, label), label)
        operation, warnings = self.apply("edit", by, now, edit_plan(self.catalog, topic, text))
        return self.result_of(operation.id, operation.changes[0], (*hints, *warnings))

    def forget(self, name: str, by: Provenance, now: datetime) -> Forgotten:
        """Remove one memory and its pointer; its text goes to the trash and stays in history."""
        if not self.memories.exists():  # instead of making the directory
            self.memories.file_of(name)
        operation, warnings = self.apply("forget", by, now, forget_plan(self.memories, name))
        (file,) = operation.files
        return Forgotten(file, self.memories.full_path(file), operation.id, tuple(warnings))

    def rename(self, name: str, new: str, by: Provenance, now: datetime) -> Saved:
        """Give a memory another name and the file that goes with it."""
        if not self.memories.exists():
            self.memories.file_of(name)
        refuse_unusable_name(new)
        hints = list[str]()
        operation, warnings = self.apply("rename", by, now, rename_plan(self.memories, name, new, hints))
        return self.result_of(operation.id, operation.changes[0], (*hints, *warnings))

    def result_of(self, operation: str, change: Change, warnings: tuple[str, ...] = ()) -> Saved:
        """Return what a caller is told about one file that an operation wrote."""
        at = saved_time(change.saved_ns or 0)
        known = self.catalog.header(change.file) if operation else None
        header = known or header_from(change.file, change.after or "", at)
        path = os.path.join(self.memories.path, change.file)
        return Saved(header, path, change.before is None, operation, warnings)

    def apply(
        self, verb: str, by: Provenance, now: datetime, plan: Plan, *, undoes: str = "", named: str = ""
    ) -> tuple[Operation, list[str]]:
        """Do what the plan says as one step: topics first, index second, then the journal; then history.

        Where it says nothing, nothing is written down, and the operation has no id. `named` is the id of a
        step that changes another directory too.
        """
        failed = storage_errors(_FAILED.get(verb, "Not saved"), self.memories.path)
        with failed, self._lock() as folder:
            edits = plan(folder)
            name = (named or os.urandom(4).hex()) if edits else ""
            operation, warnings = Operation(name, utc_stamp(now), verb, by, (), undoes), list[str]()
            if not edits:
                return operation, warnings
            operation, warnings = self._make(folder, operation, edits, now)
        if self.memories.root and not self._signed:
            self._signed = True
            _record_root(self.memories.state, self.memories.root)
        self.recorder.follow(now)
        self._afterwards(operation)
        return operation, warnings

    def version_now(self, file: str) -> Version | None:
        """Return what a file holds at present; None when it is not there."""
        with self.memories.open_folder() as folder:
            return version_on_disk(folder, file) if folder else None

    def heal(self, now: datetime) -> bool:
        """Write the healed index to disk; tell whether anything had to change."""
        with storage_errors("The index was not mended", self.memories.path), self._lock() as folder:
            return bool(self._heal(folder, now))

    def set_index_folder_aside(self, *_: object) -> str:
        """Rename a folder that stands in the place of the index; a rename is no change that history keeps."""
        with storage_errors("MEMORY.md was not renamed", self.memories.path), self._lock() as folder:
            set_aside(folder)
        return ""

    def mend_index(self, by: Provenance, now: datetime) -> str:
        """Heal the index; return the operation where words changed and were written down, to be undone."""
        with storage_errors("The index was not mended", self.memories.path), self._lock() as folder:
            before = version_on_disk(folder, INDEX_NAME)
            after = version_on_disk(folder, INDEX_NAME) if self._heal(folder, now) else None
            if not before or not after or not after.text:
                return ""
            if not is_reworded(before.text, after.text, self.catalog.__contains__):
                return ""
            operation = _operation("doctor", by, now, change_between(INDEX_NAME, before, after))
            if self.recorder.note(operation) is not None:
                return ""
        self.recorder.follow(now)
        return operation.id

    def note_outside(self, now: datetime, by: Provenance = OUTSIDE, *, file: str = "") -> Operation | None:
        """Bring history up to date, with all that others changed, or one file whose writer is known."""
        with storage_errors("History was not brought up to date"):
            self.recorder.catch_up(now)
            operation = self._outside(now, by, file) if self.memories.exists() else None
            self.recorder.catch_up(now)
        return operation

    def _outside(self, now: datetime, by: Provenance, file: str) -> Operation | None:
        with self._lock() as folder:
            self.catalog.refresh(folder)
            files, history = [file] if file else list(self.catalog), self.recorder.history
            changes = self.recorder.ask_history(now, lambda: outside_changes(folder, files, history))
            changes = tuple([change for change in changes if file in ("", change.file)])
            edited = None if file else self.index.external_edit(folder)
            if edited and (index := index_change(folder, edited, self.catalog)):
                changes += (index,)
            mine = [("outside", changes)] if changes else []
            steps = outside_steps(changes, history, now) if by is OUTSIDE else mine
            done = [_operation(verb, by, now, *step) for verb, step in steps]
            for operation in done:
                self._note_outside(operation)
        return replace(done[-1], changes=changes) if done else None

    def _note_outside(self, operation: Operation) -> None:
        """Record what others did; if that worked, their text of the index counts as seen."""
        if self.recorder.note(operation) is None:
            for change in operation.changes:
                if change.file == INDEX_NAME:
                    self.index.note_seen(change.after or "")

    def _make(
        self, folder: Folder, operation: Operation, edits: Sequence[Change], now: datetime
    ) -> tuple[Operation, list[str]]:
        """Put every change in place in the one safe order, and write it down."""
        present = list[Change]()  # each edit with the text that it replaces
        for edit in edits:
            old = replaced_version(folder, self.catalog, edit.file)
            if old and operation.verb not in _MAY_CHANGE_RULES:
                refuse_rule(operation.by, edit.file, old.text)
            if edit.after is not None and self.memories.admit and edit.file != INDEX_NAME:
                self.memories.admit(edit.file, edit.after)
            text, saved_ns, sha = (old.text, old.saved_ns, old.sha) if old else (None, 0, "")
            present.append(replace(edit, before=text, before_ns=saved_ns, before_sha=sha))
        index = next((edit for edit in present if edit.file == INDEX_NAME), None)
        changes = [edit for edit in present if edit.file != INDEX_NAME]
        removed = [edit.file for edit in changes if edit.after is None]
        moved = moved_from(changes) if removed else {}
        lost = [edit for edit in changes if edit.after is None and edit.file not in moved.values()]
        headers = {c.file: None if c.after is None else header_from(c.file, c.after, now) for c in changes}
        words = index.after if index else None
        index_edits = self.index.edits(folder, self.catalog, headers, words, moved)
        told = keep_in_trash(self.memories.state, operation.id, lost) if lost else []
        staged, topics = _stage(folder, [*changes, *index_edits]), len(changes) - len(removed)
        self._seen = ()  # names change from here on, and are known again once all is done
        _put_in_place(folder, staged[:topics], removed)
        self._put_index(folder, index_edits, staged[topics:], now)
        found = [self.catalog.put(folder, c.file, headers[c.file], c.after or "") for c in changes]
        if all(found):
            self.index.settle(self.catalog)
        if index:
            changes += [replace(index, after=one.after) for one in index_edits if one.file == INDEX_NAME]
        done = replace(operation, changes=tuple([_as_written(folder, one) for one in changes]))
        warning = self.recorder.note(done)
        self._seen = name_stamp(folder, self.catalog.findings.folders)
        return done, [*told, *filter(None, (warning, self.index.warning()))]

    def _put_index(
        self, folder: Folder, edits: Sequence[Change], items: Sequence[Staged], now: datetime
    ) -> None:
        index = next((edit.after for edit in edits if edit.file == INDEX_NAME), None)
        edited = self.index.external_edit(folder)
        if edited and (change := index_change(folder, edited, self.catalog, index)):
            verb = FOUND if change.before is None else "outside"
            self._note_outside(_operation(verb, OUTSIDE, now, change))
        _put_in_place(folder, items, [edit.file for edit in edits if edit.after is None])
        if index is not None:
            self.index.note_seen(index, ours=True)

    def _heal(self, folder: Folder, now: datetime) -> list[Change]:
        self.catalog.refresh(folder)
        edits = self.index.edits(folder, self.catalog, {})
        self._put_index(folder, edits, _stage(folder, edits), now)
        self._seen = name_stamp(folder, self.catalog.findings.folders)
        return edits

    @contextmanager
    def _lock(self) -> Iterator[Folder]:
        """Hold the directory alone, with the names of its files up to date and stale temporary files gone."""
        path, state = self.memories.path, self.memories.state
        if self._seen is None:
            claim_state(state, path)
        lock = DirectoryLock(path, os.path.join(state, "directory.lock"))
        with self.memories.threads, make_folder(path) as folder, lock:
            if self._seen is None:
                sweep(state)
            if not self._seen or self._seen != name_stamp(folder, self.catalog.findings.folders):
                for file in self.catalog.refresh_names(folder):
                    with suppress(OSError):
                        folder.remove(file)
            yield folder


_MANY = 50
"""New files from which on the whole file system is synced once, instead of each file by itself."""


def _stage(folder: Folder, edits: Sequence[Change]) -> list[Staged]:
    """Make every new text durable under a temporary name, or none of them."""
    for edit in edits:  # if only the rename found it, other files would be in place already
        holder, name = folder.holder(edit.file, make=edit.after is not None)
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(holder.at(os.lstat, name).st_mode):
                raise IsADirectoryError(errno.EISDIR, f"a folder is called {edit.file}")
    texts = [(edit, file_bytes(edit.after)) for edit in edits if edit.after is not None]
    one_by_one = len(texts) < _MANY
    done: list[Staged] = []
    try:
        done.extend(
            folder.stage(edit.file, data, saved_ns=edit.saved_ns, durable=one_by_one)
            for edit, data in count_progress(texts)
        )
        if not one_by_one and not folder.sync_everything():
            for item in done:
                item.sync()
    except BaseException:
        for item in done:
            item.drop()
        raise
    return done


def _put_in_place(folder: Folder, items: Sequence[Staged], removed: Sequence[str]) -> None:
    """Rename staged files to their names, take others away, and sync every folder touched."""
    folders = {id(item.folder): item.folder for item in items}
    for item in items:
        item.place()
    for file in removed:
        folder.remove(file)
        holder, _ = folder.holder(file)
        folders[id(holder)] = holder
    for touched in folders.values():
        touched.sync()


def _record_root(state: str, root: str) -> None:
    """Write down which project saves here, so that two roots with one slug can be told."""
    with suppress(OSError), make_folder(state) as folder:
        known = os.fsdecode(folder.read("root")[0]) if folder.exists("root") else ""
        if root not in known.split("\n"):
            folder.append("root", os.fsencode(f"{root}\n"))


def _as_written(folder: Folder, change: Change) -> Change:
    """Return a change with time and hash of the bytes that we wrote, whoever changed them since."""
    if change.after is None:
        return change
    stamp, data = folder.identity(change.file), file_bytes(change.after)
    return replace(change, saved_ns=stamp[2] if stamp else 0, sha=sha256(data).hexdigest())


def _operation(verb: str, by: Provenance, now: datetime, *changes: Change) -> Operation:
    return Operation(os.urandom(4).hex(), utc_stamp(now), verb, by, changes)
