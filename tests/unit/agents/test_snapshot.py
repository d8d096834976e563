"""A snapshot begins a memory, is offered when it is newer than what was taken, and says nothing else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.agents.snapshot import (
    AgentSnapshot,
    SnapshotState,
    record_taken,
    snapshot_at,
    snapshot_times,
    write_snapshot,
)

NOW, LATER = datetime(2026, 11, 15, tzinfo=UTC), datetime(2026, 11, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("made", "taken", "has_memory", "expected"),
    [
        (None, None, True, "none"),
        (NOW, None, False, "initialise"),
        (NOW, None, True, "offer"),
        (NOW, NOW, True, "current"),
        (NOW, LATER, True, "current"),
        (LATER, NOW, True, "offer"),
    ],
)
def test_what_a_snapshot_means(
    tmp_path: Path, made: datetime | None, taken: datetime | None, has_memory: bool, expected: str
) -> None:
    folder, state = str(tmp_path / "snapshot"), str(tmp_path / "state")
    if taken:
        write_snapshot(folder, {}, taken)
        record_taken(state, snapshot_at(folder, state, has_memory=True))
    if made:
        write_snapshot(folder, {}, made)
    assert snapshot_at(folder, state, has_memory=has_memory).state == expected


def test_a_newer_snapshot_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    folder, state = str(tmp_path / "snapshot"), str(tmp_path / "state")
    write_snapshot(folder, {"a.md": (b"one", 10**18 + 1), "b.md": (b"two", 5)}, NOW)
    assert snapshot_times(folder) == {"a.md": 10**18 + 1, "b.md": 5}
    first = snapshot_at(folder, state, has_memory=True)
    record_taken(state, first)
    assert snapshot_at(folder, state, has_memory=True).state is SnapshotState.CURRENT
    (tmp_path / "snapshot" / "README").write_text("a person's own")
    write_snapshot(folder, {"b.md": (b"three", 6)}, LATER)
    assert sorted(path.name for path in tmp_path.glob("snapshot/*")) == ["README", "b.md", "snapshot.json"]
    second = snapshot_at(folder, state, has_memory=True)
    assert (second.state, second.taken) == (SnapshotState.OFFER, first.timestamp)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"timestamp": 7, "files": []}', '{"files": {"a": -1, "b": "x"}}']
)
def test_a_damaged_record_is_no_snapshot_or_one_without_times(tmp_path: Path, content: str) -> None:
    (tmp_path / "snapshot.json").write_text(content)
    found = snapshot_at(str(tmp_path), str(tmp_path / "state"), has_memory=True)
    assert isinstance(found, AgentSnapshot)
    assert snapshot_times(str(tmp_path)) == {}
