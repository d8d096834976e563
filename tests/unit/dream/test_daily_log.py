"""How far the daily logs were read is kept: what cannot be understood is set aside, never written over."""

from pathlib import Path

import pytest

from memdir.dream.daily_log import LogCursor, LogCursors
from memdir.errors import StorageError

CURSOR = LogCursor.behind("a\nb\n", [1])


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"x": {"lines": 1', b"\xff", b'{"x": {"lines": "many"}}'])
def test_a_damaged_record_is_set_aside_and_told(tmp_path: Path, damage: bytes) -> None:
    cursors, record = LogCursors(str(tmp_path)), tmp_path / "dream.logs"
    record.write_bytes(damage)
    assert LogCursors(str(tmp_path / "none")).all() == cursors.all() == {}
    cursors.put({"y": CURSOR})
    assert cursors.all() == {"y": CURSOR}
    (aside,) = tmp_path.glob("dream.logs.damaged-*")
    assert aside.read_bytes() == damage
    assert aside.name in (tmp_path / "notices").read_text()


def test_a_record_that_cannot_be_read_is_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "dream.logs").mkdir()
    with pytest.raises(StorageError, match="How far the logs were read is not known"):
        LogCursors(str(tmp_path)).all()
