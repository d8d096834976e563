"""A node's copies of spaces: memory directories, brought up to date by sequence number before each answer.

PostgreSQL is the truth. A verb runs on the copy while the space is locked there; what it changed is published
in the same transaction, with the answer, and only then acknowledged. Where anything fails in between, the
copy is thrown away and built again, so that nothing unacknowledged is published later.

The copies of a process are private; the least recently used go, and none outlives the process.
"""

from __future__ import annotations

import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from secrets import token_hex
from threading import Lock, get_ident
from time import monotonic, time
from typing import Any, TypeVar
from uuid import UUID, uuid4

from memdir.disk.files import Folder, make_folder
from memdir.disk.lock import DirectoryLock
from memdir.disk.trees import make_temporary_folder, remove_tree
from memdir.errors import LockTimeout, Rejected, RemoteError
from memdir.hub.records import Records, SpaceVectors
from memdir.hub.space_memory import EACH_CHANGE, Changed, SpaceParts, SpaceWriter, space_world
from memdir.hub.spaces import MAX_CHANGES, FileChange, FileVersion, Moved, Published, SpaceSession
from memdir.memories.change import Change, Operation, file_bytes
from memdir.memories.history.git import blob_id
from memdir.memories.names import INDEX_NAME
from memdir.memory import Memory
from memdir.models.protocol import Model
from memdir.sync.remote import Authorship
from memdir.text.value import replace, value_class

__all__ = ["Caches", "Opened", "SpaceBusy", "SpaceCache", "Work"]

T = TypeVar("T")

Opened = Callable[..., AbstractContextManager[SpaceSession]]
"""Opens a transaction in the space, for whoever asks; raises where that is not allowed.

With `locking=True` all others are kept from changing the space until it ends.
"""

Verb = Callable[[Memory], Any]
"""What is done with a memory; it answers what JSON can say."""

_LEARNING = 60.0
"""Seconds for computing vectors; the next job computes the rest."""

_LONGEST_WAIT = 30.0
"""Seconds that a request waits for others of its space on this node: a verb takes milliseconds."""

_ROUNDS = 3
"""How often long work is done while others change the same memories; each time may cost tokens."""

_PREFIX = "memdir-node-"

_IN_MEMORY, _PLENTY = "/dev/shm", 2 << 30  # noqa: S108 - a folder of our own is made there
"""A file system in memory, and the bytes that must be free there: a copy takes some megabytes."""

_STARTING = 60.0
"""Seconds that a process has from making its folder to locking it."""

_IDLE = 900.0
"""Seconds after which an unused copy is removed at the next request."""


class SpaceBusy(RemoteError):
    """Too many requests wait for one space."""


@value_class(frozen=True, slots=True)
class Work:
    """Who changes a space, and how a repeated request is recognised."""

    request: UUID
    who: str = ""
    session: str = ""
    asked: str = ""
    """A hash of what was asked: another question under the same name is refused."""
    again: bool = True
    """Whether the request may have been made before."""


