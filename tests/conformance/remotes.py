"""Two kinds of remote and machines that sync with them, each with a directory and a state of its own."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memdir.disk.files import Folder
from memdir.memories.history.git import blob_id
from memdir.memory import Memory
from memdir.sync.folder_remote import FolderRemote
from memdir.sync.git_remote import GitRemote
from memdir.sync.remote import Authorship, load_record
from memdir.sync.remotes import AnyRemote
from memdir.sync.syncer import Syncer

__all__ = ["GIT", "KINDS", "Machine", "Shared"]

GIT = shutil.which("git") or "git"
KINDS = ("git", "folder")
_DELETE = ("update-ref", "-d", "refs/heads/main")


@dataclass
class Machine:
    """One clone: its memory, its remote and what syncs them."""

    memory: Memory
    remote: AnyRemote
    syncer: Syncer

    def files(self) -> dict[str, bytes]:
        """Return every file of the directory but the index and its hubs, which each machine derives."""
        top = Path(self.memory.directory)
        found = {str(path.relative_to(top)): path for path in top.rglob("*.md") if path.name != "MEMORY.md"}
        return {file: path.read_bytes() for file, path in found.items() if not file.startswith("hubs/")}

    def write(self, file: str, text: str) -> None:
        """Change a file as an editor would."""
        path = Path(self.memory.directory, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def authors(self) -> dict[str, Authorship]:
        """Return who wrote each file that is here as it was synced, as the record says."""
        with Folder(self.syncer.place) as place:
            record = load_record(place)
        base, files = record.base if record else {}, self.files()
        return {f: base[f].by for f in files if f in base and base[f].content == blob_id(files[f])}

    def edit(self, name: str, old: str, new: str) -> None:
        """Change words of a memory."""
        topic = self.memory.read(name)
        assert old in topic.text
        self.memory.edit(topic, topic.text.replace(old, new))


class Shared:
    """A remote of one kind below a folder, and machines for it."""

    sent_at = "2026-11-15T09:30:00Z"
    """When the remote says that something was sent, as a pattern: the clock of the tests stands still."""

    def __init__(self, kind: str, top: Path, clock: Callable[[], datetime], folder: str = "project") -> None:
        """Make the remote."""
        self.kind, self.top, self.clock, self.folder = kind, top, clock, folder
        self.path = top / ("remote.git" if kind == "git" else "share")
        if kind == "git":
            self.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.path), inside=False)
        else:
            self.path.mkdir()
            FolderRemote(str(self.path), "", folder=folder).make()

    def machine(self, name: str) -> Machine:
        """Return the clone of that name, opened anew."""
        own = self.top / name
        memory = Memory.at(own / "memory", state=own / "state", session=f"session-{name}", clock=self.clock)
        place = str(own / "state" / "sync")
        remote = self.remote(place)
        who = f"{name.title()} <{name}@example.org>"
        return Machine(memory, remote, Syncer(memory.inbox._writer, remote, place, who, self.clock))

    def remote(self, place: str) -> AnyRemote:
        """Return the remote as a machine sees it."""
        if self.kind == "git":
            return GitRemote(f"file://{self.path}", place, GIT, os.environ, folder=self.folder)
        return FolderRemote(str(self.path), place, folder=self.folder)

    def contents(self) -> Iterator[bytes]:
        """Yield every byte that the remote holds, also of old versions and of what nothing refers to."""
        if self.kind == "folder":
            yield from (path.read_bytes() for path in self.path.rglob("*") if path.is_file())
            return
        listed = self.git("cat-file", "--batch-all-objects", "--batch-check").decode().split("\n")
        for name in (line.split(" ")[0] for line in listed if line):
            yield self.git("cat-file", "-p", name)

    def empty(self) -> None:
        """Lose everything."""
        self.rewind("" if self.kind == "git" else frozenset())

    def state(self) -> object:
        """Return the present state, to go back to."""
        if self.kind == "git":
            return self.git("rev-parse", "main").decode().strip()
        return frozenset((self.path / self.folder).iterdir())

    def rewind(self, state: object) -> None:
        """Go back to an earlier state, as after a restore from a backup."""
        if self.kind == "git":
            self.git(*(["update-ref", "refs/heads/main", str(state)] if state else _DELETE))
            return
        assert isinstance(state, frozenset)
        for path in {*(self.path / self.folder).iterdir()} - state:
            path.unlink()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Be out of reach for a while."""
        self.path.rename(self.path.with_name("gone"))
        yield
        self.path.with_name("gone").rename(self.path)

    def git(self, *words: str, inside: bool = True, feed: bytes = b"") -> bytes:
        """Run git on the remote."""
        place = ["--git-dir", str(self.path)] if inside else []
        return subprocess.run([GIT, *place, *words], check=True, capture_output=True, input=feed).stdout
