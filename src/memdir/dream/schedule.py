"""When to dream, the cheapest question first, and what a dream is given by the settings."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache

from memdir.config.identity import transcript_folder
from memdir.config.location import Setup
from memdir.config.world import World, switch
from memdir.conversation.transcripts import newest_first
from memdir.disk.files import make_folder
from memdir.dream.daily_log import log_days
from memdir.dream.dreamer import SKIPPED, Dreamed, Dreamer
from memdir.dream.inputs import DreamContext
from memdir.dream.lock import DreamLock
from memdir.instructions.project import ProjectInstructions
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model
from memdir.text.value import replace, value_class
from memdir.verify.check import verify_all
from memdir.verify.project import Project
from memdir.workers.queue import NotNow, Now

__all__ = ["DreamSchedule"]

_SCANNED = "dream.scan"
"""The time when too few sessions were last counted, in the state folder; may be deleted at any time."""

_CHECK_SECONDS = 5.0
"""For the claims of all memories together."""


@value_class(frozen=True, slots=True)
class DreamSchedule:
    """The dreams of one directory, by its settings."""

    writer: Writer
    setup: Setup
    world: World
    model: Callable[[], Model | NoModel]
    """Returns the model to ask; called only when it is time to dream."""
    instructions: ProjectInstructions
    project: Callable[[], Project] | None
    """Opens the checkout that memories speak about; None where only a directory is known."""

    def due(self, *, hurried: bool = False) -> NotNow | Now:
        """Say whether it is time to dream; a person who asks for it waits for nothing but another dream."""
        verdict, memories, now = self.setup.verdict, self.writer.memories, self.world.clock()
        if not verdict.on or not memories.exists():
            return NotNow(verdict.off or "there is no memory yet")
        lock = DreamLock(memories.path, memories.state)
        last = lock.last()
        wait = "" if hurried else self._too_soon(last, now) or self._too_little(last, now)
        if wait:
            return NotNow(wait)
        if pid := lock.holder(now, 60.0 * self.setup.settings.number("dream.staleMinutes")):
            return NotNow(f"process {pid} dreams already")
        if hurried:
            return Now("it was asked for")
        if last is None:
            return Now("there was no consolidation before")
        return Now(f"the last consolidation was on {last:%Y-%m-%d}")

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
        dreamed = dreamer.preview() if dry_run else dreamer.dream()
        if isinstance(model, NoModel) and model.wrong:
            return replace(dreamed, reports=(f"No model was asked: {model.because}", *dreamed.reports))
        return dreamed

    def _context(
        self, model: Model | NoModel, cancel: Cancel | None, said: Callable[[str], object]
    ) -> DreamContext:
        settings = self.setup.settings
        searched = settings.flag("searchPastContext")
        # Instructions and checks are asked for once: what the model is told is what its changes may rest on.
        return DreamContext(
            self.world,
            self.world.clock(),
            model=None if isinstance(model, NoModel) else model,
            seconds=float(settings.number("worker.maxSeconds")),
            stale_seconds=60.0 * settings.number("dream.staleMinutes"),
            max_deletes=settings.number("dream.maxDeletes"),
            instructions=cache(self._instructions),
            transcripts=tuple(filter(os.path.isdir, self._folders())) if searched else (),
            drifted=cache(self._drift),
            cancel=cancel,
            progress=said,
        )

    def _instructions(self) -> str:
        return "\n\n".join([one.text for one in self.instructions.discover().loaded])

    def _drift(self) -> tuple[str, ...]:
        """Return what memories claim about the project and no longer holds, one line a claim."""
        if self.project is None:
            return ()
        topics, now = self.writer.memories.topics(), self.world.clock()
        checks = verify_all(topics, self.project(), now, _CHECK_SECONDS)
        claims = [(one.file, claim) for one in checks if one.verdict == "stale" for claim in one.claims]
        return tuple(
            f"{file}: {judged.claim.text} is {judged.verdict}{f' (now: {judged.now})' if judged.now else ''}"
            for file, judged in claims
            if judged.stale
        )

    def _folders(self) -> list[str]:
        """Return where the host keeps the conversations of this directory and of the project's root."""
        home, paths = self.setup.place.config_home, (self.world.cwd, self.setup.place.root)
        return list(dict.fromkeys(transcript_folder(home, path) for path in paths))

    def _too_soon(self, last: datetime | None, now: datetime) -> str:
        """Say why no dream is due, as far as that is known without a look at conversations."""
        settings, remote = self.setup.settings, switch(self.world.env, "MEMDIR_REMOTE")
        if not settings.flag("dream.enabled"):
            return 'the setting "dream.enabled" is off'
        if remote and remote.on:
            return "this machine is not kept (MEMDIR_REMOTE), so another one dreams"
        hours, minutes = settings.number("dream.hours"), settings.number("dream.scanMinutes")
        if last is not None and now - last < timedelta(hours=hours):
            return f"the last consolidation is less than {hours} hours ago"
        path = os.path.join(self.writer.memories.state, _SCANNED)
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            scanned = datetime.fromisoformat(file.read(64).strip())
            if timedelta(0) <= now - scanned < timedelta(minutes=minutes):
                return f"sessions were counted less than {minutes} minutes ago"
        return ""

    def _too_little(self, last: datetime | None, now: datetime) -> str:
        """Say that too few conversations changed since, and remember the time of this count."""
        settings, memories = self.setup.settings, self.writer.memories
        if settings.text("mode") == "daily-log" and log_days(memories.path, last):
            return ""
        after, own = last.timestamp() if last else 0.0, f"{self.world.session}.jsonl"
        paths = [path for folder in self._folders() for path in newest_first(folder)]
        count = sum(_is_newer(path, after) for path in paths if os.path.basename(path) != own)
        enough = settings.number("dream.sessions")
        if count >= enough:
            return ""
        with make_folder(memories.state) as state:
            state.replace_cache(_SCANNED, now.isoformat().encode())
        return f"{count} of {enough} conversations were touched since the last consolidation"


def _is_newer(path: str, after: float) -> bool:
    try:
        return os.stat(path).st_mtime > after
    except OSError:
        return False
