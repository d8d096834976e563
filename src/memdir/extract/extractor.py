"""Extraction after a turn: asked for when it ends, done by one worker at a time, with a model or without."""

from collections.abc import Callable
from datetime import datetime
from threading import Event

from memdir.config.enabled import Verdict
from memdir.config.location import Setup
from memdir.config.settings import Settings
from memdir.config.world import World
from memdir.conversation.transcripts import Passage
from memdir.errors import CapReached, MemdirError, ModelError, ModelRejected, NoSuchMemory, Rejected
from memdir.extract.apply import Outlook, Shelf, Written, outlook, without_taken_back
from memdir.extract.conversation import Source, Transcript
from memdir.extract.gate import JOB, Due, Rules, Skip, of_range
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.model.extraction import Asking, ask_model
from memdir.extract.result import FAILED, WROTE, Extracted, Report
from memdir.extract.tagger import shipped_tagger
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model, Prefix
from memdir.text.value import replace, value_class
from memdir.workers.loop import WorkerLimits
from memdir.workers.queue import JobRequest, RequestQueue
from memdir.workers.results import JobResult

__all__ = [
    "Extractor",
    "extractor",
]

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
        return self._result(self._extract_new(replace(task, passage=None)), before)

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
        plan = self._plan(due, task)
        shown = Extracted(plan.drafts, plan.forget, unread + plan.skipped, plan.by.method)
        if task.dry_run:
            return shown
        result = JobResult(since, passage.cursor, plan.at, plan.by, plan.edits, plan.proposals)
        # Who gave messages can give them again: where one raised an error, all of them count as new then.
        key = "" if shown.unreadable and not isinstance(source, Transcript) else source.key
        return self._result(shown, shelf.write(key, result))

    def _plan(self, due: Due, task: "_Task") -> Outlook:
        """Return what the messages would change."""
        memories, model = self.writer.memories, self.model()
        known, now = list(memories.topics()), self.clock().replace(microsecond=0)
        if isinstance(model, NoModel):
            if model.wrong:
                raise ModelRejected(f"Nothing was extracted: {model.because}")
            found = extract(due.messages, known, now.date(), judge=self.judge(), literal=task.literal)
        else:
            limits = WorkerLimits(self.limits.turns, min(task.seconds, self.limits.seconds))
            how = limits, self.timer, now, self.roots, task.prefix, task.cancel, task.literal
            found = ask_model(due.messages, known, memories.path, Asking(model, *how))
        found = without_taken_back(found, due.messages, self.writer.recorder, now)
        method = "offline" if isinstance(model, NoModel) else "model"
        by = Provenance("extractor", "user", method, task.session or task.source.session)
        return outlook(found, known, self.writer, by, now)

    def _result(self, shown: Extracted, written: Written) -> Extracted:
        """Return a result together with what was written."""
        done = written.operation
        changes = done.changes if done else ()
        saved = tuple(self.writer.result_of(done.id, one) for one in changes if done and one.after)
        return replace(
            shown,
            saved=saved + shown.saved,
            forgotten=tuple(one.file for one in changes if one.after is None) + shown.forgotten,
            inbox=written.inbox + shown.inbox,
            operation=shown.operation or (done.id if done else ""),
        )


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
    limits = WorkerLimits(settings.number("extract.maxTurns"), float(settings.number("worker.maxSeconds")))
    return Extractor(
        writer=writer,
        model=model,
        requests=RequestQueue(writer.memories.state, JOB),
        clock=world.clock,
        timer=world.timer,
        verdict=verdict,
        judge=lambda: _judge(settings),
        rules=Rules.of(settings),
        limits=limits,
        drain_seconds=float(settings.number("extract.drainSeconds")),
        session=world.session,
        home=world.home,
        roots=(setup.place.root,) if setup.place.root else (),
    )


def _judge(settings: Settings) -> Judge:
    """Return the shipped tagger, where it can be loaded, with the thresholds of the settings."""
    save, inbox = (settings.number(f"extract.{name}Percent") / 100 for name in ("save", "inbox"))
    return Judge(shipped_tagger(), save, min(save, inbox))
