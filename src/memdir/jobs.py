"""One turn of the background workers: what waits is done in order, each within what is left of the time."""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic

from memdir.dream.build import Dreams
from memdir.dream.dreamer import APPLIED, INBOX
from memdir.dream.dreamer import FAILED as DREAM_FAILED
from memdir.errors import MemdirError
from memdir.extract.extractor import Extractor
from memdir.extract.result import FAILED, WROTE, Report
from memdir.models.protocol import Cancel
from memdir.notes.build import SessionNotes
from memdir.notes.notes import Noted
from memdir.text.value import value_class
from memdir.workers.decision import NotNow

__all__ = ["Shift", "notes_reports"]

_LEARNING = 30.0
"""Seconds for vectors at the most: two thousand memories, and the next worker goes on."""


@value_class(frozen=True, slots=True)
class Shift:
    """The workers of one conversation."""

    extractor: Extractor
    notes: SessionNotes
    dreams: Dreams
    learn: Callable[[float], int]
    session: str

    def work(self, seconds: float, cancel: Cancel | None, *, ended: bool) -> list[Report]:
        """Do all of it; one that fails is reported and does not keep the others from their work."""
        end = monotonic() + seconds
        transcript = self.extractor.transcript_of(self.session)  # before the request for it is done
        jobs: dict[str, Callable[[], Iterator[Report]]] = {
            "notes": lambda: self._noted(transcript, cancel),
            "vectors": lambda: self._learned(end - monotonic()),
        }
        if ended:
            jobs["dream"] = lambda: self._dreamed(cancel)
            reports = self.drain(min(seconds, self.extractor.drain_seconds), cancel)
        else:
            reports = self.extractor.work(seconds, cancel)
        for name, job in jobs.items():
            if monotonic() >= end or (cancel is not None and cancel.is_set()):
                break
            reports += self._tried(name, job)
        return reports

    def drain(self, seconds: float | None, cancel: Cancel | None) -> list[Report]:
        """Bring the index up to date with what others wrote, then extract all that waits."""
        reports = self._tried("index", self._healed)
        return reports + self.extractor.drain(seconds, cancel)

    def _tried(self, name: str, job: Callable[[], Iterable[Report]]) -> list[Report]:
        try:
            return [*job()]
        except (MemdirError, OSError) as error:
            return [Report(name, self.session, str(error), done=False, outcome=FAILED)]

    def _healed(self) -> tuple[Report, ...]:
        writer = self.extractor.writer
        if self.extractor.verdict.on and writer.memories.exists():
            writer.heal(self.extractor.clock())
        return ()

    def _noted(self, transcript: str, cancel: Cancel | None) -> Iterator[Report]:
        if self.session:
            yield from notes_reports(self.notes.update(transcript, cancel=cancel), self.session)

    def _learned(self, seconds: float) -> Iterator[Report]:
        if count := self.learn(min(seconds, _LEARNING)):
            yield Report("vectors", self.session, f"{count} memories can be found by meaning now.")

    def _dreamed(self, cancel: Cancel | None) -> Iterator[Report]:
        if not isinstance(self.dreams.due(), NotNow):
            dreamed = self.dreams.dream(cancel=cancel)
            failed = dreamed.ended == DREAM_FAILED
            outcome = FAILED if failed else WROTE if dreamed.ended in (APPLIED, INBOX) else ""
            said = f"{dreamed.ended}: {dreamed.because}".rstrip(": ")
            yield Report("dream", self.session, said, not failed, outcome, dreamed.operation)


def notes_reports(noted: Noted | NotNow, session: str) -> Iterator[Report]:
    """Yield what there is to say of notes that were taken or should have been; nothing when it is no time."""
    if isinstance(noted, Noted):
        yield Report("notes", session, "Notes of this conversation were taken.")
    elif noted.failed:
        yield Report("notes", session, noted.because, done=False, outcome=FAILED)
