"""Several machines write a shared folder without locks: what is late, torn or forged harms nobody."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.conformance.remotes import Machine, Shared
from tests.conftest import Clock
from tests.contents import parts_of

from memdir.errors import RemoteError
from memdir.sync.folder_remote import FolderRemote
from memdir.sync.remote import Outgoing, Pending, Record, Snapshot


@pytest.fixture
def shared(tmp_path: Path, clock: Clock) -> Shared:
    return Shared("folder", tmp_path, clock)


def remember(machine: Machine, body: str = "First.\n\nSecond.\n\nThird.") -> None:
    machine.memory.remember(body, kind="reference", name="bun", description="About bun")


def plant(shared: Shared, file: str, text: bytes, **more: object) -> Path:
    """Write a version as somebody who means harm could, with the right hash."""
    head = {
        "memdir": 1,
        "file": file,
        "replaces": [],
        "deleted": False,
        "saved": 5,
        "who": "Eve",
        "at": "2026",
    }
    data = json.dumps({**head, "session": "", "actor": "", **more}).encode() + b"\n" + text
    path = shared.path / "project" / f"x.{hashlib.sha256(data).hexdigest()[:32]}.md"
    path.write_bytes(data)
    return path


def test_the_same_lines_published_at_once_are_kept_twice_under_one_name_everywhere(shared: Shared) -> None:
    east, west, cleo = (shared.machine(name) for name in ("east", "west", "cleo"))
    remember(east)
    for machine in (east, west, cleo):
        machine.syncer.sync()
    for machine, text in ((east, "Two."), (west, "Zwei."), (cleo, "Deux.")):
        machine.edit("bun", "Second.", text)
    publish, others = west.remote.publish, [cleo, east]

    def slow_publish(
        changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        while others:
            others.pop().syncer.sync()
        return publish(changes, snapshot, announce)

    west.remote.publish = slow_publish  # type: ignore[method-assign]
    for machine in (west, east, cleo, west, east, cleo):
        machine.syncer.sync()
    assert east.files() == west.files() == cleo.files()
    assert len(east.files()) == 3
    words = {word for data in east.files().values() for word in data.decode().split()}
    assert {"Two.", "Zwei.", "Deux."} <= words


def test_a_version_that_has_not_arrived_whole_is_taken_later(shared: Shared) -> None:
    east, west = shared.machine("east"), shared.machine("west")
    remember(east)
    east.syncer.sync()
    (path,) = (shared.path / "project").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    result = west.syncer.sync()
    assert west.files() == {}
    assert "Not whole yet" in result.notes[0]
    path.write_bytes(whole)
    assert west.syncer.sync().pulled == ("reference_bun.md",)


def test_what_a_sync_service_leaves_in_the_folder_is_ignored(shared: Shared) -> None:
    east, west = shared.machine("east"), shared.machine("west")
    remember(east)
    east.syncer.sync()
    (path,) = (shared.path / "project").iterdir()
    for name in ("bun (conflicted copy).md", ".stfolder", "desktop.ini", f"{path.stem}.sync-conflict-1.md"):
        path.with_name(name).write_bytes(b"anything")
    assert west.syncer.sync().pulled == ("reference_bun.md",)
    assert len(west.files()) == 1


@pytest.mark.parametrize(
    "file", ["../../escape.md", "/etc/x.md", "a\\b.md", "%2e%2e/x.md", "MEMORY.md", "x\0.md"]
)
def test_a_forged_version_with_a_hostile_name_is_refused(shared: Shared, file: str) -> None:
    plant(shared, file, b"hostile")
    plant(shared, "fine.md", b"fine")
    east = shared.machine("east")
    result = east.syncer.sync()
    assert [*east.files()] == ["fine.md"]
    assert [one.file for one in result.refused] == [file]


def test_a_forged_head_or_time_breaks_nothing(shared: Shared) -> None:
    plant(shared, "a.md", b"a", saved="soon")
    plant(shared, "b.md", b"b", replaces=7)
    plant(shared, "d.md", b"d", saved=float("inf"))
    plant(shared, "c.md", b"c", saved=10**30, who="Eve\n\x1b[31m", at="9999")
    east = shared.machine("east")
    told = east.syncer.sync().notes
    assert ["is no version of a memory" in note for note in told] == [True] * 3
    assert east.syncer.sync().notes == ()  # what can never be taken is told once
    assert [*east.files()] == ["c.md"]
    assert (
        Path(east.memory.directory, "c.md").stat().st_mtime <= parts_of(east.memory).world.clock().timestamp()
    )
    assert east.authors()["c.md"].who == "Eve [31m"


def test_versions_that_replace_each_other_in_a_circle_are_not_taken_for_a_deletion(shared: Shared) -> None:
    east = shared.machine("east")
    remember(east)
    east.syncer.sync()
    plant(shared, "reference_bun.md", b"x", replaces=["0" * 32])
    east.syncer.sync()
    assert len(east.files()) == 2  # both texts: nobody knows which came first


def test_a_folder_that_is_not_mounted_is_no_empty_one(tmp_path: Path) -> None:
    remote = FolderRemote(str(tmp_path / "nowhere"), str(tmp_path / "place"), folder="project")
    with pytest.raises(RemoteError, match="mounted"):
        remote.fetch(Record())
    assert not (tmp_path / "nowhere").exists()
