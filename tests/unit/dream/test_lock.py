"""One dream at a time, also among other tools: the file tells who dreams and when the last one was."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdir.dream.lock import LOCK_NAME, DreamLock, LockHold, OtherDream

HOUR = 3_600.0


def lock_of(directory: Path) -> DreamLock:
    return DreamLock(str(directory), str(directory.parent / "state"))


def now() -> datetime:
    return datetime.now(UTC)


def written(directory: Path, content: str, at: datetime) -> Path:
    """Leave the file as another tool does."""
    path = directory / LOCK_NAME
    path.write_text(content)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def is_taken_over(directory: Path) -> bool:
    """Tell whether the lock can be taken, and is ours then."""
    taken = lock_of(directory).take(now(), HOUR)
    return isinstance(taken, LockHold) and (directory / LOCK_NAME).read_text() == str(os.getpid())


def gone_pid() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_it_holds_our_number_and_is_empty_afterwards(directory: Path) -> None:
    lock, moment = lock_of(directory), now()
    assert lock.last() is None
    taken = lock.take(moment, HOUR)
    assert isinstance(taken, LockHold)
    assert (directory / LOCK_NAME).read_text() == str(os.getpid())
    assert lock.holder(moment, HOUR) == os.getpid()
    assert lock.take(moment, HOUR) == OtherDream(os.getpid())
    lock.release(taken)
    assert (directory / LOCK_NAME).read_text() == ""
    assert lock.holder(moment, HOUR) == 0
    last = lock.last()
    assert last is not None
    assert abs(last - moment) < timedelta(seconds=1)


def test_after_a_failure_the_time_is_what_it_was(directory: Path) -> None:
    lock, before = lock_of(directory), datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    written(directory, "", before)
    taken = lock.take(now(), HOUR)
    assert isinstance(taken, LockHold)
    lock_of(directory).release(taken, failed=True)
    assert lock.last() == before
    assert (directory / LOCK_NAME).read_text() == ""


def test_after_a_first_failure_there_is_no_file(directory: Path) -> None:
    taken = lock_of(directory).take(now(), HOUR)
    assert isinstance(taken, LockHold)
    lock_of(directory).release(taken, failed=True)
    assert not (directory / LOCK_NAME).exists()


def test_another_tool_that_dreams_is_not_disturbed(directory: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        path = written(directory, str(other.pid), now())
        assert lock_of(directory).take(now(), HOUR) == OtherDream(other.pid)
        assert path.read_text() == str(other.pid)
        other.communicate(b"\n")


def test_a_holder_that_is_gone_is_taken_over(directory: Path) -> None:
    written(directory, str(gone_pid()), now() - timedelta(minutes=5))
    assert is_taken_over(directory)


def test_a_holder_of_over_an_hour_is_taken_over(directory: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        written(directory, str(other.pid), now())
        later = now() + timedelta(minutes=59)
        assert lock_of(directory).take(later, HOUR) == OtherDream(other.pid)
        assert isinstance(lock_of(directory).take(later + timedelta(minutes=2), HOUR), LockHold)
        assert (directory / LOCK_NAME).read_text() == str(os.getpid())
        other.communicate(b"\n")


def test_a_process_that_began_after_the_lock_is_not_its_holder(directory: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as later:
        written(directory, str(later.pid), now() - timedelta(minutes=30))
        assert is_taken_over(directory)
        later.communicate(b"\n")


@pytest.mark.parametrize("content", ["", "not a number", "-1", "0", "99999999999999999999"])
def test_a_content_that_names_nobody_holds_nothing(directory: Path, content: str) -> None:
    written(directory, content, now())
    assert lock_of(directory).holder(now(), HOUR) == 0
    assert is_taken_over(directory)


def test_a_killed_dream_does_not_count_as_the_last_one(directory: Path) -> None:
    before = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    written(directory, "", before)
    script = (
        "import os, sys; from datetime import UTC, datetime; from memdir.dream.lock import DreamLock;"
        "DreamLock(sys.argv[1], sys.argv[2]).take(datetime.now(UTC), 3600.0); os.kill(os.getpid(), 9)"
    )
    state = str(directory.parent / "state")
    subprocess.run([sys.executable, "-c", script, str(directory), state], check=False)
    assert (directory / LOCK_NAME).read_text() not in ("", str(os.getpid()))
    assert lock_of(directory).last() == before
    taken = lock_of(directory).take(now(), HOUR)
    assert isinstance(taken, LockHold)
    lock_of(directory).release(taken, failed=True)
    assert lock_of(directory).last() == before


def test_a_killed_dream_holds_nothing_while_its_parent_has_not_noticed(directory: Path) -> None:
    before = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    written(directory, "", before)
    script = (
        "import sys; from datetime import UTC, datetime; from memdir.dream.lock import DreamLock;"
        "DreamLock(sys.argv[1], sys.argv[2]).take(datetime.now(UTC), 3600.0); print(flush=True); input()"
    )
    command = [sys.executable, "-c", script, str(directory), str(directory.parent / "state")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as dreaming:
        assert dreaming.stdout is not None
        dreaming.stdout.readline()
        assert lock_of(directory).holder(now(), HOUR) == dreaming.pid
        assert lock_of(directory).last() == before  # it has begun, and nothing is consolidated yet
        dreaming.kill()
        os.waitid(
            os.P_PID, dreaming.pid, os.WEXITED | os.WNOWAIT
        )  # it stays listed until this is done for good
        assert lock_of(directory).holder(now(), HOUR) == 0
        assert lock_of(directory).last() == before


def test_what_another_took_over_meanwhile_is_left_alone(directory: Path) -> None:
    taken = lock_of(directory).take(now(), HOUR)
    assert isinstance(taken, LockHold)
    path = written(directory, "4242", now())
    lock_of(directory).release(taken)
    assert path.read_text() == "4242"