class SpaceCache:
    """One space on this node."""

    def __init__(
        self, root: str, env: Mapping[str, str], *, may_ask: bool = False, model: Model | None = None
    ) -> None:
        """Take a folder of its own; nothing is there yet. `may_ask` says that a model may be asked."""
        self._root, self._env, self._may_ask, self._model = root, env, may_ask, model
        self._lock = Lock()
        self.users, self.used = 0, monotonic()
        """How many requests use it now, and when the last one ended."""
        self._reset()

    pages: Any
    """The pages of the viewer, once somebody looked at them."""

    def _reset(self) -> None:
        make_folder(os.path.join(self._root, "home")).close()
        make_folder(os.path.join(self._root, "memories")).close()
        self._seq, self._files, self._contents = 0, dict[str, int](), dict[str, str]()
        self._identity, self.pages = "", None
        self._records = Records(self._root)
        self._writer = SpaceWriter(self._root)
        self._parts = self._make_parts()
        self.memory = Memory(self._parts)
        """The copy as it is, for those who only look."""
        self._vectors = SpaceVectors(self._parts.vectors)

    def _make_parts(self, session: str = "") -> SpaceParts:
        world = space_world(self._root, self._env, session, may_ask=self._may_ask)
        return SpaceParts(world, self._writer, self._model)

    def drop(self) -> None:
        """Throw the copy away."""
        remove_tree(self._root)

    def _begin_anew(self) -> None:
        self.drop()
        self._reset()

    def read(self, opened: Opened, verb: Callable[[Memory], T], direct: Opened | None = None) -> T:
        """Return the answer of a verb that changes nothing.

        `direct` opens the space without a transaction, to see in one round trip whether anything is new.
        """
        with self._hold_lock():
            newest = False
            if direct is not None and not self._vectors.is_due(self._seq):
                with direct() as session:
                    newest = session.state() == (self._seq, self._identity)
            if not newest:
                with opened() as session:
                    self._update(session)
                    self._vectors.take(session, self._contents, self._seq)
            self._parts.conversation.forget_shown()  # by earlier requests: each one is shown everything
            return verb(self.memory)

    @contextmanager
    def each_change(self, opened: Opened, who: str) -> Iterator[None]:
        """Publish each change of this block by itself, before its answer is returned."""

        def publish(make: Callable[[], Changed]) -> Changed:
            made, work = list[Changed](), _new_work(who)
            self.write(opened, lambda _: made.append(make()), work)
            operation, warnings = made[0]
            return replace(operation, id=str(work.request) if operation.id else ""), warnings

        token = EACH_CHANGE.set(publish)
        try:
            yield
        finally:
            EACH_CHANGE.reset(token)

    def store_records(self, opened: Opened, who: str) -> None:
        """Publish what changed besides memories, as in the inbox."""
        if self._records.changed_names():
            self.write(opened, lambda _: None, _new_work(who))

    def learn(self, opened: Opened, then: Callable[[SpaceSession, Any], object]) -> None:
        """Compute the vectors that PostgreSQL does not have, and store them for all nodes."""
        with self._hold_lock():
            with opened() as session:
                self._update(session)
                self._vectors.take(session, self._contents, self._seq)
            seq, count = self._seq, self._parts.learn(_LEARNING)
            with opened() as session:
                self._vectors.store(session, self._contents, seq)
                then(session, {"learned": count})

    def write(self, opened: Opened, verb: Verb, work: Work) -> Any:
        """Do a verb while the space is locked, publish what it changed, and return its answer.

        The same request again is answered as the first time, and nothing is done.
        """
        with self._hold_lock(), self._rebuild_on_error():
            with opened(locking=True) as session:
                newest = session.lock()
                known = session.earlier_answer(work.request) if work.again else None
                if known:
                    return _first_answer(known, work)
                if newest != (self._seq, self._identity):
                    self._update(session)
                answer = self._run_verb(verb, self.memory)
                published = self._publish(session, answer, work)
            self._seq = published.seq  # nobody else could publish meanwhile
            self._acknowledge(published)
        return answer

    def work(
        self, opened: Opened, verb: Verb, work: Work, then: Callable[[SpaceSession, Any], object]
    ) -> Any:
        """Do a verb that takes long, without holding the space; where others were quicker, do it again.

        `then` receives the answer in the transaction in which the changes are published.
        """
        for _ in range(_ROUNDS - 1):
            with suppress(Moved):
                return self._run_request(opened, verb, work, then)
        return self._run_request(opened, verb, work, then)

    def _run_request(
        self, opened: Opened, verb: Verb, work: Work, then: Callable[[SpaceSession, Any], object]
    ) -> Any:
        with self._hold_lock(), self._rebuild_on_error():
            with opened() as session:
                known = session.earlier_answer(work.request)
                self._update(session)
            if known:
                return _first_answer(known, work)
            memory = Memory(self._make_parts(work.session)) if work.session else self.memory
            try:
                answer = self._run_verb(verb, memory)
                with opened() as session:
                    published = self._publish(session, answer, work)
                    then(session, answer)
            except Exception:  # the tokens that it has used count all the same
                with suppress(RemoteError), opened() as session:
                    self._records.store_costs(session)
                raise
            self._acknowledge(published)
        return answer

    @contextmanager
    def _hold_lock(self) -> Iterator[None]:
        if not self._lock.acquire(timeout=_LONGEST_WAIT):
            raise SpaceBusy("This space has too many requests at once. Try again in a moment.")
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def _rebuild_on_error(self) -> Iterator[None]:
        """Throw the copy away when something fails after it was changed."""
        try:
            yield
        except BaseException:
            if self._writer.is_touched or self._records.changed_names():
                self._begin_anew()
            raise

    def _run_verb(self, verb: Verb, memory: Memory) -> Any:
        self._writer.open_in = get_ident()
        try:
            return verb(memory)
        finally:
            self._writer.open_in = 0

    def _update(self, session: SpaceSession) -> None:
        """Bring the copy up to date: one query where nothing changed."""
        newest, identity = session.state()
        if newest < self._seq or identity != self._identity:  # restored from a backup, or purged
            if self._seq:
                self._begin_anew()
            self._identity = identity
        while newest != self._seq:
            changes = session.changes(self._seq, MAX_CHANGES)
            try:
                self._take(session, [one for one in changes.versions if self._files.get(one.file) != one.seq])
            finally:
                self._writer.catalog.is_behind = True
            if not changes.more:
                self._records.take(session)
            self._seq = changes.seq
            if not changes.more:
                return

    def _take(self, session: SpaceSession, versions: list[FileVersion]) -> None:
        """Write versions as they are; those that do not fit into one answer are asked for again."""
        with Folder(self._parts.directory) as folder:
            for gone in [one for one in versions if one.deleted]:
                self._files.pop(gone.file, None)
                self._contents.pop(gone.file, None)
                with suppress(FileNotFoundError):
                    folder.remove(gone.file)
            left = {one.seq: one for one in versions if not one.deleted}
            while left:
                for seq, data in session.read(list(left)).items():
                    one = left.pop(seq)
                    if data is not None:
                        folder.stage(one.file, data, saved_ns=one.saved_ns, durable=False).place()
                        self._files[one.file], self._contents[one.file] = seq, one.content

    def _publish(self, session: SpaceSession, answer: Any, work: Work) -> Published:
        """Add all that was changed to the transaction; `Moved` where the request was done by another."""
        self._changes = [*_changes(self._writer.done, self._files, work)]
        said = {"asked": work.asked, "answer": answer, "mark": token_hex(8)}
        if len(done := self._writer.done) == 1:  # the history of the space tells what a request did
            said |= {"verb": done[0].verb, "undoes": done[0].undoes}
        published = session.publish(self._changes, work.request, said)
        if published.said["mark"] != said["mark"]:
            raise Moved({})
        newest = self._records.store(session)
        return replace(published, seq=newest) if newest else published

    def _acknowledge(self, published: Published) -> None:
        """Note that the copy equals PostgreSQL now; build it anew if a change was interrupted."""
        if self._writer.is_torn:
            self._begin_anew()
            return
        self._files |= {one.file: published.files[one.file] for one in self._changes}
        self._contents |= {one.file: one.content for one in self._changes}
        self._writer.settle()
        self._records.mark_stored()


