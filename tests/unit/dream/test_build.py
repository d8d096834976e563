"""It is time to dream when every gate says so; the cheapest is asked first, and each gives its reason."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from memdir.config.enabled import Verdict
from memdir.config.settings import Setting, Settings
from memdir.dream.build import Signs, dream_gate
from memdir.workers.queue import NotNow, Now

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=3)
ON = Verdict(on=True, because="", rule="default")


def settings(values: dict[str, bool | str]) -> Settings:
    return Settings({key: (Setting(value),) for key, value in values.items()})


class World:
    """Answers what it is asked and remembers the questions."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {
            "last": LONG_AGO,
            "scanned": LONG_AGO,
            "sessions": 5,
            "log_days": 0,
            "holder": 0,
            **answers,
        }
        self.asked: list[str] = []

    def _answer(self, name: str) -> Callable[..., Any]:
        def answer(*_: object) -> Any:
            self.asked.append(name)
            return self.answers[name]

        return answer

    def judged(self, gates: Settings | None = None, *, hurried: bool = False) -> NotNow | Now:
        named = {name: self._answer(name) for name in ("last", "scanned", "sessions", "log_days", "holder")}
        signs = Signs(
            self.answers.get("verdict", ON),
            self.answers.get("remote", False),
            self.answers.get("exists", True),
            **named,
        )
        return dream_gate(gates or Settings(), signs, NOW, hurried=hurried)


def skipped(world: World, gates: Settings | None = None) -> str:
    verdict = world.judged(gates)
    assert isinstance(verdict, NotNow)
    return verdict.because


def test_all_gates_open_means_it_is_time() -> None:
    world = World()
    assert isinstance(world.judged(), Now)
    assert world.asked == ["last", "scanned", "sessions", "holder"]


def test_nothing_is_asked_when_memory_or_dreaming_is_off_or_the_machine_is_not_kept() -> None:
    off = World(verdict=Verdict(on=False, because="bare mode was asked for", rule="bare"))
    assert "bare mode" in skipped(off)
    assert "dream.enabled" in skipped(World(), settings({"dream.enabled": False}))
    assert "MEMDIR_REMOTE" in skipped(World(remote=True))
    assert "no memory yet" in skipped(World(exists=False))
    assert off.asked == []


def test_a_day_has_to_pass() -> None:
    world = World(last=NOW - timedelta(hours=23, minutes=59))
    assert "24 hours" in skipped(world)
    assert world.asked == ["last"]
    assert isinstance(World(last=NOW - timedelta(hours=24)).judged(), Now)
    assert isinstance(World(last=None).judged(), Now)


def test_sessions_are_counted_every_ten_minutes_at_most() -> None:
    world = World(scanned=NOW - timedelta(minutes=9))
    assert "10 minutes" in skipped(world)
    assert "sessions" not in world.asked
    assert isinstance(World(scanned=NOW + timedelta(days=1)).judged(), Now)  # a clock that was set back


def test_five_sessions_are_needed_or_one_day_of_logs() -> None:
    assert "4 of 5" in skipped(World(sessions=4))
    assert "0 of 5" in skipped(World(sessions=0), settings({"mode": "daily-log"}))
    assert isinstance(World(sessions=0, log_days=1).judged(settings({"mode": "daily-log"})), Now)
    assert "0 of 5" in skipped(World(sessions=0, log_days=1))


def test_another_dream_is_not_disturbed() -> None:
    assert "77" in skipped(World(holder=77))


def test_who_is_in_a_hurry_waits_only_for_another_dream() -> None:
    hurried = World(last=NOW, scanned=NOW, sessions=0, remote=True)
    assert isinstance(hurried.judged(settings({"dream.enabled": False}), hurried=True), Now)
    assert hurried.asked == ["holder"]
    assert isinstance(World(holder=77).judged(hurried=True), NotNow)
