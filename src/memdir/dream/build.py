"""Build the dreams of one memory directory from its settings: whether it is time, and the dream itself."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.config.enabled import Verdict
from memdir.config.location import Setup
from memdir.config.variables import switch
from memdir.config.world import World
from memdir.conversation.transcripts import newest_first, transcript_folder
from memdir.disk.files import make_folder
from memdir.dream.daily_log import log_days
from memdir.dream.dreamer import SKIPPED, Dreamed, Dreamer
from memdir.dream.gate import Signs, dream_gate
from memdir.dream.lock import DreamLock
from memdir.dream.material import DreamContext
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model
from memdir.text.value import replace, value_class
from memdir.verify.verdicts import MemoryVerdict
from memdir.workers.queue import NotNow, Now

__all__ = ["Dreams"]

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
        missing = (
            [f"No model was asked: {model.because}"] if isinstance(model, NoModel) and model.wrong else []
        )
        return replace(dreamed, reports=(*missing, *dreamed.reports))

    def _context(
        self, model: Model | NoModel, cancel: Cancel | None, said: Callable[[str], object]
    ) -> DreamContext:
        settings = self.setup.settings
        return DreamContext(
            now=self.world.clock(),
            timer=self.world.timer,
            session=self.world.session,
            model=None if isinstance(model, NoModel) else model,
            seconds=float(settings.number("worker.maxSeconds")),
            stale_seconds=60.0 * settings.number("dream.staleMinutes"),
            max_deletes=settings.number("dream.maxDeletes"),
            instructions=lambda: "\n\n".join(self.instructions()),
            transcripts=tuple(self._searchable()),
            drifted=lambda: tuple(_drift_lines(self.checked())),
            cancel=cancel,
            progress=said,
        )

    def _signs(self) -> Signs:
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

    def _searchable(self) -> Iterator[str]:
        if self.setup.settings.flag("searchPastContext"):
            yield from filter(os.path.isdir, self._folders())

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
    for one in checks:
        for judged in one.claims if one.verdict == "stale" else ():
            if judged.stale:
                now = f" (now: {judged.now})" if judged.now else ""
                yield f"{one.file}: {judged.claim.text} is {judged.verdict}{now}"
