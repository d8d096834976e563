"""The journal: what was acknowledged and is not in history yet, complete and without secrets."""

from dataclasses import replace
from pathlib import Path

from memdir.memories.change import Change, Operation, Version
from memdir.memories.history.journal import Journal
from memdir.memories.topic import Provenance

BY = Provenance(actor="user", source="user", session="s1", reason="because")


def operation(name: str, text: str = "text") -> Operation:
    change = Change("a.md", None, Version(text, 5, "sha"))
    return Operation(name, "2026-11-15T09:30:00Z", "remember", BY, (change,))


def test_operations_come_back_as_they_were_written(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    written = [operation("one"), operation("two", "späße \udcff 🦉 \u2028")]
    for item in written:
        journal.append(item)
    assert journal.pending() == written


def test_secrets_are_masked_before_they_reach_the_disk(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    Journal(str(tmp_path)).append(operation("one", f"token {secret}"))
    for field in ("actor", "source", "method", "session", "reason"):
        by = replace(BY, **{field: f"as {secret} says"})
        Journal(str(tmp_path)).append(replace(operation("two"), by=by))
    assert secret.encode() not in (tmp_path / "journal").read_bytes()


def test_a_torn_line_is_skipped_and_the_next_operation_is_whole(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    journal.append(operation("one"))
    with (tmp_path / "journal").open("ab") as file:
        file.write(b'{"id": "torn", "at": "2026')
    journal.append(operation("two"))
    assert [item.id for item in journal.pending()] == ["one", "two"]


def test_a_segment_is_set_aside_once_and_dropped_when_history_has_it(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    assert not journal.close_segment()
    journal.append(operation("one"))
    assert journal.close_segment()
    journal.append(operation("two"))
    assert journal.close_segment()
    assert [item.id for item in journal.closed()] == ["one"]
    assert [item.id for item in journal.pending()] == ["one", "two"]
    journal.drop_closed()
    assert [item.id for item in journal.pending()] == ["two"]
