"""A cursor moves only from where its mover found it, whole or not at all, also when the mover is killed."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memdir.conversation import cursors as module
from memdir.conversation.cursors import Cursor, Cursors

HERE = Cursor(10, 1, "u1", "2026-11-15T08:00:00+00:00", "abc")
THERE = Cursor(20, 2, "u2", "2026-11-15T08:00:01+00:00", "def")


def test_a_new_conversation_has_none(tmp_path: Path) -> None:
    assert Cursors(str(tmp_path)).of("s") is None
    assert not (tmp_path / "cursors").exists()


def test_it_moves_from_where_it_stands(tmp_path: Path) -> None:
    cursors = Cursors(str(tmp_path))
    assert cursors.advance("s", None, HERE)
    assert Cursors(str(tmp_path)).of("s") == HERE
    assert cursors.advance("s", HERE, THERE)
    assert cursors.of("s") == THERE


def test_it_does_not_move_for_one_who_saw_it_elsewhere(tmp_path: Path) -> None:
    cursors = Cursors(str(tmp_path))
    assert cursors.advance("s", None, HERE)
    assert not cursors.advance("s", None, THERE)
    assert not cursors.advance("s", THERE, THERE)
    assert cursors.of("s") == HERE


def test_of_many_movers_one_moves_it(tmp_path: Path) -> None:
    def move(number: int) -> bool:
        return Cursors(str(tmp_path)).advance("s", None, Cursor(number, 0, "", "", ""))

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(move, range(1, 17))) == 1


def test_sessions_and_jobs_are_apart_and_any_id_is_safe(tmp_path: Path) -> None:
    for session in ("a", "../../x", "a\0b", "\ud800", "", "x" * 10_000):
        assert Cursors(str(tmp_path)).advance(session, None, HERE)
    assert Cursors(str(tmp_path), "notes").of("a") is None
    assert {path.parent for path in tmp_path.rglob("*.json")} == {tmp_path / "cursors" / "extract"}


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"offset": -1}', b'{"offset": "x"}', b"\xff", b"null"])
def test_a_damaged_one_is_none_and_can_be_replaced(tmp_path: Path, data: bytes) -> None:
    cursors = Cursors(str(tmp_path))
    assert cursors.advance("s", None, HERE)
    (path,) = (tmp_path / "cursors" / "extract").glob("*.json")
    path.write_bytes(data)
    assert cursors.of("s") is None
    assert cursors.advance("s", None, THERE)


def test_it_is_private(tmp_path: Path) -> None:
    assert Cursors(str(tmp_path)).advance("s", None, HERE)
    assert {path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")} == {0}


def test_the_oldest_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CURSORS", 6)
    cursors = Cursors(str(tmp_path))
    for number in range(7):
        assert cursors.advance(f"s{number}", None, HERE)
        newest = max((tmp_path / "cursors" / "extract").glob("*.json"), key=os.path.getctime)
        os.utime(newest, (number + 1, number + 1))
    kept = [number for number in range(7) if cursors.of(f"s{number}")]
    assert len(kept) == 4
    assert kept[-1] == 6


KILLED = """
import os, signal, sys
from memdir.disk import files
from memdir.conversation.cursors import Cursor, Cursors
seen = 0
def step(what):
    global seen
    seen += 1
    if seen == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
files.on_step = step
here, there = (Cursor(number, number, "u", "", "c") for number in (10, 20))
Cursors(sys.argv[1]).advance("s", here, there)
"""


@pytest.mark.parametrize("at", range(1, 6))
def test_killed_at_any_step_it_is_where_it_was_or_where_it_goes(tmp_path: Path, at: int) -> None:
    here, there = (Cursor(number, number, "u", "", "c") for number in (10, 20))
    cursors = Cursors(str(tmp_path))
    assert cursors.advance("s", None, here)
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(at)], check=False)
    assert done.returncode in (0, -signal.SIGKILL)
    left = cursors.of("s")
    assert left in (here, there)
    assert left == (there if at > 4 or done.returncode == 0 else here)
    assert cursors.advance("s", left, HERE)
    assert cursors.advance("other", None, HERE)
    assert not list(tmp_path.rglob(".memdir-tmp-*"))
