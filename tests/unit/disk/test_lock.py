"""The lock: one holder at a time, across processes and threads, and none after a crash."""

import errno
import fcntl
import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memdir.disk import lock
from memdir.disk.lock import DirectoryLock
from memdir.errors import LockTimeout

HOLD = """
import sys, time
from memdir.disk.lock import DirectoryLock
with DirectoryLock(sys.argv[1], sys.argv[2]):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(tmp_path: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout
    process.stdout.close()


def test_a_second_process_waits_and_then_says_what_to_do(tmp_path: Path) -> None:
    process = holder(tmp_path)
    try:
        with (
            pytest.raises(LockTimeout, match="Nothing was written; try again"),
            DirectoryLock(str(tmp_path), str(tmp_path / "lock"), seconds=0.05),
        ):
            pass
    finally:
        end(process)


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    end(holder(tmp_path))
    with DirectoryLock(str(tmp_path), str(tmp_path / "lock"), seconds=1):
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("flock", [True, False])
def test_threads_exclude_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, flock: bool) -> None:
    if not flock:
        monkeypatch.setattr(lock, "fcntl", None)
    counter = {"value": 0}

    def add() -> None:
        for _ in range(50):
            with DirectoryLock(str(tmp_path), str(tmp_path / "state" / "lock")):
                value = counter["value"]
                os.sched_yield()
                counter["value"] = value + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter["value"] == 200


INTERRUPTED = """
import signal, sys
from memdir.disk.lock import DirectoryLock

class CalledOff(Exception):
    pass

def call_off(*_):
    raise CalledOff

signal.signal(signal.SIGALRM, call_off)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    with DirectoryLock(sys.argv[1], sys.argv[2]):
        print("had it", flush=True)
except CalledOff:
    print("called off", flush=True)
sys.stdin.read()
"""


def test_a_wait_that_was_called_off_leaves_no_lock_behind(tmp_path: Path) -> None:
    process = holder(tmp_path)
    waiter = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path), str(tmp_path / "lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert waiter.stdout
        assert waiter.stdout.readline() == "called off\n"
        end(process)
        with DirectoryLock(str(tmp_path), str(tmp_path / "lock"), seconds=20):
            assert waiter.poll() is None
    finally:
        waiter.communicate(timeout=20)


def test_an_error_of_the_kernel_while_waiting_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_: int, how: int) -> None:
        raise BlockingIOError if how & fcntl.LOCK_NB else OSError(errno.EIO, "no answer")

    gc.collect()  # what an earlier test left open is closed now, not in between
    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(fcntl, "flock", flock)
    with (
        pytest.raises(OSError, match="no answer"),
        DirectoryLock(str(tmp_path), str(tmp_path / "lock"), seconds=5),
    ):
        pass
    assert len(os.listdir("/proc/self/fd")) == before
