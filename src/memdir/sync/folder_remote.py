"""A plain folder as a remote: a mounted share, or one that Dropbox or Syncthing carries.

Every version of a memory is a file of its own that is written once and never changed: `<name>.<id>.md`,
where the id is the hash of its content. Its first line says of which file it is, which versions it replaces,
and who wrote it. So no two machines ever write the same file differently, nothing has to be locked, and what
arrives late or in pieces is taken when it is whole. Versions that nobody replaced are the present ones; where
two machines replaced the same one, both are merged, in the same way on every machine.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from memdir.disk.files import Folder, make_folder
from memdir.errors import RemoteError
from memdir.memories.conflict_copy import conflict_name, rename_copy
from memdir.memories.history.git import blob_id
from memdir.memories.topic import one_line
from memdir.sync.merge import MergeConflict, merge
from memdir.sync.remote import (
    MAX_REMOTE_BYTES,
    Authorship,
    Outgoing,
    Pending,
    Record,
    RemoteFile,
    Snapshot,
    folder_problem,
    usable_files,
)
from memdir.text.secrets.search import find_secrets
from memdir.text.value import replace, value_class

__all__ = ["FolderRemote"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}\.([0-9a-f]{32})\.md")
_LONGEST_LINE = 16_384
_CACHE = "versions.json"
_BY = ("who", "at", "session", "actor")
_MANY = 50
"""New versions from which on the whole file system is synced once, instead of each file by itself."""


@value_class(frozen=True, slots=True)
class _Node:
    """One version: what its first line says."""

    id: str
    name: str
    """The file that holds it."""
    file: str
    """The memory file that it is a version of."""
    parents: tuple[str, ...]
    content: str
    """The hash of the text; empty for a deletion."""
    size: int
    saved_ns: int
    by: Authorship

    @property
    def as_remote_file(self) -> RemoteFile:
        """Return it as others see it."""
        return RemoteFile(self.content, self.name, self.saved_ns, self.by)


class FolderRemote:
    """One folder below a shared one."""

    def __init__(self, root: str, place: str, *, folder: str = "", shared: bool = False) -> None:
        """Take the shared folder, and ours in which is remembered what was read; nothing is opened yet.

        What is written there is for this account alone, or, if shared, for all who may use that folder.
        """
        if problem := folder_problem(folder):
            raise RemoteError(f"{folder!r} cannot be a folder of a remote: {problem}.")
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
            os.chmod(step, self._mode())

    def _mode(self) -> int:
        """Return who may use the shared folder, with the group that it hands on."""
        return stat.S_IMODE(os.stat(self._root).st_mode) & 0o3777 | 0o700

    def fetch(self, record: Record) -> Snapshot:
        """Return the present versions, those of two machines merged."""
        with self._open() as folder:
            self._listed = {name for name in os.listdir(self.path) if _NAME.fullmatch(name)}
            if record.whole and record.revision == self._revision():
                self._heads = {}
                return Snapshot(record.revision, record.remote, record.base)
            return self._looked_at(folder, record)

    def read(self, files: Sequence[RemoteFile]) -> list[bytes | None]:
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
            sent = {node.file: node.as_remote_file for node, _ in made}
            announce(Pending("", dict(sent)))
            self._write(folder, made)
        self._store()
        whole = self._revision() if snapshot.revision else ""
        return Pending(whole, {file: one if one.content else None for file, one in sent.items()})

    def log(self, revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return all versions that were ever seen here: file, writer, and whether it was deleted."""
        del revision
        self._load()
        return [(node.file, node.by, not node.content) for node in self._nodes.values()]

    def _revision(self) -> str:
        return hashlib.sha256("\n".join(sorted(self._listed)).encode()).hexdigest()

    def _looked_at(self, folder: Folder, record: Record) -> Snapshot:
        notes, late = self._take_in(folder)
        for file in [f for f, heads in self._heads.items() if len(heads) > 1]:
            notes += self._merge_heads(folder, file)
        self._store()
        newest = {  # a text counts, and a deletion only where there is no other
            file: max(heads, key=lambda node: (bool(node.content), *_order(node)))
            for file, heads in self._heads.items()
        }
        found = {f: node.as_remote_file for f, node in newest.items() if node.content}
        usable, refused = usable_files(found, {f: node.size for f, node in newest.items()})
        base, lost = self._common(record, newest)
        if lost:
            notes.append("The remote folder has lost versions; what it lost goes there again from here.")
        return Snapshot("" if late else self._revision(), usable, base, tuple(refused), tuple(notes))

    def _take_in(self, folder: Folder) -> tuple[list[str], bool]:
        """Read the versions that are new; tell what is none, and whether one was left for another time."""
        self._load()
        data = {name: _read_intact(name, folder) for name in self._listed - self._nodes.keys()}
        late = [name for name, found in data.items() if found is None]
        read = {name: _decode(name, found) for name, found in data.items() if found is not None}
        self._nodes |= {name: node for name, node in read.items() if node}
        self._listed.difference_update(late)
        nodes = [self._nodes[name] for name in self._listed if name in self._nodes]
        replaced = {(node.file, parent) for node in nodes for parent in node.parents}
        self._heads = {}
        for node in sorted(nodes, key=_order):
            if (node.file, node.id) not in replaced:
                self._heads.setdefault(node.file, []).append(node)
        notes = [
            f"{name} in the remote folder is no version of a memory; it is left alone."
            for name, node in read.items()
            if node is None
        ]
        told = f"Not whole yet in the remote folder: {len(late)} of its files; the next sync looks again."
        return [*notes, *([told] if late else [])], bool(late)

    def _merge_heads(self, folder: Folder, file: str) -> list[str]:
        """Write the merged version of a file that several machines changed at once."""
        notes, heads = list[str](), self._heads[file]
        while len(alive := [node for node in heads if node.content]) > 1:
            one, other = alive[:2]
            rest = [node for node in heads if node not in (one, other)]
            made, conflict = self._merge(folder, one, other)
            self._write(folder, [made] if conflict is None else [conflict, made])
            if conflict is not None:
                copy = conflict[0].file
                notes.append(f"{file} was changed on two machines at once; {copy} has the other text.")
            heads = sorted([*rest, made[0]], key=_order)
        self._heads[file] = heads
        return notes

    def _merge(
        self, folder: Folder, one: _Node, other: _Node
    ) -> tuple[tuple[_Node, bytes], tuple[_Node, bytes] | None]:
        """Return the version that replaces two, and that which keeps the older text where they contradict."""
        texts = [_text(folder, node.name) or b"" for node in (one, other)]
        ancestor = self._ancestor(one, other)
        base = _text(folder, ancestor.name) if ancestor and ancestor.content else None
        first, second = (text.decode("utf-8", "surrogateescape") for text in texts)
        both = merge(base if base is None else base.decode("utf-8", "surrogateescape"), first, second)
        if isinstance(both, str) and find_secrets(both):  # of two halves
            both = MergeConflict("together they hold a credential")
        kept = second if isinstance(both, MergeConflict) else both
        joint = _outgoing(other, kept, max(one.saved_ns, other.saved_ns))
        made = _encode(joint, sorted([one.id, other.id]))
        return made, self._copy_version(one, first) if isinstance(both, MergeConflict) else None

    def _copy_version(self, one: _Node, text: str) -> tuple[_Node, bytes]:
        """Return the version that keeps a text beside its file, under a name that nothing else ever had."""
        number = 1
        while True:
            name = conflict_name(one.file, one.by.who, one.by.at, number)
            made = _encode(_outgoing(replace(one, file=name), rename_copy(text, name), one.saved_ns), [])
            if all(node.id == made[0].id for node in self._nodes.values() if node.file == name):
                return made
            number += 1

    def _ancestor(self, one: _Node, other: _Node) -> _Node | None:
        """Return the newest version that both come from."""
        by_id = {node.id: node for node in self._nodes.values() if node.file == one.file}
        common = _ancestors(one, by_id) & _ancestors(other, by_id)
        return max((by_id[made] for made in common), key=_order, default=None)

    def _common(self, record: Record, newest: Mapping[str, _Node]) -> tuple[dict[str, RemoteFile], bool]:
        """Return the base, corrected where versions of it vanished or what was pending arrived."""
        base, lost = dict[str, RemoteFile](), False
        for file, known in record.base.items():
            if known.version in self._listed:
                base[file] = known
                continue
            lost = True
            node, head = self._nodes.get(known.version), newest.get(file)
            meeting = self._ancestor(node, head) if node and head else None
            if meeting and meeting.content:
                base[file] = meeting.as_remote_file
        for file, sent in record.pending.files.items():
            if sent and sent.version in self._listed:
                base.pop(file, None)
                base |= {file: sent} if sent.content else {}
        return base, lost

    def _write(self, folder: Folder, made: Sequence[tuple[_Node, bytes]]) -> None:
        """Put new versions in place durably; one that is there already is the same."""
        new = [(node.name, data) for node, data in made if not folder.exists(node.name)]
        staged = [folder.stage(name, data, durable=False) for name, data in new]
        for item in staged if self._shared else ():
            folder.at(os.chmod, item.temp, mode=self._mode() & 0o666)
        if len(staged) < _MANY or not folder.sync_everything():
            for item in staged:
                item.sync()
        for item in staged:
            item.place()
        folder.sync()
        for node, _ in made:
            self._nodes[node.name] = node
            self._listed.add(node.name)
            self._heads[node.file] = [node]

    def _load(self) -> None:
        """Read what was remembered; without it every version is read again."""
        if self._nodes:
            return
        with suppress(OSError, ValueError, TypeError, LookupError), Folder(self._place) as place:
            rows = json.loads(place.read(_CACHE, 1 << 28)[0])
            for made, name, file, parents, content, size, saved_ns, *by in rows:
                about = (tuple(parents), content, size, saved_ns, Authorship(*by))
                self._nodes[name] = _Node(made, name, file, *about)

    def _store(self) -> None:
        rows = [
            [n.id, n.name, n.file, n.parents, n.content, n.size, n.saved_ns, *n.by.words]
            for n in self._nodes.values()
        ]
        with make_folder(self._place) as place:
            place.replace_cache(_CACHE, json.dumps(rows, separators=(",", ":")).encode())

    @contextmanager
    def _open(self) -> Iterator[Folder]:
        try:
            with Folder(self.path) as folder:
                yield folder
        except OSError as error:
            raise RemoteError(
                f"The remote folder {self.path} cannot be used: {(error.strerror or str(error)).lower()}. "
                "Look whether it is mounted; what is here is safe, and goes there with the next sync that "
                "works."
            ) from error


