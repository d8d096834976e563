"""One turn of the background workers: what waits is done in order, each within what is left of the time."""

from collections.abc import Callable, Iterator
from time import monotonic

from memdir.core.value import value_class
from memdir.errors import MemdirError
from memdir.llm.protocol import Cancel
from memdir.workers.dream_gate import Skip as NotDue
from memdir.workers.dream_opened import Dreams
from memdir.workers.extract import Extractor
from memdir.workers.extract_result import Report
from memdir.workers.notes import Noted
from memdir.workers.notes_opened import SessionNotes

__all__ = ["Shift"]

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
        reports = self.extractor.drain(seconds, cancel) if ended else self.extractor.work(seconds, cancel)
        for job in (self._noted, self._learned, *((self._dreamed,) if ended else ())):
            if monotonic() >= end or (cancel is not None and cancel.is_set()):
                break
            try:
                reports += job(end - monotonic(), cancel)
            except (MemdirError, OSError) as error:
                reports.append(Report(job.__name__.strip("_"), self.session, str(error), done=False))
        return reports

    def _noted(self, seconds: float, cancel: Cancel | None) -> Iterator[Report]:
        del seconds
        if self.session and isinstance(self.notes.update(cancel=cancel), Noted):
            yield Report("notes", self.session, "Notes of this conversation were taken.")

    def _learned(self, seconds: float, cancel: Cancel | None) -> Iterator[Report]:
        del cancel
        if count := self.learn(min(seconds, _LEARNING)):
            yield Report("vectors", self.session, f"{count} memories can be found by meaning now.")

    def _dreamed(self, seconds: float, cancel: Cancel | None) -> Iterator[Report]:
        del seconds
        if not isinstance(self.dreams.due(), NotDue):
            dreamed = self.dreams.dream(cancel=cancel)
            yield Report("dream", self.session, f"{dreamed.ended}: {dreamed.because}")
