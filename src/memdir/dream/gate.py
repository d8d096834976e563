"""Whether it is time to dream: the cheapest question first, and each answer with its reason."""

from collections.abc import Callable
from datetime import datetime, timedelta

from memdir.config.enabled import Verdict
from memdir.config.settings import Settings
from memdir.text.value import value_class
from memdir.workers.queue import NotNow, Now

__all__ = ["Gates", "Signs", "dream_gate"]


@value_class(frozen=True, slots=True)
class Gates:
    """What the settings say about dreams."""

    enabled: bool = True
    hours: int = 24
    scan_minutes: int = 10
    sessions: int = 5
    stale_minutes: int = 60
    daily_log: bool = False

    @classmethod
    def of(cls, settings: Settings) -> "Gates":
        """Return the gates that these settings hold."""
        return cls(
            settings.flag("dream.enabled"),
            settings.number("dream.hours"),
            settings.number("dream.scanMinutes"),
            settings.number("dream.sessions"),
            settings.number("dream.staleMinutes"),
            settings.text("mode") == "daily-log",
        )


@value_class(frozen=True, slots=True)
class Signs:
    """What the gates check; each is asked only when all before it passed."""

    verdict: Verdict
    remote: bool
    exists: bool
    last: Callable[[], datetime | None]
    """When the directory was last consolidated."""
    scanned: Callable[[], datetime | None]
    """When too few sessions were last counted."""
    sessions: Callable[[datetime | None], int]
    """How many conversations were touched since, without the present one."""
    log_days: Callable[[datetime | None], int]
    """How many days of logs were written to since."""
    holder: Callable[[], int]
    """The process that dreams at present."""


def dream_gate(gates: Gates, signs: Signs, now: datetime, *, hurried: bool = False) -> NotNow | Now:
    """Say whether to dream; a person who asks for it waits for nothing but another dream."""
    because, last = _impossible(signs), None
    if not because and not hurried:
        because = _switched_off(gates, signs)
    if not because and not hurried:
        last = signs.last()
        because = _too_soon(gates, signs, last, now) or _too_little(gates, signs, last)
    if not because and (pid := signs.holder()):
        because = f"process {pid} dreams already"
    if because:
        return NotNow(because)
    since = f"the last consolidation was on {last:%Y-%m-%d}" if last else "there was no consolidation before"
    return Now("it was asked for" if hurried else since)


def _impossible(signs: Signs) -> str:
    return signs.verdict.off or ("" if signs.exists else "there is no memory yet")


def _switched_off(gates: Gates, signs: Signs) -> str:
    if not gates.enabled:
        return 'the setting "dream.enabled" is off'
    return "this machine is not kept (MEMDIR_REMOTE), so another one dreams" if signs.remote else ""


def _too_soon(gates: Gates, signs: Signs, last: datetime | None, now: datetime) -> str:
    if last is not None and now - last < timedelta(hours=gates.hours):
        return f"the last consolidation is less than {gates.hours} hours ago"
    scanned = signs.scanned()
    if scanned is not None and timedelta(0) <= now - scanned < timedelta(minutes=gates.scan_minutes):
        return f"sessions were counted less than {gates.scan_minutes} minutes ago"
    return ""


def _too_little(gates: Gates, signs: Signs, last: datetime | None) -> str:
    if gates.daily_log and signs.log_days(last):
        return ""
    count = signs.sessions(last)
    if count >= gates.sessions:
        return ""
    return f"{count} of {gates.sessions} conversations were touched since the last consolidation"
