"""`memory.jobs`: background work: turns to extract, notes, vectors, dreams.

The hook that ends a turn only leaves a request, so what does the work is imported by the verbs that do it.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Callable, Iterable, Iterator

from memdir.build import Parts
from memdir.errors import MemdirError
from memdir.text.value import value_class
from memdir.workers.queue import FAILED, WROTE, NotNow, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.dream.dreamer import Dreamed
    from memdir.extract.gate import Requested, Skip
    from memdir.models.protocol import Cancel
    from memdir.notes.update import Noted
    from memdir.workers.queue import Now

__all__ = ["JobsHandle", "notes_reports"]

_NAMED = 5
"""Files that are named of all that a sync brought: news is a hint, not a report."""

_LEARNING = 30.0
"""Seconds for vectors at the most: two thousand memories, and the next worker goes on."""


@value_class(frozen=True, slots=True)
class JobsHandle:
    """The jobs of one conversation, done in order, each within what is left of the time."""

    _parts: Parts

    def turn_ended(self, transcript: str | os.PathLike[str], *, headless: bool = False) -> "Requested | Skip":
        """Ask for a turn of the host to be extracted, and return at once; `work` does it."""
        from memdir.extract.gate import turn_ended

        parts, path = self._parts, os.path.abspath(transcript)
        settings, session = parts.effective_setup.settings, parts.world.session
        return turn_ended(parts.state, path, parts.verdict, settings, session=session, headless=headless)

    def work(
        self, seconds: float | None = None, cancel: "Cancel | None" = None, *, ended: bool = False
    ) -> "list[Report]":
        """Do what waits, within so many seconds: extraction, notes, vectors; after a conversation a dream.

        A job that fails is reported and does not keep the others from their work.
        """
        if seconds is None:
            seconds = float(self._parts.effective_setup.settings.number("worker.maxSeconds"))
        timer, extractor = self._parts.world.timer, self._parts.extractor
        end = timer() + seconds
        transcript = extractor.transcript_of(self._session)  # before the request for it is done
        jobs: dict[str, Callable[[], Iterator[Report]]] = {
            "notes": lambda: self._take_notes(transcript, cancel),
            "vectors": lambda: self._learn(end - timer()),
        }
        if ended:
            jobs["dream"] = lambda: self._dream(cancel)
            jobs["sync"] = self._sync  # the last: a remote that does not answer keeps nothing else waiting
            reports = self.drain(min(seconds, extractor.drain_seconds), cancel)
        else:
            reports = extractor.work(seconds, cancel)
        for name, job in jobs.items():
            if timer() >= end or (cancel is not None and cancel.is_set()):
                break
            reports += self._attempt(name, job)
        return reports

    def sync(self) -> "list[Report]":
        """Bring private and team memory in step with their remotes; that one cannot be reached is no news."""
        return self._attempt("sync", self._sync)

    def drain(self, seconds: float | None = None, cancel: "Cancel | None" = None) -> "list[Report]":
        """End a conversation: mend the index, do what waits, and wait for another process that is at it."""
        reports = self._attempt("index", self._heal)
        return reports + self._parts.extractor.drain(seconds, cancel)

    def dream_due(self) -> "NotNow | Now":
        """Say whether it is time to consolidate the memories, and why or why not."""
        return self._parts.dreams.due()

    def dream(
        self,
        *,
        now: bool = False,
        dry_run: bool = False,
        cancel: "Cancel | None" = None,
        said: "Callable[[str], object]" = str,
    ) -> "Dreamed":
        """Consolidate the memories if it is time, or at once: one step that can be undone, or the inbox."""
        return self._parts.usable.dreams.dream(hurried=now, dry_run=dry_run, cancel=cancel, said=said)

    @property
    def _session(self) -> str:
        return self._parts.world.session

    def _attempt(self, name: str, job: "Callable[[], Iterable[Report]]") -> "list[Report]":
        try:
            return [*job()]
        except (MemdirError, OSError) as error:
            return [Report(name, self._session, str(error), done=False, outcome=FAILED)]

    def _sync(self) -> "Iterator[Report]":
        from memdir.errors import RemoteError
        from memdir.handles.sync import SyncHandle

        handle = SyncHandle(self._parts)
        try:
            results = handle.run_all() if handle.has_remote else []
        except RemoteError as error:
            yield Report("sync", self._session, str(error), done=False)
            return
        for one in results:
            came = [*one.pulled, *one.merged, *one.deleted_here]
            count = "1 change" if len(came) == 1 else f"{len(came)} changes"
            said = f"{count} came from {one.remote}: {', '.join(came[:_NAMED])}"
            if came:
                yield Report("sync", self._session, said, True, WROTE, next(iter(one.operations), ""))

    def _heal(self) -> "tuple[Report, ...]":
        for parts in self._parts.audiences if self._parts.verdict.on else ():
            if parts.writer.memories.exists():
                parts.writer.heal(self._parts.world.clock())
        return ()

    def _take_notes(self, transcript: str, cancel: "Cancel | None") -> "Iterator[Report]":
        if self._session:
            yield from notes_reports(self._parts.notes.update(transcript, cancel=cancel), self._session)

    def _learn(self, seconds: float) -> "Iterator[Report]":
        if count := self._parts.learn(min(seconds, _LEARNING)):
            yield Report("vectors", self._session, f"{count} memories can be found by meaning now.")

    def _dream(self, cancel: "Cancel | None") -> "Iterator[Report]":
        from memdir.dream.dreamer import APPLIED, INBOX
        from memdir.dream.dreamer import FAILED as DREAM_FAILED

        if not isinstance(self._parts.dreams.due(), NotNow):
            dreamed = self._parts.dreams.dream(cancel=cancel)
            failed = dreamed.ended == DREAM_FAILED
            outcome = FAILED if failed else WROTE if dreamed.ended in (APPLIED, INBOX) else ""
            said = f"{dreamed.ended}: {dreamed.because}".rstrip(": ")
            yield Report("dream", self._session, said, not failed, outcome, dreamed.operation)


def notes_reports(noted: "Noted | NotNow", session: str) -> "Iterator[Report]":
    """Yield what there is to say of notes that were taken or should have been; nothing when it is no time."""
    from memdir.notes.update import Noted

    if isinstance(noted, Noted):
        yield Report("notes", session, "Notes of this conversation were taken.")
    elif noted.failed:
        yield Report("notes", session, noted.because, done=False, outcome=FAILED)