class Caches:
    """The copies of one process, in a temporary folder of its own."""

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        most: int = 256,
        folder: str | None = None,
        may_ask: bool = False,
        model: Model | None = None,
    ) -> None:
        """Remove what dead processes left behind, and make a folder, below the one that is named.

        At most so many copies are kept; `may_ask` says that models may be asked.
        """
        base = folder or _quick_folder(env)
        _sweep(base)
        self._env, self._most, self._may_ask, self._model = env, most, may_ask, model
        self.folder = make_temporary_folder(base, _PREFIX)
        self._held = DirectoryLock(self.folder, os.path.join(self.folder, "lock"), seconds=0)
        self._held.__enter__()
        self._copies: OrderedDict[UUID, SpaceCache] = OrderedDict()
        self._numbers, self._mutex = count(), Lock()

    def __len__(self) -> int:
        return len(self._copies)

    @contextmanager
    def of(self, space: UUID) -> Iterator[SpaceCache]:
        """Give the copy of a space; it stays as long as somebody uses it."""
        with self._mutex:
            old = self._copies.get(space)
            if old and (old.users or old.used > monotonic() - _IDLE):
                cache, old = old, None
            else:
                folder = os.path.join(self.folder, f"{space}-{next(self._numbers)}")
                cache = SpaceCache(folder, self._env, may_ask=self._may_ask, model=self._model)
                self._copies[space] = cache
            cache.users += 1
            self._copies.move_to_end(space)
        if old:
            old.drop()
        try:
            yield cache
        finally:
            with self._mutex:
                cache.users, cache.used = cache.users - 1, monotonic()
                gone = self._take_unused()
            for one in gone:
                one.drop()

    def close(self) -> None:
        """Remove everything."""
        with self._mutex:
            self._copies.clear()
        self._held.__exit__()
        remove_tree(self.folder)

    def _take_unused(self) -> list[SpaceCache]:
        """Take out the copies that were unused for long, and the least recent ones above the limit."""
        late = monotonic() - _IDLE
        free = [space for space, cache in self._copies.items() if not cache.users]
        old = [space for space in free if self._copies[space].used < late]
        over = free[: max(0, len(self._copies) - self._most)]
        return [self._copies.pop(space) for space in dict.fromkeys([*old, *over])]


