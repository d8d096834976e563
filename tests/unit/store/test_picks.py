"""Picks wait for their conversation: none is replaced, few are kept, and old ones of others go."""

import os
from pathlib import Path

from memdir.store.picks import Picks

MONTH = 31 * 86_400


def test_what_nobody_took_is_shown_with_what_comes_next(tmp_path: Path) -> None:
    picks = Picks(str(tmp_path), "s1")
    picks.leave("first")
    picks.leave("second")
    assert picks.take() == "first\nsecond"
    assert picks.take() == ""
    assert os.listdir(tmp_path / "conversations") == []


def test_what_waits_does_not_grow_without_bound(tmp_path: Path) -> None:
    picks = Picks(str(tmp_path), "s1")
    for number in range(20):
        picks.leave(f"{number} " + "x" * 10_000)
    assert 10_000 < len(text := picks.take()) < 70_000
    assert "19 x" in text


def test_picks_that_wait_for_a_month_are_dropped_and_nothing_else_is(tmp_path: Path) -> None:
    Picks(str(tmp_path), "old").leave("x")
    folder = tmp_path / "conversations"
    (old,) = folder.iterdir()
    (folder / "other.txt").write_text("not ours")
    for path in (old, folder / "other.txt"):
        os.utime(path, (path.stat().st_mtime - MONTH,) * 2)
    Picks(str(tmp_path), "recent").leave("x")
    Picks(str(tmp_path), "new").leave("x")
    assert not old.exists()
    assert len(list(folder.iterdir())) == 3
    assert Picks(str(tmp_path), "recent").take() == "x"
