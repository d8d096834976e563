"""Work that was asked for is done once by one worker at a time, whoever asks and whoever dies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdir.workers.queue import JobRequest, RequestQueue

ASK = """
import sys
from memdir.workers.queue import RequestQueue
requests = RequestQueue(sys.argv[1], "extract")
for turn in range(20):
    requests.ask("one", {"turn": f"{sys.argv[2]}-{turn}"})
    requests.work(lambda request: not open(sys.argv[3], "a").write(request.details["turn"] + "\\n") < 0)
"""
HOLD = """
import sys, time
from memdir.workers.queue import RequestQueue
def do(request):
    print("taken", flush=True)
    time.sleep(60)
RequestQueue(sys.argv[1], "extract").work(do)
"""


@pytest.fixture
def requests(tmp_path: Path) -> RequestQueue:
    return RequestQueue(str(tmp_path), "extract")


def done_by(requests: RequestQueue) -> list[JobRequest]:
    done: list[JobRequest] = []

    def do(request: JobRequest) -> bool:
        done.append(request)
        return True

    requests.work(do)
    return done


def test_a_request_is_done_once(requests: RequestQueue) -> None:
    requests.ask("s1", {"transcript": "a.jsonl"})
    assert done_by(requests) == [JobRequest("s1", {"transcript": "a.jsonl"})]
    assert done_by(requests) == []


def test_a_newer_request_of_a_conversation_takes_the_place_of_one_that_waits(requests: RequestQueue) -> None:
    for turn in "123":
        requests.ask("s1", {"turn": turn})
    requests.ask("s2", {"turn": "9"})
    assert [request.details["turn"] for request in requests.waiting_requests()] == ["3", "9"]
    assert [request.details["turn"] for request in done_by(requests)] == ["3", "9"]


def test_one_that_comes_during_a_run_is_done_by_the_same_worker_afterwards(requests: RequestQueue) -> None:
    requests.ask("s1", {"turn": "1"})
    done: list[str] = []

    def do(request: JobRequest) -> bool:
        if not done:
            requests.ask("s1", {"turn": "2"})
            requests.ask("s1", {"turn": "3"})
        done.append(request.details["turn"])
        return True

    assert requests.work(do) == 2
    assert done == ["1", "3"]


def test_one_that_could_not_be_done_stays_for_another_time(requests: RequestQueue) -> None:
    requests.ask("s1", {"turn": "1"})
    assert requests.work(lambda _: False) == 0
    assert [request.details for request in done_by(requests)] == [{"turn": "1"}]


def test_a_failure_leaves_the_request(requests: RequestQueue) -> None:
    requests.ask("s1", {"turn": "1"})
    with pytest.raises(ZeroDivisionError):
        requests.work(lambda _: bool(1 // 0))
    assert not requests.is_busy()
    assert len(requests.waiting_requests()) == 1


def test_a_worker_that_is_killed_leaves_its_request_to_the_next(
    requests: RequestQueue, tmp_path: Path
) -> None:
    requests.ask("s1", {"turn": "1"})
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "taken\n"
        assert requests.is_busy()
        assert done_by(requests) == []
        worker.kill()
    assert [request.details for request in done_by(requests)] == [{"turn": "1"}]


def test_a_file_that_is_no_request_is_cleared_away(requests: RequestQueue, tmp_path: Path) -> None:
    requests.ask("s1", {"turn": "1"})
    (tmp_path / "work" / "extract" / "broken.waiting").write_bytes(b"\xff{")
    assert len(done_by(requests)) == 1
    assert os.listdir(tmp_path / "work" / "extract") == []


def test_the_last_request_of_several_processes_is_always_done(tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [
        subprocess.Popen([sys.executable, "-c", ASK, str(tmp_path), str(number), str(log)])
        for number in range(3)
    ]
    assert [worker.wait(30) for worker in workers] == [0, 0, 0]
    assert RequestQueue(str(tmp_path), "extract").waiting_requests() == []
    turns = log.read_text().split()
    assert len(turns) == len(set(turns))


def test_two_conversations_never_share_a_request(requests: RequestQueue, tmp_path: Path) -> None:
    sessions = ("Abc", "abc", "plumless", "buckeroo", "x" * 300, "..")  # two have one checksum
    for session in sessions:
        requests.ask(session, {})
    assert {request.session for request in requests.waiting_requests()} == {*sessions}
    names = os.listdir(tmp_path / "work" / "extract")
    assert len({name.casefold() for name in names}) == len(sessions)


def test_a_request_under_an_older_name_is_done_too(requests: RequestQueue, tmp_path: Path) -> None:
    requests.ask("s1", {"turn": "1"})
    folder = tmp_path / "work" / "extract"
    (folder / "s1.waiting").rename(folder / "0a1b2c3d.waiting")
    assert [request.details for request in done_by(requests)] == [{"turn": "1"}]
