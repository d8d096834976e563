"""Keep one memory directory in step with one remote folder.

The order makes a kill at any moment harmless. Incoming texts are written here first, by the writer under its
lock, and only over files that are still as they were compared. Then outgoing texts are published on top of
the fetched state. After each step the common state is recorded. When a sync is cut off, the next one finds
the texts in place and goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import Enum

from memdir.disk.files import Folder, make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.errors import RemoteError
from memdir.memories.catalog.header_cache import pause_collector
from memdir.memories.change import Change, file_bytes, version_on_disk
from memdir.memories.history.git import blob_id
from memdir.memories.names import conflict_name, is_conflict_copy, rename_copy
from memdir.memories.scan import Skipped
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.progress import count_progress
from memdir.sync.local import forgotten_files, local_authors, obstacles, read_texts, scan_files
from memdir.sync.merge import merge
from memdir.sync.remote import (
    RECORD,
    Authorship,
    FileState,
    Outgoing,
    Pending,
    Record,
    Remote,
    RemoteMoved,
    folded_name,
    load_record,
    store_record,
    text_problem,
    with_changes,
)
from memdir.sync.result import SyncConflict, SyncResult, SyncStatus, SyncTally
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

__all__ = ["Action", "Syncer", "plan_sync"]

_ROUNDS = 12
"""How often a sync looks again when others were quicker."""

_FEW_DELETES = 10
"""Files that may vanish outside memdir, and count as deleted, however few are left."""

_CAME_BACK = (
    "{count} memories were gone here though nobody forgot them through memdir: they are back. "
    "`memdir forget` deletes them for good."
)
_DAMAGED = (
    "The record of the last sync was damaged and is begun anew: nothing is lost, but a memory that was "
    "changed here and there since comes back as a conflict, and one that was deleted may come back."
)


class Action(Enum):
    """What a sync does with one file."""

    PUSH = "push"
    PULL = "pull"
    MERGE = "merge"
    DELETE_HERE = "delete here"
    DELETE_THERE = "delete there"
    AGREE = "agree"
    """Both sides have the same, and the base does not say so yet."""


_INCOMING = (Action.PULL, Action.DELETE_HERE, Action.MERGE)


@value_class(frozen=True, slots=True)
class Syncer:
    """One directory and its remote."""

    writer: Writer
    remote: Remote
    place: str
    """The folder in the state folder for the record of what both have in common."""
    who: str
    """The person who writes here."""
    clock: Callable[[], datetime]
    source: str = ""
    """The source that history records for incoming texts: "team" for others' words; empty: as headers say."""
    title: str = "the remote"
    judge: Callable[[str, str], str | None] = lambda _file, _text: None
    """Says why a text may not be shared under its file name, in either direction; None when it may."""

    def sync(self) -> SyncResult:
        """Bring both sides in step and say what was done; `RemoteError` where the remote cannot be used."""
        tally, lock = SyncTally(), DirectoryLock(self.place, os.path.join(self.place, "sync.lock"))
        with storage_errors("Not synced"), make_folder(self.place) as folder, lock:
            for _ in range(_ROUNDS):
                with pause_collector():
                    done = _Round(self, folder, tally).run()
                if done:
                    return tally.result(self.title)
        raise RemoteError(
            f"Others changed {self.title} {_ROUNDS} times while this sync tried. "
            "What is here is safe; sync again."
        )

    def status(self) -> SyncStatus:
        """Say where this directory stands since the last sync; the remote is not asked."""
        with make_folder(self.place) as folder:
            record = load_record(folder) or Record()
            last = folder.identity(RECORD)
        files = scan_files(self.writer.memories, self.place).files
        waiting = sorted(plan_sync(record.base, files, record.base))
        ended = utc_stamp(datetime.fromtimestamp(last[2] / 10**9, self.clock().tzinfo)) if last else ""
        return SyncStatus(self.title, ended, tuple(waiting), tuple(filter(is_conflict_copy, sorted(files))))


