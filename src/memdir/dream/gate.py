"""Whether it is time to dream: the cheapest question first, and each answer with its reason."""

from collections.abc import Callable
from datetime import datetime, timedelta

from memdir.config.enabled import Verdict
from memdir.config.settings import Settings
from memdir.text.value import value_class
from memdir.workers.queue import NotNow, Now

__all__ = ["Signs", "dream_gate"]


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


def dream_gate(settings: Settings, signs: Signs, now: datetime, *, hurried: bool = False) -> NotNow | Now:
    """Say whether to dream; a person who asks for it waits for nothing but another dream."""
    because = signs.verdict.off or ("" if signs.exists else "there is no memory yet")
    last = None
    if not because and not hurried:
        because = _switched_off(settings, signs)
    if not because and not hurried:
        last = signs.last()
        because = _too_soon(settings, signs, last, now) or _too_little(settings, signs, last)
    if not because and (pid := signs.holder()):
        because = f"process {pid} dreams already"
    if because:
        return NotNow(because)
    since = f"the last consolidation was on {last:%Y-%m-%d}" if last else "there was no consolidation before"
    return Now("it was asked for" if hurried else since)


def _switched_off(settings: Settings, signs: Signs) -> str:
    if not settings.flag("dream.enabled"):
        return 'the setting "dream.enabled" is off'
    return "this machine is not kept (MEMDIR_REMOTE), so another one dreams" if signs.remote else ""


def _too_soon(settings: Settings, signs: Signs, last: datetime | None, now: datetime) -> str:
    hours, minutes = settings.number("dream.hours"), settings.number("dream.scanMinutes")
    if last is not None and now - last < timedelta(hours=hours):
        return f"the last consolidation is less than {hours} hours ago"
    scanned = signs.scanned()
    if scanned is not None and timedelta(0) <= now - scanned < timedelta(minutes=minutes):
        return f"sessions were counted less than {minutes} minutes ago"
    return ""


def _too_little(settings: Settings, signs: Signs, last: datetime | None) -> str:
    if settings.text("mode") == "daily-log" and signs.log_days(last):
        return ""
    count, enough = signs.sessions(last), settings.number("dream.sessions")
    if count >= enough:
        return ""
    return f"{count} of {enough} conversations were touched since the last consolidation"
