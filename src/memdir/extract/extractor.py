"""Extraction after a turn: asked for when it ends, done by one worker at a time, with a model or without."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Event

from memdir.config.enabled import Verdict
from memdir.config.location import Setup
from memdir.config.world import World
from memdir.conversation.messages import Spoken
from memdir.conversation.transcripts import Cursor, Passage
from memdir.errors import (
    CapReached,
    HistoryError,
    MemdirError,
    ModelError,
    ModelRejected,
    NoSuchMemory,
    Rejected,
)
from memdir.extract.apply import Extracted, JobResult, Shelf, outlook
from memdir.extract.conversation import Source, Transcript
from memdir.extract.gate import JOB, Rules, Skip, of_range
from memdir.extract.heuristics.drafting import ExtractedDraft as Found
from memdir.extract.heuristics.extraction import Extraction, Judge, extract
from memdir.extract.model.extraction import Asking, ask_model
from memdir.extract.tagger import shipped_tagger
from memdir.memories.change import Operation
from memdir.memories.echo import is_echo
from memdir.memories.history.history import HistoryEntry
from memdir.memories.history.recorder import Recorder
from memdir.memories.topic import Provenance, topic_from
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model, Prefix
from memdir.text.value import replace, value_class
from memdir.workers.loop import WorkerLimits
from memdir.workers.queue import FAILED, WROTE, JobRequest, Report, RequestQueue

__all__ = ["Extractor", "extractor"]

_TICK = 0.05
"""Seconds between two looks at a worker of another process."""


@value_class(frozen=True, slots=True)
class Extractor:
    """Extracts the conversations of one memory directory."""

    writer: Writer
    model: Callable[[], "Model | NoModel"]
    """The model to ask, made when it is needed."""
    requests: RequestQueue
    """Conversations that wait for a worker."""
    clock: Callable[[], datetime]
    timer: Callable[[], float]
    """Seconds that only ever grow."""
    verdict: Verdict
    judge: Callable[[], Judge] = Judge
    """Who decides what is kept where no model is asked, made when it is needed."""
    rules: Rules = Rules()
    limits: WorkerLimits = WorkerLimits()
    """How long one run may take."""
    drain_seconds: float = 30.0
    session: str = ""
    roots: tuple[str, ...] = ()
    """Folders besides the memory directory that the host may read."""
    home: str = ""
    """The user's home, as a host's shell commands spell it."""

    def extract(
        self, source: Source, *, dry_run: bool = False, prefix: Prefix | None = None, literal: bool = False
    ) -> Extracted:
        """Look at what was said since the last time, now; waits for a worker that is at it."""
        task = _Task(source, self.limits.seconds, self.session, prefix, dry_run=dry_run, literal=literal)
        if dry_run:
            return self._extract_new(task)
        with self.requests.hold_lock(self.limits.seconds):
            return self._run(task)

    def work(
        self, seconds: float | None = None, cancel: Cancel | None = None, *, drained: bool = False
    ) -> list[Report]:
        """Look at all conversations that wait, within so many seconds; what is not done goes on waiting."""
        if not self.verdict.on or not self.requests.waiting_requests():
            return []
        most = self.limits.seconds if seconds is None else min(seconds, self.limits.seconds)
        shift = _Shift(self, self.timer() + most, cancel, drained=drained)
        self.requests.work(shift.process)
        return shift.reports

    def drain(self, seconds: float | None = None, cancel: Cancel | None = None) -> list[Report]:
        """Do all that waits however few turns it is, and wait for a worker of another process."""
        end = self.timer() + (self.drain_seconds if seconds is None else seconds)
        reports = list[Report]()
        while self.requests.waiting_requests() and (left := end - self.timer()) > 0:
            reports += self.work(left, cancel, drained=True)
            if not self.requests.is_busy() or (cancel or Event()).wait(_TICK):
                break
        return reports

    def run_request(
        self, request: JobRequest, seconds: float, cancel: Cancel | None, *, drained: bool
    ) -> Extracted | Skip:
        """Look at one conversation that waits; a `Skip` when its turn has not come."""
        source = Transcript(request.details.get("transcript", ""))
        rules = None if drained else self.rules
        passage = source.read(Shelf(self.writer).cursors.of(source.key))
        early = of_range(passage.messages, self.writer.memories.path, rules, home=self.home)
        if isinstance(early, Skip) and early.waits:
            return early
        session = request.details.get("session", "")
        return self._run(_Task(source, seconds, session, cancel=cancel, passage=passage))

    def transcript_of(self, session: str) -> str:
        """Return where a conversation that waits is kept, as its host said; empty when it does not wait."""
        waiting = [request.details for request in self.requests.waiting_requests()]
        return next((one.get("transcript", "") for one in waiting if one.get("session") == session), "")

    def _run(self, task: "_Task") -> Extracted:
        """Finish what a worker that died left behind, then look at the rest."""
        before = Shelf(self.writer).finish(task.source.key)
        if before is None:
            return self._extract_new(task)
        return self._extract_new(replace(task, passage=None)).after(before)

    def _extract_new(self, task: "_Task") -> Extracted:
        """Look at what is new and write what was found; when the task is dry, only say it."""
        source, shelf = task.source, Shelf(self.writer)
        since = shelf.cursors.of(source.key) if source.key else None
        passage = task.passage or source.read(since)
        unread = source.unread(since, passage) if isinstance(source, Transcript) else ()
        due = of_range(passage.messages, self.writer.memories.path, home=self.home)
        if isinstance(due, Skip):
            if due.passed and source.key and not task.dry_run:
                shelf.cursors.advance(source.key, since, passage.cursor)
            skipped = tuple((one.id, due.because) for one in passage.messages[-1:])
            return Extracted(because=due.because, skipped=unread + skipped)
        left, result = self._plan(due, task, since, passage.cursor)
        shown = Extracted(left.drafts, left.forget, unread + left.skipped, result.by.method)
        if task.dry_run:
            return shown
        # Who gave messages can give them again: where one raised an error, all of them count as new then.
        key = "" if shown.unreadable and not isinstance(source, Transcript) else source.key
        return shown.after(shelf.write(key, result))

    def _plan(
        self, due: tuple[Spoken, ...], task: "_Task", since: Cursor | None, to: Cursor
    ) -> tuple[Extraction, JobResult]:
        """Return what the messages would change."""
        memories, model = self.writer.memories, self.model()
        known, now = list(memories.topics()), self.clock().replace(microsecond=0)
        if isinstance(model, NoModel):
            if model.wrong:
                raise ModelRejected(f"Nothing was extracted: {model.because}")
            found = extract(due, known, now.date(), judge=self.judge(), literal=task.literal)
        else:
            limits = WorkerLimits(self.limits.turns, min(task.seconds, self.limits.seconds))
            how = limits, self.timer, now, self.roots, task.prefix, task.cancel, task.literal
            found = ask_model(due, known, memories.path, Asking(model, *how))
        found = _without_taken_back(found, due, self.writer.recorder, now)
        method = "offline" if isinstance(model, NoModel) else "model"
        by = Provenance("extractor", "user", method, task.session or task.source.session)
        return outlook(found, known, self.writer, JobResult(since, to, now, by))


@value_class(frozen=True, slots=True)
class _Task:
    """One look at one conversation."""

    source: Source
    seconds: float
    session: str = ""
    prefix: Prefix | None = None
    cancel: Cancel | None = None
    dry_run: bool = False
    literal: bool = False
    """Whether the days that are named get no dates."""
    passage: Passage | None = None
    """What was said since the last time, where it was read already."""


class _Shift:
    """One worker's time: what it did so far, and whether it still makes sense to go on."""

    def __init__(self, extractor: Extractor, end: float, cancel: Cancel | None, *, drained: bool) -> None:
        self._extractor, self._end, self._cancel, self._drained = extractor, end, cancel, drained
        self._gave_up = False
        self.reports: list[Report] = []

    def process(self, request: JobRequest) -> bool:
        """Look at one conversation; tell whether it is done."""
        left = self._end - self._extractor.timer()
        if left <= 0 or self._gave_up or (self._cancel is not None and self._cancel.is_set()):
            return False
        try:
            result = self._extractor.run_request(request, left, self._cancel, drained=self._drained)
        except NoSuchMemory as error:  # the transcript is gone: asking again will not bring it back
            return self._report(request, str(error), done=True)
        except MemdirError as error:
            # The next conversation would ask the same model; what is no transcript will never be one.
            self._gave_up = isinstance(error, ModelError | CapReached)
            return self._report(request, str(error), done=isinstance(error, Rejected), outcome=FAILED)
        if isinstance(result, Skip):
            return self._report(request, result.because, done=False)
        said = result.line or result.because or "Nothing was worth saving"
        outcome = WROTE if result.line else ""
        return self._report(request, said, done=True, outcome=outcome, operation=result.operation)

    def _report(
        self, request: JobRequest, said: str, *, done: bool, outcome: str = "", operation: str = ""
    ) -> bool:
        self.reports.append(Report(JOB, request.session, said, done, outcome, operation))
        return done


