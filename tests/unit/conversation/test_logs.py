"""Loads are cheap lines on this machine: complete, bounded, and never in the way."""

from pathlib import Path

import pytest

from memdir.conversation import logs as module
from memdir.conversation.logs import Load, Loads

LOAD = Load("2026-11-15T09:30:00Z", "private", 210, 9_000, "lines", "")
OFF = Load("", "off", 0, 0, "", "variable")


def test_what_was_added_comes_back_equal_newest_first(tmp_path: Path) -> None:
    kept = Loads(str(tmp_path / "state"))
    assert kept.all() == []
    kept.add(LOAD)
    kept.add(OFF)
    assert kept.all() == [OFF, LOAD]


def test_a_line_that_is_torn_or_of_another_kind_is_passed_over(tmp_path: Path) -> None:
    kept = Loads(str(tmp_path))
    kept.add(LOAD)
    with (tmp_path / "loads").open("ab") as file:
        file.write(b"2026-11-15T09:30:00Z priv")
    kept.add(OFF)
    (tmp_path / "loads.1").write_bytes(b"\xff\xfe\n- private many 3 - -\n")
    assert kept.all() == [OFF, LOAD]


def test_the_oldest_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", 200)
    kept = Loads(str(tmp_path))
    for number in range(50):
        kept.add(Load("", "private", number, 0))
    found = [load.lines for load in kept.all()]
    assert found == list(range(49, 49 - len(found), -1))
    assert 10 < len(found) < 50
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 500


def test_a_place_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    kept = Loads(str(tmp_path / "state"))
    kept.add(LOAD)
    assert kept.all() == []
