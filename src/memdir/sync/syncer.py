"""Keep one memory directory in step with one remote folder.

The order makes a kill at any moment harmless. What comes in is written here first, by the writer and under
its lock, and only where a file still is what was compared. Then what goes out is published on top of what was
fetched. The record of what is common follows each step. Whatever is cut off in between, the next sync finds
the texts where they are and goes on.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from memdir.disk.files import Folder, make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.errors import RemoteError
from memdir.memories.catalog.catalog import pause_collector
from memdir.memories.change import Edit, file_bytes, version_on_disk
from memdir.memories.conflict_copy import conflict_name, is_conflict_copy, rename_copy
from memdir.memories.history.git import blob_id
from memdir.memories.scan import Skipped
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.progress import count_progress
from memdir.sync.local import LocalFiles, LocalScanner, forgotten_files, local_authors
from memdir.sync.merge import merge
from memdir.sync.plan import Action, SyncPlan, plan_sync
from memdir.sync.remote import (
    DAMAGED,
    RECORD,
    Authorship,
    Judge,
    Outgoing,
    Pending,
    Record,
    Remote,
    RemoteFile,
    RemoteMoved,
    Snapshot,
    folded_name,
    load_record,
    store_record,
    text_problem,
)
from memdir.sync.result import SyncConflict, SyncResult, SyncStatus, SyncTally
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace

__all__ = ["Syncer"]

_ROUNDS = 12
"""How often a sync looks again when others were quicker; each of them got something done meanwhile."""

_FEW_DELETES = 10
"""Files that may vanish outside memdir, and count as deleted, however few are left."""

_CAME_BACK = (
    "{count} memories were gone here though nobody forgot them through memdir: they are back. "
    "`memdir forget` deletes them for good."
)


class Syncer:
    """One directory and its remote."""

    def __init__(
        self,
        writer: Writer,
        remote: Remote,
        place: str,
        who: str,
        clock: Callable[[], datetime],
        *,
        source: str = "",
        title: str = "the remote",
        judge: Judge = lambda _file, _text: None,
    ) -> None:
        """Take both sides, and a folder in the state folder for the record of what they have in common.

        `who` is the person who writes here; `source` is whose words history says that come in: "team" for
        those of others, nobody's where the header of each may say; `judge` may refuse a text in either
        direction, beside what is always refused.
        """
        self._writer, self._remote, self._place = writer, remote, place
        self._who, self._clock, self._source, self._title = who, clock, source, title
        self._scanner, self._judge = LocalScanner(writer.memories, place), judge

    def sync(self) -> SyncResult:
        """Bring both sides in step and say what was done; `RemoteError` where the remote cannot be used."""
        tally, lock = SyncTally(), DirectoryLock(self._place, os.path.join(self._place, "sync.lock"))
        with storage_errors("Not synced"), make_folder(self._place) as place, lock:
            for _ in range(_ROUNDS):
                with pause_collector():
                    done = self._one_round(place, tally)
                if done:
                    return tally.result(self._title)
        raise RemoteError(
            f"Others changed {self._title} {_ROUNDS} times while this sync tried. "
            "What is here is safe; sync again."
        )

    def status(self) -> SyncStatus:
        """Say where this directory stands since the last sync; the remote is not asked."""
        with make_folder(self._place) as place:
            record = load_record(place) or Record()
            last = place.identity(RECORD)
        files = self._scanner.scan().files
        plan = plan_sync(record.base, files, record.base)
        waiting = tuple(plan.of(Action.PUSH, Action.DELETE_THERE))
        ended = utc_stamp(datetime.fromtimestamp(last[2] / 10**9, self._clock().tzinfo)) if last else ""
        return SyncStatus(self._title, ended, waiting, tuple(filter(is_conflict_copy, sorted(files))))

    def authors(self) -> dict[str, Authorship]:
        """Return of each synced file who wrote its present text, when and in which session.

        A text that was never synced, or was changed here since, is left out.
        """
        with make_folder(self._place) as place:
            base = (load_record(place) or Record()).base
        files = self._scanner.scan().files
        return {f: base[f].by for f, one in files.items() if f in base and base[f].content == one.content}

    def _one_round(self, place: Folder, tally: SyncTally) -> bool:
        """Fetch, take in, publish; tell whether both sides agree now."""
        record = load_record(place)
        if record is None:
            tally.note(DAMAGED)
            record = Record()
        snapshot = self._remote.fetch(record)
        local = self._scanner.scan()
        base = dict(snapshot.base) if local.exists else {}
        for file, version in record.pulling.items():  # what a sync wrote here before it was cut off
            if (here := local.files.get(file)) and here.content == version.content:
                base[file] = version
        work = _Round(place, tally, base, local, snapshot, record.base)
        tally.refuse(*snapshot.refused, *local.refused)
        tally.note(*snapshot.notes)
        done = self._send(self._take_in(work), work)
        if work.record != record:
            store_record(place, work.record)
        return done

    def _take_in(self, work: "_Round") -> SyncPlan:
        """Write here what changed on the remote; return what is to be done then."""
        plan = self._plan(work)
        incoming = plan.of(Action.PULL, Action.DELETE_HERE, Action.MERGE)
        edits = self._edits(plan, incoming, work) if incoming else []
        if not edits:
            return self._plan(work) if incoming else plan
        there = work.snapshot.files
        pulling = {edit.file: there[edit.file] for edit in edits if edit.file in there}
        store_record(work.place, replace(work.record, pulling=pulling))
        by, made = Provenance("sync", self._source, reason=f"from {self._title}"), list[str]()
        usable = partial(_unchanged_edits, edits, work.tally.copies, made)
        operation, _ = self._writer.apply("sync", by, self._clock(), usable)
        work.tally.count_written(edits, made, operation.id)
        work.settle([file for file in made if file in plan.actions])
        wrote = {*made}
        done = [edit for edit in edits if edit.file in wrote and edit.after is not None]
        self._scanner.note_written({e.file: (file_bytes(e.after or ""), e.saved_ns or 0) for e in done})
        work.local = self._scanner.scan()
        return self._plan(work)

    def _plan(self, work: "_Round") -> SyncPlan:
        plan = plan_sync(work.base, work.local.files, work.snapshot.files)
        work.settle(plan.agreed)
        unseen = {one.file for one in work.snapshot.refused}  # there, though it cannot be taken
        closed = {f for f in plan.actions if f in unseen or work.local.is_closed(f)} | work.refused
        for file in plan.of(Action.DELETE_THERE):
            if problem := self._scanner.obstacle(file):  # it is not seen, which is not the same as gone
                closed.add(file)
                work.tally.refuse(Skipped(file, problem))
        actions = {file: action for file, action in plan.actions.items() if file not in closed}
        gone = [file for file, action in actions.items() if action is Action.DELETE_THERE]
        if len(gone) > _FEW_DELETES and len(gone) * 2 > len(work.base):
            lost = {*gone} - forgotten_files(self._writer, self._clock())
            actions |= dict.fromkeys(lost, Action.PULL)
            work.tally.note(_CAME_BACK.format(count=len(lost)) if lost else "")
        work.tally.note(*[said for file, said in plan.kept.items() if file in actions])
        return replace(plan, actions=actions)

    def _edits(self, plan: SyncPlan, incoming: Sequence[str], work: "_Round") -> list[Edit]:
        """Return what to write here; what must not be written is refused, and stays as it is."""
        here = self._scanner.texts(incoming)
        incoming = [file for file in incoming if work.is_as_seen(file, here.get(file))]
        there = {f: work.snapshot.files[f] for f in incoming if f in work.snapshot.files}
        bases = {f: work.base[f] for f in incoming if f in work.base and plan.actions[f] is Action.MERGE}
        read = list(map(_text, self._remote.read([*there.values(), *bases.values()])))
        theirs = dict(zip(there, read[: len(there)], strict=True))
        common = dict(zip(bases, read[len(there) :], strict=True))
        twins = {folded_name(file): file for file in work.local.files}
        latest, edits = int(self._clock().timestamp() * 10**9), list[Edit]()
        for file in count_progress(incoming):
            ours, text = _text(here.get(file)), theirs.get(file)
            if file not in there:
                edits.append(Edit(file, ours, None))
            elif text is None:
                raise RemoteError(f"The remote lists {file} and cannot give its text. Sync again later.")
            elif problem := self._problem(file, text):
                work.refuse(file, problem)
            elif (twin := twins.get(folded_name(file), file)) != file:
                work.refuse(file, f"{twin} has this name but for the case or the form of letters")
            elif problem := self._scanner.obstacle(file):
                work.refuse(file, problem)
            else:  # no text is of the future, or older than computers
                edit = Edit(file, ours, text, min(max(there[file].saved_ns, 0), latest))
                joins = plan.actions[file] is Action.MERGE and ours is not None
                edits += self._join_texts(edit, common.get(file), work) if joins else [edit]
        return edits

    def _problem(self, file: str, text: str) -> str | None:
        """Return why a text is neither sent nor taken; None when it may be."""
        return text_problem(file, text) or self._judge(file, text)

    def _join_texts(self, edit: Edit, base: str | None, work: "_Round") -> list[Edit]:
        """Return the merged text, or that of the remote with ours in a file beside it."""
        file, ours = edit.file, edit.before or ""
        saved_ns = work.local.files[file].saved_ns
        both = merge(base, ours, edit.after or "")
        if both == ours:
            work.settle([file])
            return []
        if isinstance(both, str):
            work.tally.merging.add(file)
            return [replace(edit, after=both, saved_ns=max(saved_ns, edit.saved_ns or 0))]
        copy = self._copy(file, ours, saved_ns, work)
        work.tally.conflicting[file] = SyncConflict(file, copy.file, both.because)
        return [copy, edit]

    def _copy(self, file: str, text: str, saved_ns: int, work: "_Round") -> Edit:
        """Return the copy of our text beside the other: in a new file, or in one that holds it already."""
        number, at = 1, utc_stamp(self._clock())
        while True:
            name = conflict_name(file, self._who, at, number)
            ours, held = rename_copy(text, name), _text(self._scanner.texts([name]).get(name))
            free = held == ours or (held is None and name not in work.snapshot.files)
            if name != file and name not in work.copies and free:
                work.copies.add(name)
                return Edit(name, None, ours, saved_ns)
            number += 1

    def _send(self, plan: SyncPlan, work: "_Round") -> bool:
        """Publish what changed here; tell whether nothing is left to do."""
        left = plan.of(Action.PULL, Action.DELETE_HERE, Action.MERGE)
        changes, changed = self._outgoing(plan, work)
        if changes:
            try:
                done = self._remote.publish(changes, work.snapshot, work.announce)
            except RemoteMoved:
                return False
            work.note_published(done)
            work.tally.count_sent([one for one in changes if one.file in done.files])
            for one in done.refused:
                work.refuse(one.file, one.because)
            changed = changed or len(done.files) + len(done.refused) < len(changes)
        return not left and not changed

    def _outgoing(self, plan: SyncPlan, work: "_Round") -> tuple[list[Outgoing], bool]:
        """Return what to publish, and whether a file changed since it was looked at."""
        gone, files = plan.of(Action.DELETE_THERE), plan.of(Action.PUSH)
        texts = self._scanner.texts(files)
        now = utc_stamp(self._clock())
        authors = local_authors(self._writer, self._clock(), texts) if texts else {}
        changes = [Outgoing(f, None, "", 0, Authorship(self._who, now, "", "user")) for f in gone]
        changed = len(texts) < len(files)
        for file, data in count_progress(texts.items()):
            seen = work.local.files[file]
            if not work.is_as_seen(file, data):
                changed = True
            elif problem := self._problem(file, data.decode("utf-8", "surrogateescape")):
                work.refuse(file, problem)
            else:
                known = work.known.get(file)
                by = replace(authors.get(file, Authorship()), who=self._who, at=now)
                by = known.by if known and known.content == seen.content else by
                changes.append(Outgoing(file, data, seen.content, seen.saved_ns, by))
        return changes, changed


@dataclass(slots=True)
class _Round:
    """One look at both sides, and what has been settled since."""

    place: Folder
    tally: SyncTally
    base: dict[str, RemoteFile]
    local: LocalFiles
    snapshot: Snapshot
    known: Mapping[str, RemoteFile]
    """The base as it was recorded: who wrote what is sent once more."""
    copies: set[str] = field(default_factory=set)
    """Files that this round makes for our version of a text."""
    refused: set[str] = field(default_factory=set)

    @property
    def record(self) -> Record:
        """Return what is common now."""
        base, there = self.base, self.snapshot.files
        ahead: dict[str, RemoteFile | None] = {f: None for f in base if f not in there}
        ahead |= {f: one for f, one in there.items() if one is not base.get(f) and one != base.get(f)}
        return Record(self.snapshot.revision, dict(base), ahead, whole=not self.snapshot.refused)

    def refuse(self, file: str, because: str) -> None:
        """Leave a file alone, and say why."""
        self.refused.add(file)
        self.tally.refuse(Skipped(file, because))

    def is_as_seen(self, file: str, data: bytes | None) -> bool:
        """Tell whether a file still is what was compared; if not, the next round looks at it."""
        seen = self.local.files.get(file)
        return (seen.content if seen else None) == (None if data is None else blob_id(data))

    def settle(self, files: Iterable[str]) -> None:
        """Take the versions of the remote as common: what stands here has them in it."""
        for file in files:
            self.base.pop(file, None)
            if there := self.snapshot.files.get(file):
                self.base[file] = there

    def announce(self, pending: Pending) -> None:
        """Record what is about to be published."""
        store_record(self.place, replace(self.record, pending=pending))

    def note_published(self, done: Pending) -> None:
        """Take what the remote has now as common."""
        files = dict(self.snapshot.files)
        for file, version in done.files.items():
            files.pop(file, None)
            files |= {file: version} if version else {}
        self.snapshot = replace(self.snapshot, revision=done.revision, files=files)
        self.settle(done.files)


def _unchanged_edits(
    edits: Sequence[Edit], copies: Mapping[str, str], made: list[str], folder: Folder
) -> list[Edit]:
    """Return the edits of files that still are what was compared; called under the lock.

    Our version of a text gives way only when its copy is there, or is written in the same step.
    """
    good: dict[str, Edit] = {}
    wanted = {edit.file: edit.after for edit in edits}
    for edit in edits:
        present, copy = _current_text(folder, edit.file), copies.get(edit.file)
        if present != edit.before:
            continue
        try:  # something that is no memory, or stands where a folder for it should be
            if present is None and folder.exists(edit.file):
                continue
        except OSError:
            continue
        if copy is None or copy in good or _current_text(folder, copy) == wanted.get(copy, ""):
            good[edit.file] = edit
    made[:] = good
    return list(good.values())


def _current_text(folder: Folder, file: str) -> str | None:
    try:
        version = version_on_disk(folder, file)
    except OSError:
        return None
    return version.text if version else None


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")