def _quick_folder(env: Mapping[str, str]) -> str:
    """Return where copies lie: in memory where there is plenty, or else among temporary files."""
    if not env.get("TMPDIR"):
        with suppress(OSError, AttributeError):
            room = os.statvfs(_IN_MEMORY)
            if os.access(_IN_MEMORY, os.W_OK) and room.f_bavail * room.f_frsize >= _PLENTY:
                return _IN_MEMORY
    return tempfile.gettempdir()


def _sweep(base: str) -> None:
    """Remove the folders of processes that ended without a chance to do so: nobody holds them."""
    with os.scandir(base) as entries:
        found = [
            one.path for one in entries if one.name.startswith(_PREFIX) and one.is_dir(follow_symlinks=False)
        ]
    for path in found:
        with suppress(OSError, LockTimeout):
            status = os.stat(path)
            if status.st_uid == os.getuid() and status.st_mtime < time() - _STARTING:
                with DirectoryLock(path, os.path.join(path, "lock"), seconds=0):
                    remove_tree(path)


def _new_work(who: str) -> Work:
    return Work(uuid4(), who, again=False)


def _first_answer(known: Published, work: Work) -> Any:
    """Return what the same request was answered before."""
    said = known.said if isinstance(known.said, dict) else {}
    if said.get("asked") != work.asked:
        raise Rejected("This Idempotency-Key was used for another request. Take a new one for each.")
    return said["answer"]


def _changes(done: list[Operation], files: Mapping[str, int], work: Work) -> Iterator[FileChange]:
    """Yield one change for each file: from the version before all operations to the text after them."""
    newest: dict[str, tuple[Change, Operation]] = {}
    for operation in done:
        newest |= {change.file: (change, operation) for change in operation.changes}
    for file, (change, operation) in newest.items():
        if file == INDEX_NAME or (change.after is None and file not in files):
            continue  # derived, or gone before anybody saw it
        by = Authorship(work.who, operation.at, operation.by.session or work.session, operation.by.actor)
        data = None if change.after is None else file_bytes(change.after)
        content = "" if data is None else blob_id(data)
        yield FileChange(file, files.get(file, 0), data, content, change.saved_ns or 0, by)
