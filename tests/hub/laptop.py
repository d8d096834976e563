"""A client of a hub with a directory of its own: it saves words that occur nowhere else, and syncs.

Run as `python -m tests.hub.laptop TASK` it is a process with many of them, a thread each; the task is a file
with JSON, and the report is written beside it.
"""

import json
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdir.errors import RemoteError
from memdir.memory import Memory
from memdir.models.vendors.http import Backoff
from memdir.sync.hub_client import HubClient
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remote import Outgoing, Pending, Snapshot
from memdir.sync.result import SyncResult
from memdir.sync.syncer import Syncer

__all__ = ["SHARED", "WORD", "ClientSettings", "Laptop", "directory_bytes"]

SHARED = "shared"
"""The name of the memory that every client of a space changes, each its own paragraph."""

WORD = re.compile(r"word-\d+-\d+")
_MOST_AT_ONCE = 8
"""Saves between two syncs."""


@dataclass(frozen=True)
class ClientSettings:
    """Where a client sits: its number, its space, and what it needs to get in."""

    number: int
    space: str
    token: str
    nodes: Sequence[str]
    """Addresses of nodes; a client whose node is away asks another, as a load balancer would."""
    folder: str


class _NotedRemote(HubRemote):
    """Notes what the hub acknowledged at the moment it did."""

    def __init__(self, client: HubClient, acknowledged: Callable[[bytes], None]) -> None:
        super().__init__(client)
        self._acknowledged = acknowledged

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        done = super().publish(changes, snapshot, announce)
        for one in changes:
            if one.file in done.files and one.data:
                self._acknowledged(one.data)
        return done


@dataclass
class Laptop:
    """One client."""

    settings: ClientSettings
    seed: int = 0
    saved: dict[str, str] = field(default_factory=dict)
    """Each word with the name of its memory, in the order of saves."""
    acknowledged: set[str] = field(default_factory=set)
    failed: int = 0
    """Syncs that did not work: a node was away, or PostgreSQL was."""

    def __post_init__(self) -> None:
        """Open the directory."""
        top = Path(self.settings.folder, f"client-{self.settings.number}")
        self.chance = random.Random(f"{self.seed} {self.settings.number}")
        self.directory, self._place = top / "memory", str(top / "state" / "sync")
        self.memory = Memory.at(
            self.directory, state=top / "state", session=f"session-{self.settings.number}"
        )
        self._node = self.settings.number % len(self.settings.nodes)
        self._connect()

    def work(self, quota: int) -> None:
        """Save and sync until so many saves are acknowledged."""
        while len(self.acknowledged) < quota:
            left = quota - len(self.saved)
            for _ in range(min(left, self.chance.randint(1, _MOST_AT_ONCE))):
                self.save()
            self.try_sync()

    def save(self) -> None:
        """Save one word: in a memory of its own, as a change of one, or in the memory that all share."""
        word, chosen = f"word-{self.settings.number}-{len(self.saved)}", self.chance.random()
        settled = [name for w, name in self.saved.items() if w in self.acknowledged and name != SHARED]
        busy = {name for w, name in self.saved.items() if w not in self.acknowledged}
        if chosen < 0.1 and SHARED not in busy and self._replaced(SHARED, word):
            self.saved[word] = SHARED
        elif chosen < 0.25 and settled and (name := self.chance.choice(settled)) not in busy:
            self._replaced(name, word)
            self.saved[word] = name
        else:
            name = f"note {self.settings.number} {len(self.saved)}"
            body = f"Client {self.settings.number}: {word}."
            self.memory.remember(body, kind="reference", name=name, description=f"About {name}")
            self.saved[word] = name

    def try_sync(self) -> bool:
        """Sync once; where the node is away, take another for the next time."""
        try:
            self.sync()
        except RemoteError:
            self.failed += 1
            self._node = (self._node + 1) % len(self.settings.nodes)
            self._connect()
            time.sleep(self.chance.random() * 0.2)
            return False
        self.acknowledged |= self.saved.keys()
        return True

    def sync(self) -> SyncResult:
        """Sync once."""
        return self._syncer.sync()

    def _connect(self) -> None:
        url = f"{self.settings.nodes[self._node]}/{self.settings.space}"
        self._client = HubClient(url, self.settings.token, {}, backoff=Backoff(3, 0.1, 1.0))
        remote = _NotedRemote(self._client, self._note)
        who = f"Client {self.settings.number} <{self.settings.number}@example.org>"
        self._syncer = Syncer(
            self.memory.inbox._writer, remote, self._place, who, lambda: datetime.now(UTC), title="the hub"
        )

    def _note(self, data: bytes) -> None:
        self.acknowledged |= self.saved.keys() & set(WORD.findall(data.decode()))

    def _replaced(self, name: str, word: str) -> bool:
        """Change this client's paragraph of a memory; tell whether it has one."""
        own = re.compile(rf"Client {self.settings.number}: [^\n]*")
        if name == SHARED and not (self.directory / f"reference_{SHARED}.md").exists():
            return False
        topic = self.memory.read(name)
        self.memory.edit(topic, own.sub(f"Client {self.settings.number}: {word}.", topic.text))
        return True


def directory_bytes(directory: Path) -> dict[str, bytes]:
    """Return every file of a memory directory but the index and its hubs, which each machine derives."""
    found = {str(path.relative_to(directory)): path for path in directory.rglob("*.md")}
    kept = {file: path for file, path in found.items() if path.name != "MEMORY.md"}
    return {file: path.read_bytes() for file, path in kept.items() if not file.startswith("hubs/")}


def main(task_file: str) -> None:
    """Let the clients of a task work, and report."""
    task: dict[str, Any] = json.loads(Path(task_file).read_text())
    laptops = [Laptop(ClientSettings(**settings), task["seed"]) for settings in task["clients"]]
    with ThreadPoolExecutor(len(laptops)) as threads:
        list(threads.map(lambda laptop: laptop.work(task["quota"]), laptops))
    report = [
        {
            "number": one.settings.number,
            "saved": one.saved,
            "acknowledged": sorted(one.acknowledged),
            "failed": one.failed,
        }
        for one in laptops
    ]
    Path(task_file).with_suffix(".report").write_text(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
