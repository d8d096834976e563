"""A plain folder as a remote: a mounted share, or one that Dropbox or Syncthing carries.

Every version of a memory is a file of its own that is written once and never changed: `<name>.<id>.md`,
where the id is the hash of its content. Its first line says of which file it is, which versions it replaces,
and who wrote it. So no two machines ever write the same file differently, nothing has to be locked, and what
arrives late or in pieces is taken when it is whole. Versions that nobody replaced are the present ones; where
two machines replaced the same one, both are merged, in the same way on every machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from memdir.disk.files import Folder, make_folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.disk.trees import set_mode
from memdir.errors import RemoteError
from memdir.memories.change import file_bytes
from memdir.memories.history.git import blob_id
from memdir.memories.names import conflict_name, rename_copy
from memdir.sync.merge import MergeConflict, merge
from memdir.sync.remote import (
    MAX_REMOTE_BYTES,
    Authorship,
    FileState,
    Outgoing,
    Pending,
    PurgeTarget,
    Record,
    Snapshot,
    claimed_by,
    folder_problem,
    unusable_remote,
    usable_files,
    with_changes,
)
from memdir.text.secrets.search import find_secrets
from memdir.text.value import value_class

__all__ = ["FolderRemote"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}\.([0-9a-f]{32})\.md")
_LONGEST_LINE = 16_384
_LARGEST = 65_536
"""Bytes that are read of a file beside the versions."""

_CACHE = "versions.json"
_BY = ("who", "at", "session", "actor")
_MANY = 50
"""New versions from which on the whole file system is synced once, instead of each file by itself."""


@value_class(frozen=True, slots=True)
class _Node:
    """One version: what its first line says."""

    file: str
    """The memory file that it is a version of."""
    parents: tuple[str, ...]
    """The ids of the versions that it replaces."""
    size: int
    state: FileState
    """Its name there is that of the file that holds it; a deletion has no content."""

    @property
    def id(self) -> str:
        """The hash of all that its file holds."""
        return self.state.version.split(".")[1]

    @property
    def order(self) -> tuple[str, str]:
        """What tells the older of two versions, on every machine alike."""
        return self.state.by.at, self.id


class FolderRemote:
    """One folder below a shared one."""

    def __init__(self, root: str, place: str, *, folder: str = "", shared: bool = False) -> None:
        """Take the shared folder, and ours in which is remembered what was read; nothing is opened yet.

        What is written there is for this account alone, or, if shared, for all who may use that folder.
        """
        if problem := folder_problem(folder):
            raise RemoteError(f"{folder!r} cannot be a folder of a remote: {problem}. Choose another.")
        self.path, self._place = os.path.join(root, folder) if folder else root, place
        self._root, self._shared = root, shared
        self._nodes: dict[str, _Node] = {}
        """By the name of the file that holds it: all that were ever seen."""
        self._listed: set[str] = set()
        self._heads: dict[str, list[_Node]] = {}

    def make(self) -> None:
        """Make the folder: a share that is not mounted must never be taken for an empty one."""
        steps, missing = self.path, list[str]()
        while not os.path.isdir(steps):
            missing.append(steps)
            steps = os.path.dirname(steps)
        make_folder(self.path).close()
        for step in missing if self._shared else ():
            set_mode(step, self._mode())

    def _mode(self) -> int:
        """Return the mode of the shared folder: who may use it, and whether new files get its group."""
        return stat.S_IMODE(os.stat(self._root).st_mode) & 0o3777 | 0o700

    def fetch(self, record: Record) -> Snapshot:
        """Return the present versions, those of two machines merged."""
        with self._open() as folder:
            self._listed = {name for name in os.listdir(self.path) if _NAME.fullmatch(name)}
            if record.whole and record.revision == self._revision():
                self._heads = {}
                return Snapshot(record.revision, record.files, record.base)
            return self._look(folder, record)

    def read(self, files: Sequence[FileState]) -> list[bytes | None]:
        """Return the bytes of versions."""
        with self._open() as folder:
            return [_text(folder, one.version) for one in files]

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Add a version for each change; those of others that came meanwhile are merged by the next sync."""
        with self._open() as folder:
            if not self._heads:  # nothing was new, so nothing was looked at
                self._take_in(folder)
            made = [_encode(one, [node.id for node in self._heads.get(one.file, ())]) for one in changes]
            sent = {node.file: node.state for node, _ in made}
            announce(Pending("", sent))
            self._write(folder, made)
        self._store()
        return Pending(self._revision() if snapshot.revision else "", sent)

    def log(self, _revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return all versions that were ever seen here: file, writer, and whether it was deleted."""
        self._load()
        return [(node.file, node.state.by, not node.state.content) for node in self._nodes.values()]

    def folders(self, file: str) -> dict[str, bytes | None]:
        """Return the folders in this one, each with the bytes of one file in it."""
        found: dict[str, bytes | None] = {}
        with suppress(OSError), os.scandir(self.path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and entry.name[0] != ".":
                    data = regular_bytes(os.path.join(entry.path, file), _LARGEST)
                    found[entry.name] = None if isinstance(data, Unread) else data
        return found

    def purge(self, wanted: PurgeTarget) -> str:
        """Remove every version of files; that they were deleted stays known. Say what was done."""
        removed = 0
        with Folder(self.path) as folder:
            for name in sorted(os.listdir(self.path)):
                if name.endswith(".md") and _file_of(folder, name) in wanted.files:
                    folder.remove(name)
                    removed += 1
            folder.sync()
        return f"{removed} versions removed"

    def _revision(self) -> str:
        return hashlib.sha256("\n".join(sorted(self._listed)).encode()).hexdigest()

    def _look(self, folder: Folder, record: Record) -> Snapshot:
        notes, late = self._take_in(folder)
        for file in [f for f, heads in self._heads.items() if len(heads) > 1]:
            notes += self._merge_heads(folder, file)
        self._store()
        newest = {  # a text counts, and a deletion only where there is no other
            file: max(heads, key=lambda node: (bool(node.state.content), node.order))
            for file, heads in self._heads.items()
        }
        found = {file: node.state for file, node in newest.items() if node.state.content}
        usable, refused = usable_files(found, {file: node.size for file, node in newest.items()})
        base, lost = self._common(record, newest)
        if lost:
            notes.append("The remote folder has lost versions; what it lost goes there again from here.")
        return Snapshot("" if late else self._revision(), usable, base, tuple(refused), tuple(notes))

    def _take_in(self, folder: Folder) -> tuple[list[str], bool]:
        """Read the new versions; return notes on files that are none, and whether some are incomplete."""
        self._load()
        data = {name: _read_intact(name, folder) for name in self._listed - self._nodes.keys()}
        late = [name for name, found in data.items() if found is None]
        read = {name: _decode(name, found) for name, found in data.items() if found is not None}
        self._nodes |= {name: node for name, node in read.items() if node}
        self._listed.difference_update(late)
        nodes = [self._nodes[name] for name in self._listed if name in self._nodes]
        replaced = {(node.file, parent) for node in nodes for parent in node.parents}
        self._heads = {}
        for node in sorted(nodes, key=lambda node: node.order):
            if (node.file, node.id) not in replaced:
                self._heads.setdefault(node.file, []).append(node)
        odd = [name for name, node in read.items() if node is None]
        notes = [f"{name} in the remote folder is no version of a memory; it is left alone." for name in odd]
        if late:
            count = f"{len(late)} of its files"
            notes.append(f"Not whole yet in the remote folder: {count}; the next sync looks again.")
        return notes, bool(late)

    def _merge_heads(self, folder: Folder, file: str) -> list[str]:
        """Write the merged version of a file that several machines changed at once."""
        notes, heads = list[str](), self._heads[file]
        while len(alive := [node for node in heads if node.state.content]) > 1:
            one, other = alive[:2]
            rest = [node for node in heads if node not in (one, other)]
            *copies, made = self._merge(folder, one, other)
            self._write(folder, [*copies, made])
            for copy, _ in copies:
                notes.append(f"{file} was changed on two machines at once; {copy.file} has the other text.")
            heads = sorted([*rest, made[0]], key=lambda node: node.order)
        self._heads[file] = heads
        return notes

    def _merge(self, folder: Folder, one: _Node, other: _Node) -> list[_Encoded]:
        """Return the version that replaces two; before it the older text as a copy, where they contradict."""

        def text(node: _Node | None) -> str | None:
            data = _text(folder, node.state.version) if node and node.state.content else None
            return None if data is None else data.decode("utf-8", "surrogateescape")

        first, second = text(one) or "", text(other) or ""
        both = merge(text(self._ancestor(one, other)), first, second)
        if isinstance(both, str) and find_secrets(both):  # of two halves
            both = MergeConflict("together they hold a credential")
        saved_ns, copies = max(one.state.saved_ns, other.state.saved_ns), list[_Encoded]()
        if isinstance(both, MergeConflict):
            both, copies = second, [self._copy_version(one, first)]
        joined = _outgoing(other.file, both, saved_ns, other.state.by)
        return [*copies, _encode(joined, sorted([one.id, other.id]))]

    def _copy_version(self, one: _Node, text: str) -> _Encoded:
        """Return the version that keeps a text beside its file, under a name that nothing else ever had."""
        number, by = 1, one.state.by
        while True:
            name = conflict_name(one.file, by.who, by.at, number)
            made = _encode(_outgoing(name, rename_copy(text, name), one.state.saved_ns, by), [])
            if all(node.id == made[0].id for node in self._nodes.values() if node.file == name):
                return made
            number += 1

    def _ancestor(self, one: _Node, other: _Node) -> _Node | None:
        """Return the newest version that both come from."""
        by_id = {node.id: node for node in self._nodes.values() if node.file == one.file}
        common = _ancestors(one, by_id) & _ancestors(other, by_id)
        return max((by_id[made] for made in common), key=lambda node: node.order, default=None)

    def _common(self, record: Record, newest: Mapping[str, _Node]) -> tuple[dict[str, FileState], bool]:
        """Return the base, corrected where versions of it vanished or what was pending arrived."""
        base, lost = dict[str, FileState](), False
        for file, known in record.base.items():
            if known.version in self._listed:
                base[file] = known
                continue
            lost = True
            node, head = self._nodes.get(known.version), newest.get(file)
            meeting = self._ancestor(node, head) if node and head else None
            base |= {file: meeting.state} if meeting else {}
        sent = {file: one for file, one in record.pending.files.items() if one.version in self._listed}
        return with_changes(base, sent), lost

    def _write(self, folder: Folder, made: Sequence[_Encoded]) -> None:
        """Put new versions in place durably; one that is there already is the same."""
        new = [(node.state.version, data) for node, data in made if not folder.exists(node.state.version)]
        staged = [folder.stage(name, data, durable=False) for name, data in new]
        for item in staged if self._shared else ():
            item.set_mode(self._mode() & 0o666)
        if len(staged) < _MANY or not folder.sync_everything():
            for item in staged:
                item.sync()
        for item in staged:
            item.place()
        folder.sync()
        for node, _ in made:
            self._nodes[node.state.version] = node
            self._listed.add(node.state.version)
            self._heads[node.file] = [node]

    def _load(self) -> None:
        """Read what was remembered; without it every version is read again."""
        if self._nodes:
            return
        with suppress(OSError, ValueError, TypeError, LookupError), Folder(self._place) as place:
            rows = json.loads(place.read(_CACHE, 1 << 28)[0])
            for _, name, file, parents, content, size, saved_ns, *by in rows:
                if _NAME.fullmatch(name):
                    state = FileState(content, name, saved_ns, Authorship(*by))
                    self._nodes[name] = _Node(file, tuple(parents), size, state)

    def _store(self) -> None:
        rows = [
            [n.id, s.version, n.file, n.parents, s.content, n.size, s.saved_ns, *s.by.words]
            for n, s in ((node, node.state) for node in self._nodes.values())
        ]
        with make_folder(self._place) as place:
            place.replace_cache(_CACHE, json.dumps(rows, separators=(",", ":")).encode())

    @contextmanager
    def _open(self) -> Iterator[Folder]:
        try:
            with Folder(self.path) as folder:
                yield folder
        except OSError as error:
            what = f"The remote folder {self.path} cannot be used: {(error.strerror or str(error)).lower()}"
            raise unusable_remote(what, "Look whether it is mounted.") from error


def _ancestors(node: _Node, by_id: Mapping[str, _Node]) -> set[str]:
    """Return the ids of a version and of all that it comes from, as far as they are known."""
    found, ahead = set[str](), [node.id]
    while ahead:
        made = ahead.pop()
        if made in by_id and made not in found:
            found.add(made)
            ahead += by_id[made].parents
    return found


_Encoded = tuple[_Node, bytes]
"""A version, and what its file holds."""


def _outgoing(file: str, text: str, saved_ns: int, by: Authorship) -> Outgoing:
    return Outgoing(file, data := file_bytes(text), blob_id(data), saved_ns, by)


def _encode(one: Outgoing, parents: Sequence[str]) -> _Encoded:
    """Return a version and the bytes of its file."""
    head = {"memdir": 1, "file": one.file, "replaces": list(parents), "deleted": one.data is None}
    head |= {"saved": one.saved_ns, **dict(zip(_BY, one.by.words, strict=True))}
    data = json.dumps(head).encode() + b"\n" + (one.data or b"")
    made = hashlib.sha256(data).hexdigest()[:32]
    stem = re.sub(r"[^A-Za-z0-9_-]", "-", one.file.removesuffix(".md").rpartition("/")[2])[:80] or "memory"
    return _Node(one.file, tuple(parents), len(one.data or b""), one.stored_as(f"{stem}.{made}.md")), data


def _read_intact(name: str, folder: Folder) -> bytes | None:
    """Return what one file holds; None when it is not whole, or not what its name says."""
    named = _NAME.fullmatch(name)
    try:
        data, status = folder.read(name, MAX_REMOTE_BYTES + _LONGEST_LINE + 1, shared=True)
    except OSError:
        return None
    is_whole = named and len(data) >= status.st_size and hashlib.sha256(data).hexdigest()[:32] == named[1]
    return data if is_whole else None


def _decode(name: str, data: bytes) -> _Node | None:
    """Return the version that a whole file holds; None when its first line is not that of one."""
    line, _, text = data.partition(b"\n")
    try:
        head = json.loads(line)
        by = claimed_by(*(head[key] for key in _BY))
        state = FileState("" if head["deleted"] else blob_id(text), name, int(head["saved"]), by)
        return _Node(str(head["file"]), tuple(map(str, head["replaces"])), len(text), state)
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _text(folder: Folder, name: str) -> bytes | None:
    """Return the text of a version; None when it is gone or is not what its name says."""
    data = _read_intact(name, folder)
    return data.partition(b"\n")[2] if data is not None and _decode(name, data) else None


def _file_of(folder: Folder, name: str) -> str:
    """Return the memory file whose text is in a version, be it whole or not; empty for a deletion."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        head = json.loads(folder.read(name, _LONGEST_LINE)[0].partition(b"\n")[0])
        return "" if head.get("deleted") else str(head["file"])
    return ""
