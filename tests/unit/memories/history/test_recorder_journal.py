"""The journal: what was acknowledged and is not in history yet, complete and without secrets."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.memories.change import Operation, Version, change_between
from memdir.memories.history.recorder import Recorder
from memdir.memories.topic import Provenance

BY = Provenance(actor="user", source="user", session="s1", reason="because")


NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(str(tmp_path / "none"), str(tmp_path), shutil.which("git"))


def operation(name: str, text: str = "text") -> Operation:
    change = change_between("a.md", None, Version(text, 5, "sha"))
    return Operation(name, "2026-11-15T09:30:00Z", "remember", BY, (change,))


def test_operations_come_back_as_they_were_written(recorder: Recorder) -> None:
    written = [operation("one"), operation("two", "späße \udcff 🦉 \u2028")]
    for item in written:
        recorder.note(item)
    assert recorder.pending() == written


def test_secrets_are_masked_before_they_reach_the_disk(recorder: Recorder, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    recorder.note(operation("one", f"token {secret}"))
    for field in ("actor", "source", "method", "session", "reason"):
        by = replace(BY, **{field: f"as {secret} says"})
        recorder.note(replace(operation("two"), by=by))
    assert secret.encode() not in (tmp_path / "journal").read_bytes()


def test_a_torn_line_is_skipped_and_the_next_operation_is_whole(recorder: Recorder, tmp_path: Path) -> None:
    recorder.note(operation("one"))
    with (tmp_path / "journal").open("ab") as file:
        file.write(b'{"id": "torn", "at": "2026')
    recorder.note(operation("two"))
    assert [item.id for item in recorder.pending()] == ["one", "two"]


def test_what_a_crash_left_set_aside_comes_first(recorder: Recorder, tmp_path: Path) -> None:
    recorder.note(operation("one"))
    (tmp_path / "journal").rename(tmp_path / "journal.closed")
    recorder.note(operation("two"))
    assert [item.id for item in recorder.pending()] == ["one", "two"]


def test_the_journal_is_empty_once_history_has_everything(recorder: Recorder, tmp_path: Path) -> None:
    recorder.note(operation("one"))
    (tmp_path / "journal").rename(tmp_path / "journal.closed")
    recorder.note(operation("two"))
    recorder.catch_up(NOW)
    assert recorder.pending() == []
    assert [entry.id for entry in recorder.history.entries()] == ["two", "one"]