def plan_sync(
    base: Mapping[str, FileState], local: Mapping[str, FileState], remote: Mapping[str, FileState]
) -> dict[str, Action]:
    """Return what to do with each file, by its base, this side and the remote; nothing for one in step."""
    actions: dict[str, Action] = {}
    for file in {**base, **local, **remote}:
        common, own, other = base.get(file), local.get(file), remote.get(file)
        if own and common and common is other and own.content == common.content:
            continue  # as nearly all are: nothing else is looked at
        was, here, there = (one.content if one else None for one in (common, own, other))
        if here != there:
            actions[file] = _action(was, here, there)
        elif common != other:
            actions[file] = Action.AGREE
    return actions


def _action(was: str | None, here: str | None, there: str | None) -> Action:
    """Return what to do where both sides differ; a change wins over a deletion."""
    if there == was:
        return Action.DELETE_THERE if here is None else Action.PUSH
    if here == was:
        return Action.DELETE_HERE if there is None else Action.PULL
    if here is None:
        return Action.PULL
    return Action.PUSH if there is None else Action.MERGE


class _Round:
    """One comparison of both sides, and its results."""

    def __init__(self, syncer: Syncer, folder: Folder, tally: SyncTally) -> None:
        self.syncer, self.folder, self.tally = syncer, folder, tally
        record = load_record(folder)
        if record is None:
            tally.note(_DAMAGED)
        self.record = record or Record()
        self.snapshot = syncer.remote.fetch(self.record)
        self.local = scan_files(syncer.writer.memories, syncer.place)
        here = self.local.files
        pulled = {  # what a sync wrote here before it was cut off
            file: one
            for file, one in self.record.pulling.items()
            if file in here and here[file].content == one.content
        }
        self.base = with_changes(self.snapshot.base if self.local.exists else {}, pulled)
        self.conflicts, self.merged = dict[str, SyncConflict](), set[str]()
        self.refused = set[str]()
        tally.refuse(*self.snapshot.refused, *self.local.refused)
        tally.note(*self.snapshot.notes)

    def run(self) -> bool:
        """Take in what is new there, publish what is new here; tell whether both sides agree then."""
        actions = self._plan()
        if incoming := sorted(file for file, action in actions.items() if action in _INCOMING):
            self._take_in(actions, incoming)
            actions = self._plan()
        done = self._send(actions) and not any(action in _INCOMING for action in actions.values())
        if (common := self._common()) != self.record:
            store_record(self.folder, common)
        return done

    def _plan(self) -> dict[str, Action]:
        """Return what to do, without files that are left alone."""
        here, there = self.local.files, self.snapshot.files
        actions = plan_sync(self.base, here, there)
        self._settle(file for file, action in actions.items() if action is Action.AGREE)
        gone = [file for file, action in actions.items() if action is Action.DELETE_THERE]
        for file, problem in obstacles(self.syncer.writer.memories, gone).items():
            self._refuse(file, problem)  # it is not seen, which is not the same as gone
        closed = self.refused | {one.file for one in self.snapshot.refused}  # there, though it is not taken
        closed |= {file for file in actions if self.local.is_closed(file)}
        actions = {f: a for f, a in actions.items() if a is not Action.AGREE and f not in closed}
        for file, action in sorted(actions.items()):
            if file in self.base and action is Action.PULL and file not in here:
                self.tally.note(f"{file} was deleted here and changed on the remote: the change was kept.")
            if file in self.base and action is Action.PUSH and file not in there:
                self.tally.note(f"{file} was deleted on the remote and changed here: the change was kept.")
        gone = [file for file in gone if file in actions]
        if len(gone) > _FEW_DELETES and len(gone) * 2 > len(self.base):
            if lost := {*gone} - forgotten_files(self.syncer.writer, self.syncer.clock()):
                self.tally.note(_CAME_BACK.format(count=len(lost)))
            actions |= dict.fromkeys(lost, Action.PULL)
        return actions

    def _take_in(self, actions: Mapping[str, Action], incoming: Sequence[str]) -> None:
        """Write here what changed on the remote."""
        edits, syncer, there = self._edits(actions, incoming), self.syncer, self.snapshot.files
        if not edits:
            return
        pulling = {edit.file: there[edit.file] for edit in edits if edit.file in there}
        store_record(self.folder, replace(self._common(), pulling=pulling))
        by = Provenance("sync", syncer.source, reason=f"from {syncer.title}")
        operation, _ = syncer.writer.apply(
            "sync", by, syncer.clock(), lambda folder: self._unchanged_edits(edits, folder)
        )
        self.tally.operations += [operation.id] if operation.id else []
        wrote = {*operation.files}
        self._settle(file for file in operation.files if file in actions)
        for edit in [edit for edit in edits if edit.file in wrote]:
            if edit.after is None:
                del self.local.files[edit.file]
            else:
                content = blob_id(file_bytes(edit.after))
                self.local.files[edit.file] = FileState(content, "", edit.saved_ns or 0)
            if edit.file in self.conflicts:
                self.tally.conflicts[edit.file] = self.conflicts[edit.file]
            elif edit.file in self.merged:
                self.tally.files["merged"].add(edit.file)
            elif edit.file in actions:
                self.tally.files["deleted_here" if edit.after is None else "pulled"].add(edit.file)

    def _edits(self, actions: Mapping[str, Action], incoming: Sequence[str]) -> list[Change]:
        """Return what to write here; what must not be written is refused, and stays as it is."""
        memories, there, base = self.syncer.writer.memories, self.snapshot.files, self.base
        here, closed = read_texts(memories, incoming), obstacles(memories, incoming)
        incoming = [file for file in incoming if self._is_as_seen(file, here.get(file))]
        merging = {f: base[f] for f in incoming if f in base and actions[f] is Action.MERGE}
        wanted = [*[there[file] for file in incoming if file in there], *merging.values()]
        texts = dict(zip(wanted, map(_text, self.syncer.remote.read(wanted)), strict=True))
        twins = {folded_name(file): file for file in self.local.files}
        latest, edits = int(self.syncer.clock().timestamp() * 10**9), list[Change]()
        for file in count_progress(incoming):
            ours = _text(here.get(file))
            if file not in there:
                edits.append(Change(file, ours, None))
                continue
            if (text := texts[there[file]]) is None:
                raise RemoteError(f"The remote lists {file} and cannot give its text. Sync again later.")
            twin = file if file in self.local.files else twins.get(folded_name(file), file)
            same = "" if twin == file else f"{twin} has this name but for the case or the form of letters"
            if problem := self._problem(file, text) or same or closed.get(file):
                self._refuse(file, problem)
                continue
            saved_ns = min(max(there[file].saved_ns, 0), latest)  # not in the future, nor before 1970
            edit = Change(file, ours, text, saved_ns)
            if actions[file] is Action.MERGE:
                edits += self._join_texts(edit, texts[merging[file]] if file in merging else None)
            else:
                edits.append(edit)
        return edits

    def _join_texts(self, edit: Change, base: str | None) -> list[Change]:
        """Return the merged text, or that of the remote with ours in a file beside it."""
        file, ours = edit.file, edit.before or ""
        saved_ns = self.local.files[file].saved_ns
        both = merge(base, ours, edit.after or "")
        if both == ours:
            self._settle([file])
            return []
        if isinstance(both, str):
            self.merged.add(file)
            return [replace(edit, after=both, saved_ns=max(saved_ns, edit.saved_ns or 0))]
        copy = self._copy(file, ours, saved_ns)
        self.conflicts[file] = SyncConflict(file, copy.file, both.because)
        return [copy, edit]

    def _copy(self, file: str, text: str, saved_ns: int) -> Change:
        """Return the copy of our text beside the other: in a new file, or in one that holds it already."""
        number, at, taken = 1, utc_stamp(self.syncer.clock()), {one.copy for one in self.conflicts.values()}
        while True:
            name = conflict_name(file, self.syncer.who, at, number)
            ours = rename_copy(text, name)
            held = _text(read_texts(self.syncer.writer.memories, [name]).get(name))
            is_free = held == ours or (held is None and name not in self.snapshot.files)
            if is_free and name != file and name not in taken:
                return Change(name, None, ours, saved_ns)
            number += 1

    def _unchanged_edits(self, edits: Sequence[Change], folder: Folder) -> list[Change]:
        """Return the edits of files that still are what was compared; called under the lock.

        Our version of a text is replaced only if its copy exists, or is written in the same step.
        """
        good, texts = dict[str, Change](), {edit.file: edit.after for edit in edits}
        for edit in edits:
            conflict = self.conflicts.get(edit.file)
            copy = conflict.copy if conflict else ""
            is_kept = not copy or copy in good or _holds(folder, copy, texts[copy])
            if is_kept and _holds(folder, edit.file, edit.before):
                good[edit.file] = edit
        return list(good.values())

    def _send(self, actions: Mapping[str, Action]) -> bool:
        """Publish what changed here; tell whether all of it was."""
        changes, is_whole = self._outgoing(actions)
        if not changes:
            return is_whole

        def announce(pending: Pending) -> None:
            store_record(self.folder, replace(self._common(), pending=pending))

        try:
            done = self.syncer.remote.publish(changes, self.snapshot, announce)
        except RemoteMoved:
            return False
        files = with_changes(self.snapshot.files, done.files)
        self.snapshot = replace(self.snapshot, revision=done.revision, files=files)
        self._settle(done.files)
        for file, one in done.files.items():
            self.tally.files["pushed" if one.content else "deleted_there"].add(file)
        for refusal in done.refused:
            self._refuse(refusal.file, refusal.because)
        return is_whole and len(done.files) + len(done.refused) == len(changes)

    def _outgoing(self, actions: Mapping[str, Action]) -> tuple[list[Outgoing], bool]:
        """Return what to publish, and whether every file still is what was compared."""
        writer, now, who = self.syncer.writer, self.syncer.clock(), self.syncer.who
        changes, is_whole = list[Outgoing](), True
        for file in sorted(file for file, action in actions.items() if action is Action.DELETE_THERE):
            changes.append(Outgoing(file, None, "", 0, Authorship(who, utc_stamp(now), "", "user")))
        files = sorted(file for file, action in actions.items() if action is Action.PUSH)
        texts = read_texts(writer.memories, files)
        authors = local_authors(writer, now, texts) if texts else {}
        for file in count_progress(files):
            data, seen, known = texts.get(file), self.local.files[file], self.record.base.get(file)
            if data is None or not self._is_as_seen(file, data):
                is_whole = False
            elif problem := self._problem(file, data.decode("utf-8", "surrogateescape")):
                self._refuse(file, problem)
            else:
                by = replace(authors[file], who=who, at=utc_stamp(now))
                by = known.by if known and known.content == seen.content else by  # sent once more
                changes.append(Outgoing(file, data, seen.content, seen.saved_ns, by))
        return changes, is_whole

    def _problem(self, file: str, text: str) -> str | None:
        """Return why a text is neither sent nor taken; None when it may be."""
        return text_problem(file, text) or self.syncer.judge(file, text)

    def _common(self) -> Record:
        """Return what is common now."""
        snapshot = self.snapshot
        return Record(snapshot.revision, self.base, snapshot.files, whole=not snapshot.refused)

    def _refuse(self, file: str, because: str) -> None:
        """Leave a file alone, and say why."""
        self.refused.add(file)
        self.tally.refuse(Skipped(file, because))

    def _is_as_seen(self, file: str, data: bytes | None) -> bool:
        """Tell whether a file still is what was compared; if not, the next round looks at it."""
        seen = self.local.files.get(file)
        return (seen.content if seen else None) == (None if data is None else blob_id(data))

    def _settle(self, files: Iterable[str]) -> None:
        """Take the versions of the remote as common: the texts here contain them."""
        self.base = with_changes(self.base, {file: self.snapshot.files.get(file) for file in files})


def _holds(folder: Folder, file: str, text: str | None) -> bool:
    """Tell whether a file has this text; for None, whether nothing at all stands under its name."""
    with suppress(OSError):
        version = version_on_disk(folder, file)
        return version.text == text if version else text is None and not folder.exists(file)
    return False


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")