def _order(node: _Node) -> tuple[str, str]:
    return node.by.at, node.id


def _ancestors(node: _Node, by_id: Mapping[str, _Node]) -> set[str]:
    """Return the ids of a version and of all that it comes from, as far as they are known."""
    found, ahead = set[str](), [node.id]
    while ahead:
        made = ahead.pop()
        if made in by_id and made not in found:
            found.add(made)
            ahead += by_id[made].parents
    return found


def _outgoing(node: _Node, text: str, saved_ns: int) -> Outgoing:
    data = text.encode("utf-8", "surrogateescape")
    return Outgoing(node.file, data, blob_id(data), saved_ns, node.by)


def _encode(one: Outgoing, parents: Sequence[str]) -> tuple[_Node, bytes]:
    """Return a version as it is written, and what its first line says."""
    head = {"memdir": 1, "file": one.file, "replaces": list(parents), "deleted": one.data is None}
    head |= {"saved": one.saved_ns, **dict(zip(_BY, one.by.words, strict=True))}
    data = json.dumps(head).encode() + b"\n" + (one.data or b"")
    made = hashlib.sha256(data).hexdigest()[:32]
    stem = re.sub(r"[^A-Za-z0-9_-]", "-", one.file.removesuffix(".md").rpartition("/")[2])[:80] or "memory"
    about = ("" if one.data is None else one.content, len(one.data or b""), one.saved_ns, one.by)
    return _Node(made, f"{stem}.{made}.md", one.file, tuple(parents), *about), data


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
        words = [one_line(str(head[key]))[:300] for key in _BY]
        parents = tuple(str(parent) for parent in head["replaces"])
        content = "" if head["deleted"] else blob_id(text)
        about = (content, len(text), int(head["saved"]), Authorship(*words))
        return _Node(name.split(".")[1], name, str(head["file"]), parents, *about)
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _text(folder: Folder, name: str) -> bytes | None:
    """Return the text of a version; None when it is gone or is not what its name says."""
    data = _read_intact(name, folder)
    return data.partition(b"\n")[2] if data is not None and _decode(name, data) else None