def extractor(
    writer: Writer,
    setup: Setup,
    verdict: Verdict,
    world: World,
    *,
    model: Callable[[], Model | NoModel],
) -> Extractor:
    """Return what extracts conversations into this directory."""
    settings = setup.settings
    save, inbox = (settings.number(f"extract.{name}Percent") / 100 for name in ("save", "inbox"))
    limits = WorkerLimits(settings.number("extract.maxTurns"), float(settings.number("worker.maxSeconds")))
    return Extractor(
        writer=writer,
        model=model,
        requests=RequestQueue(writer.memories.state, JOB),
        clock=world.clock,
        timer=world.timer,
        verdict=verdict,
        judge=lambda: Judge(shipped_tagger(), save, min(save, inbox)),
        rules=Rules.of(settings),
        limits=limits,
        drain_seconds=float(settings.number("extract.drainSeconds")),
        session=world.session,
        home=world.home,
        roots=(setup.place.root,) if setup.place.root else (),
    )


_MOST_TAKEN_BACK = 40
"""Changes that were taken back whose texts are read, the newest ones."""


def _without_taken_back(
    found: Extraction, heard: Sequence[Spoken], recorder: Recorder, now: datetime
) -> Extraction:
    """Leave out drafts that say what was undone or forgotten after their message; said again, it counts.

    A message without a time counts as said before: `remember` saves what a person wants after all.
    """
    if not found.drafts:
        return found
    times = {one.id: one.at for one in heard}
    gone = list[tuple[str, datetime]]()
    with suppress(HistoryError):  # without history nobody knows what was taken back
        gone = recorder.ask_history(now, lambda: list(_taken_back(recorder)))
    away = list[Found]()
    for one in found.drafts if gone else ():
        lead = one.body.partition("\n\n")[0].strip()
        texts = [body for body, at in gone if (times.get(one.message) or at) <= at]
        if any(lead == text.partition("\n\n")[0].strip() for text in texts) or is_echo(lead, texts):
            away.append(one)
    reasons = [(one.message, "it was saved once and taken back") for one in away]
    return replace(
        found,
        drafts=tuple(one for one in found.drafts if one not in away),
        skipped=(*found.skipped, *reasons),
    )


def _taken_back(recorder: Recorder) -> Iterator[tuple[str, datetime]]:
    """Yield the texts of extractions that were undone and of memories that a person forgot, and when."""
    undone: dict[str, str] = {}
    taken: list[tuple[HistoryEntry | Operation, str]] = []
    # Newest first, and what is not in history yet before it: an undo that was undone takes nothing back.
    every: list[HistoryEntry | Operation] = [
        *reversed(recorder.pending()),
        *recorder.history.entries(),
    ]
    for done in every:
        if done.id in undone:
            taken += [(done, undone[done.id])] if done.verb == "extract" else []
        elif done.undoes:
            undone[done.undoes] = done.at
        elif done.verb == "forget" and done.by.actor != "extractor":
            taken.append((done, done.at))
    for done, at in taken[:_MOST_TAKEN_BACK]:
        operation = done if isinstance(done, Operation) else recorder.history.operation(done)
        for change in operation.changes:
            text = change.text_before if done.verb == "forget" else change.text_after
            if text is not None:
                moment = datetime.fromisoformat(at)
                yield topic_from(change.file, text, moment).body, moment
