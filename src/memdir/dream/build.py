"""The dreams of one memory directory by its settings: whether it is time, and the dream itself.

The cheapest question about the time comes first, and each answer has its reason.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from memdir.config.enabled import Verdict
from memdir.config.location import Setup
from memdir.config.settings import Settings
from memdir.config.variables import switch
from memdir.config.world import World
from memdir.conversation.transcripts import newest_first, transcript_folder
from memdir.disk.files import make_folder
from memdir.dream.daily_log import log_days
from memdir.dream.dreamer import SKIPPED, Dreamed, Dreamer
from memdir.dream.lock import DreamLock
from memdir.dream.material import DreamContext
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model
from memdir.text.value import replace, value_class
from memdir.verify.verdicts import MemoryVerdict
from memdir.workers.queue import NotNow, Now

__all__ = ["Dreams", "Signs", "dream_gate"]

_SCANNED = "dream.scan"
"""The time when too few sessions were last counted, in the state folder; may be deleted at any time."""


@value_class(frozen=True, slots=True)
class Dreams:
    """The dreams of one directory."""

    writer: Writer
    setup: Setup
    verdict: Verdict
    world: World
    model: Callable[[], Model | NoModel]
    instructions: Callable[[], Sequence[str]]
    checked: Callable[[], Sequence[MemoryVerdict]]
    """What memories claim about the project, checked; nothing when there is no project."""

    def due(self, *, hurried: bool = False) -> NotNow | Now:
        """Say whether it is time to dream."""
        return dream_gate(self.setup.settings, self._signs(), self.world.clock(), hurried=hurried)

    def dream(
        self,
        *,
        hurried: bool = False,
        dry_run: bool = False,
        cancel: Cancel | None = None,
        said: Callable[[str], object] = str,
    ) -> Dreamed:
        """Dream if it is time, or at once; a dry run shows what would be done at any time."""
        due = self.due(hurried=hurried or dry_run)
        if isinstance(due, NotNow):
            return Dreamed(SKIPPED, due.because)
        model = self.model()
        dreamer = Dreamer(self.writer, self._context(model, cancel, said))
        dreamed = dreamer.rehearse() if dry_run else dreamer.dream()
        if isinstance(model, NoModel) and model.wrong:
            return replace(dreamed, reports=(f"No model was asked: {model.because}", *dreamed.reports))
        return dreamed

    def _context(
        self, model: Model | NoModel, cancel: Cancel | None, said: Callable[[str], object]
    ) -> DreamContext:
        settings = self.setup.settings
        searched = settings.flag("searchPastContext")
        return DreamContext(
            now=self.world.clock(),
            timer=self.world.timer,
            session=self.world.session,
            model=None if isinstance(model, NoModel) else model,
            seconds=float(settings.number("worker.maxSeconds")),
            stale_seconds=60.0 * settings.number("dream.staleMinutes"),
            max_deletes=settings.number("dream.maxDeletes"),
            instructions=lambda: "\n\n".join(self.instructions()),
            transcripts=tuple(filter(os.path.isdir, self._folders())) if searched else (),
            drifted=lambda: tuple(_drift_lines(self.checked())),
            cancel=cancel,
            progress=said,
        )

    def _signs(self) -> "Signs":
        memories, now = self.writer.memories, self.world.clock()
        lock = DreamLock(memories.path, memories.state)
        stale = 60.0 * self.setup.settings.number("dream.staleMinutes")
        remote = switch(self.world.env, "MEMDIR_REMOTE")
        return Signs(
            self.verdict,
            remote is not None and remote.on,
            memories.exists(),
            lock.last,
            self._last_scan,
            self._sessions,
            lambda since: len(log_days(memories.path, since)),
            lambda: lock.holder(now, stale),
        )

    def _folders(self) -> Iterator[str]:
        """Yield where the host keeps the conversations of this directory and of the project's root."""
        home = self.setup.place.config_home
        yield from dict.fromkeys(
            transcript_folder(home, path) for path in (self.world.cwd, self.setup.place.root)
        )

    def _last_scan(self) -> datetime | None:
        path = os.path.join(self.writer.memories.state, _SCANNED)
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            return datetime.fromisoformat(file.read(64).strip())
        return None

    def _sessions(self, since: datetime | None) -> int:
        """Count the conversations changed since; when there are too few, remember the time of this count."""
        after, own = since.timestamp() if since else 0.0, f"{self.world.session}.jsonl"
        paths = [path for folder in self._folders() for path in newest_first(folder)]
        count = sum(_is_newer(path, after) for path in paths if os.path.basename(path) != own)
        if count < self.setup.settings.number("dream.sessions"):
            with make_folder(self.writer.memories.state) as state:
                state.replace_cache(_SCANNED, self.world.clock().isoformat().encode())
        return count


def _is_newer(path: str, after: float) -> bool:
    try:
        return os.stat(path).st_mtime > after
    except OSError:
        return False


def _drift_lines(checks: Sequence[MemoryVerdict]) -> Iterator[str]:
    claims = [(one.file, claim) for one in checks if one.verdict == "stale" for claim in one.claims]
    for file, judged in claims:
        if judged.stale:
            now = f" (now: {judged.now})" if judged.now else ""
            yield f"{file}: {judged.claim.text} is {judged.verdict}{now}"


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
    because, last = signs.verdict.off or ("" if signs.exists else "there is no memory yet"), None
    if not because and not hurried:
        if not settings.flag("dream.enabled"):
            because = 'the setting "dream.enabled" is off'
        elif signs.remote:
            because = "this machine is not kept (MEMDIR_REMOTE), so another one dreams"
        else:
            last = signs.last()
            because = _too_soon(settings, signs, last, now) or _too_little(settings, signs, last)
    if not because and (pid := signs.holder()):
        because = f"process {pid} dreams already"
    if because:
        return NotNow(because)
    since = f"the last consolidation was on {last:%Y-%m-%d}" if last else "there was no consolidation before"
    return Now("it was asked for" if hurried else since)


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
