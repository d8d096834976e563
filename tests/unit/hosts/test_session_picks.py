"""Picks wait for their conversation: none is replaced, few are kept, and old ones of others go."""

import os
from pathlib import Path

from memdir.hosts.session import Pick, leave_picks, take_picks

MONTH = 31 * 86_400


def test_what_nobody_took_is_shown_with_what_comes_next(tmp_path: Path) -> None:
    talk = str(tmp_path), "s1"
    leave_picks(*talk, [Pick("a.md", "first")])
    leave_picks(*talk, [Pick("b.md", "second")])
    assert take_picks(*talk) == [Pick("a.md", "first"), Pick("b.md", "second")]
    assert take_picks(*talk) == []
    assert os.listdir(tmp_path / "conversations") == []


def test_what_waits_does_not_grow_without_bound(tmp_path: Path) -> None:
    talk = str(tmp_path), "s1"
    for number in range(50):
        leave_picks(*talk, [Pick(f"{number}.md", "x")])
    assert [pick.file for pick in take_picks(*talk)] == [f"{number}.md" for number in range(30, 50)]


def test_what_is_damaged_counts_as_nothing(tmp_path: Path) -> None:
    talk = str(tmp_path), "s1"
    for data in (b"\xff", b"{}", b"[1]", b'[["a"]]', b'["abc"]'):
        leave_picks(*talk, [Pick("a.md", "x")])
        (path,) = (tmp_path / "conversations").iterdir()
        path.write_bytes(data)
        assert take_picks(*talk) == []


def test_picks_that_wait_for_a_month_are_dropped_and_nothing_else_is(tmp_path: Path) -> None:
    leave_picks(str(tmp_path), "old", [Pick("a.md", "x")])
    folder = tmp_path / "conversations"
    (old,) = folder.iterdir()
    (folder / "other.txt").write_text("not ours")
    for path in (old, folder / "other.txt"):
        os.utime(path, (path.stat().st_mtime - MONTH,) * 2)
    leave_picks(str(tmp_path), "recent", [Pick("a.md", "x")])
    leave_picks(str(tmp_path), "new", [Pick("a.md", "x")])
    assert not old.exists()
    assert len(list(folder.iterdir())) == 3
    assert take_picks(str(tmp_path), "recent") == [Pick("a.md", "x")]
