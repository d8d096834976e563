"""It is time to dream when every gate says so; each gives its reason."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW
from tests.environment import WORDS_ALONE

from memdir.config.identity import transcript_folder
from memdir.dream.lock import LOCK_NAME
from memdir.memory import Memory
from memdir.workers.queue import NotNow, Now

SESSION = "s-now"


class Place:
    """A memory with the traces that the gates look at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def memory(self, **env: str) -> Memory:
        given = {"HOME": str(self.folder), "PATH": os.environ["PATH"], **WORDS_ALONE, **env}
        place, state = self.folder / "memory", self.folder / "state"
        return Memory.at(place, state, SESSION, cwd=self.folder, env=given, clock=lambda: NOW)

    def sessions(self, *names: str) -> None:
        folder = Path(transcript_folder(str(self.folder / ".claude"), str(self.folder)))
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name in names:
            (folder / f"{name}.jsonl").touch()

    def settings(self, **keys: Any) -> None:
        path = self.folder / ".claude" / "memdir" / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({key.replace("_", "."): value for key, value in keys.items()}))

    def last(self, **ago: float) -> None:
        """Leave the file of a dream that ended so long ago."""
        path, then = self.folder / "memory" / LOCK_NAME, (NOW - timedelta(**ago)).timestamp()
        path.touch()
        os.utime(path, (then, then))

    def scanned(self, **ago: float) -> None:
        (self.folder / "state" / "dream.scan").write_text((NOW - timedelta(**ago)).isoformat())

    def refusal(self, **env: str) -> str:
        due = self.memory(**env).jobs.dream_due()
        assert isinstance(due, NotNow)
        return due.because

    @property
    def counted(self) -> bool:
        """Whether sessions were counted, and too few."""
        return (self.folder / "state" / "dream.scan").exists()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.memory().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    place.sessions("s1", "s2", "s3", "s4", "s5")
    return place


def test_all_gates_open_means_it_is_time(place: Place) -> None:
    assert place.memory().jobs.dream_due() == Now("there was no consolidation before")
    place.last(days=3)
    assert place.memory().jobs.dream_due() == Now("the last consolidation was on 2026-11-12")


def test_nothing_is_counted_when_memory_or_dreaming_is_off_or_the_machine_is_not_kept(place: Place) -> None:
    place.sessions()
    assert "MEMDIR_DISABLE" in place.refusal(MEMDIR_DISABLE="1")
    assert "MEMDIR_REMOTE" in place.refusal(MEMDIR_REMOTE="1", MEMDIR_BASE=str(place.folder))
    place.settings(dream_enabled=False)
    assert "dream.enabled" in place.refusal()
    assert not place.counted


def test_without_a_memory_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert "no memory yet" in Place(tmp_path).refusal()


def test_a_day_has_to_pass(place: Place) -> None:
    place.sessions()
    place.last(hours=23, minutes=59)
    assert "24 hours" in place.refusal()
    assert not place.counted
    place.sessions("s1", "s2", "s3", "s4", "s5")
    place.last(hours=24)
    assert isinstance(place.memory().jobs.dream_due(), Now)


def test_sessions_are_counted_every_ten_minutes_at_most(place: Place) -> None:
    place.scanned(minutes=9)
    assert "10 minutes" in place.refusal()
    place.scanned(minutes=10)
    assert isinstance(place.memory().jobs.dream_due(), Now)
    place.scanned(days=-1)  # a clock that was set back
    assert isinstance(place.memory().jobs.dream_due(), Now)


def test_five_sessions_besides_the_present_one_are_needed(place: Place) -> None:
    place.sessions("s1", "s2", "s3", "s4", SESSION)
    assert "4 of 5" in place.refusal()
    assert place.counted


def test_one_day_of_logs_is_enough_where_logs_are_kept(place: Place) -> None:
    place.sessions()
    day = place.folder / "memory" / "logs" / "2026" / "11" / "2026-11-14.md"
    day.parent.mkdir(parents=True)
    day.write_text("- 09:00 lunch is at noon\n")
    assert "0 of 5" in place.refusal()
    place.scanned(days=1)
    place.settings(mode="daily-log")
    assert isinstance(place.memory().jobs.dream_due(), Now)


def test_who_asks_waits_only_for_another_dream(place: Place) -> None:
    place.settings(dream_enabled=False)
    place.sessions()
    place.last(hours=1)
    remote = {"MEMDIR_REMOTE": "1", "MEMDIR_BASE": str(place.folder)}
    assert place.memory(**remote).jobs.dream(now=True).ended == "nothing"
    (place.folder / "memory" / LOCK_NAME).write_text(str(os.getpid()))
    dreamed = place.memory().jobs.dream(now=True)
    assert (dreamed.ended, dreamed.because) == ("skipped", f"process {os.getpid()} dreams already")
