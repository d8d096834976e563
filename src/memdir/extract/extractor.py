"""Extraction after a turn: one worker at a time reads what is new, finds memories and writes them.

A host's tools and a model's are imported late: most turns need neither.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from threading import Event
from typing import Any

from memdir.config.location import Setup
from memdir.config.world import World
from memdir.conversation.cursors import Cursor
from memdir.conversation.messages import Spoken, entry_of, spoken_in
from memdir.conversation.transcripts import Passage, read
from memdir.errors import (
    CapReached,
    HistoryError,
    MemdirError,
    ModelError,
    ModelRejected,
    NoSuchMemory,
    Rejected,
)
from memdir.extract.gate import JOB, Skip, key_of, session_of, too_early
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.plan import VERB, ExtractionPlan, UnfinishedPlans, plan_changes
from memdir.extract.result import Extracted
from memdir.extract.tagger import shipped_tagger
from memdir.memories.change import Operation
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.history.recorder import Recorder
from memdir.memories.repetition import is_echo
from memdir.memories.topic import Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model, Prefix
from memdir.text.value import replace, value_class
from memdir.workers.queue import FAILED, WROTE, JobRequest, Report, RequestQueue

__all__ = ["Extractor", "Source", "messages_due", "messages_source", "transcript_source"]

_TICK = 0.05
"""Seconds between two looks at a worker of another process."""


@value_class(frozen=True, slots=True)
class Source:
    """Where messages come from."""

    key: str
    """Names its cursor; empty when it has none."""
    session: str
    """The id of the conversation, for those who ask where a memory comes from."""
    read: Callable[[Cursor | None], Passage]
    """Returns what was said since the cursor."""
    is_file: bool = True


def transcript_source(path: str, *, named: bool = False) -> Source:
    """Return a conversation in a file; one that a person named is read from its start if it was replaced."""

    def read_file(since: Cursor | None) -> Passage:
        if not os.path.lexists(path):
            raise NoSuchMemory(f"There is no transcript {path}. Name a JSONL file with one message a line.")
        passage = read(path, since, whole=named)
        if named and passage.foreign and not passage.cursor.last:
            raise Rejected(f"{path} is no transcript. Name a JSONL file with one message a line.")
        return passage

    return Source(key_of(path), session_of(path), read_file)


def messages_source(messages: Sequence[Mapping[str, Any]], session: str = "") -> Source:
    """Return a conversation as a list of messages, in the shape of either vendor's API or of a host's lines.

    Its cursor counts messages. Without a session, a checksum of the first message names it.
    """

    def read_list(since: Cursor | None) -> Passage:
        is_same = since is not None and since.check == _check(messages[: since.line])
        start = since.line if since and is_same else 0  # a list that was rewritten is new
        said = list[Spoken]()
        for number, message in enumerate(messages[start:], start + 1):
            if "role" in message:
                said += spoken_in(message, str(message.get("id") or number))
            else:
                said += entry_of(message, number).said
        to = Cursor(line=len(messages), last=said[-1].id if said else "", check=_check(messages))
        return Passage(tuple(said), to)

    began = f"began {_check(messages[:1])}" if messages else ""
    return Source(session or began, session, read_list, is_file=False)


@value_class(frozen=True, slots=True)
class Extractor:
    """Extracts the conversations of one memory directory."""

    writer: Writer
    setup: Setup
    world: World
    model: Callable[[], Model | NoModel]
    """Returns the model to ask; called only when there is something to extract."""

    @property
    def requests(self) -> RequestQueue:
        """Conversations that wait for a worker."""
        return RequestQueue(self.writer.memories.state, JOB)

    def extract(
        self, source: Source, *, dry_run: bool = False, prefix: Prefix | None = None, literal: bool = False
    ) -> Extracted:
        """Extract what was said since the last time, now; waits for a worker that is running."""
        seconds = float(self.setup.settings.number("worker.maxSeconds"))
        run = _ExtractionRun(source, seconds, self.world.session, prefix, dry_run=dry_run, literal=literal)
        with nullcontext() if dry_run else self.requests.hold_lock(seconds):
            return self._extract(run)

    def work(
        self, seconds: float | None = None, cancel: Cancel | None = None, *, drained: bool = False
    ) -> list[Report]:
        """Extract all conversations that wait, within so many seconds; what is not done goes on waiting."""
        if not self.setup.verdict.on or not self.requests.waiting_requests():
            return []
        most, timer = float(self.setup.settings.number("worker.maxSeconds")), self.world.timer
        end = timer() + (most if seconds is None else min(seconds, most))
        every_turns = 1 if drained else self.setup.settings.number("extract.everyTurns")
        reports, gave_up = list[Report](), False

        def process(request: JobRequest) -> bool:
            nonlocal gave_up
            left, given = end - timer(), request.details
            if left <= 0 or gave_up or (cancel is not None and cancel.is_set()):
                return False
            source = transcript_source(given.get("transcript", ""))
            run = _ExtractionRun(
                source, left, given.get("session", ""), cancel=cancel, every_turns=every_turns
            )
            try:
                result = self._extract(run)
                said = result.line or result.because or "Nothing was worth saving"
                outcome, operation, done = WROTE if result.line else "", result.operation, not result.waits
            except NoSuchMemory as error:  # the transcript is gone: asking again will not bring it back
                said, outcome, operation, done = str(error), "", "", True
            except MemdirError as error:
                # The next conversation would ask the same model; what is no transcript will never be one.
                gave_up = isinstance(error, ModelError | CapReached)
                said, outcome, operation, done = str(error), FAILED, "", isinstance(error, Rejected)
            reports.append(Report(JOB, request.session, said, done, outcome, operation))
            return done

        self.requests.work(process)
        return reports

    def drain(self, seconds: float | None = None, cancel: Cancel | None = None) -> list[Report]:
        """Extract all that waits, even after a few turns, and wait for a worker of another process."""
        timer, reports = self.world.timer, list[Report]()
        end = timer() + (self.drain_seconds if seconds is None else seconds)
        while self.requests.waiting_requests() and (left := end - timer()) > 0:
            reports += self.work(left, cancel, drained=True)
            if not self.requests.is_busy() or (cancel or Event()).wait(_TICK):
                break
        return reports

    @property
    def drain_seconds(self) -> float:
        """How long the end of a conversation may take."""
        return float(self.setup.settings.number("extract.drainSeconds"))

    def transcript_of(self, session: str) -> str:
        """Return the transcript of a conversation that waits; empty when it does not wait."""
        waiting = [request.details for request in self.requests.waiting_requests()]
        return next((one.get("transcript", "") for one in waiting if one.get("session") == session), "")

    def _extract(self, run: "_ExtractionRun") -> Extracted:
        """Finish the plan of a worker that died, then extract what is new; a dry run only says what it is."""
        source, plans = run.source, UnfinishedPlans(self.writer)
        before = None if run.dry_run else plans.finish(source.key)
        since = plans.cursors.of(source.key) if source.key else None
        passage = source.read(since)
        every_turns = run.every_turns if before is None else 1
        due = messages_due(passage.messages, self.writer.memories.path, every_turns, home=self.world.home)
        if isinstance(due, Skip):
            skipped = tuple((one.id, due.because) for one in passage.messages[-1:])
            found = Extracted(because=due.because, skipped=passage.skipped + skipped, waits=due.waits)
            if source.key and not run.dry_run and not due.waits:
                plans.cursors.advance(source.key, since, passage.cursor)
        else:
            now = self.world.clock().replace(microsecond=0)
            known = list(self.writer.memories.topics())
            found = _without_withdrawn(self._find(due, known, now, run), due, self.writer.recorder, now)
            by = Provenance("extractor", "user", found.method, run.session or source.session)
            plan = ExtractionPlan(since, passage.cursor, now, by)
            found, plan = plan_changes(found, known, self.writer, plan)
            found = replace(found, skipped=passage.skipped + found.skipped)
            if not run.dry_run:
                # A caller can give messages again: if one raised an error, all of them count as new then.
                key = source.key if source.is_file or not found.unreadable else ""
                found = found.after(plans.write(key, plan))
        return found.after(before) if before else found

    def _find(
        self, due: tuple[Spoken, ...], known: Sequence[Topic], now: datetime, run: "_ExtractionRun"
    ) -> Extracted:
        """Return what a model finds in the messages, or without one the tagger and rules."""
        model, settings, root = self.model(), self.setup.settings, self.setup.place.root
        if isinstance(model, NoModel):
            if model.wrong:
                raise ModelRejected(f"Nothing was extracted: {model.because}")
            save, inbox = (settings.number(f"extract.{name}Percent") / 100 for name in ("save", "inbox"))
            judge = Judge(shipped_tagger(), save, min(save, inbox))
            found = extract(due, known, now.date(), judge=judge, literal=run.literal)
            return replace(found, method="offline")
        from memdir.extract.model.extraction import ask_model
        from memdir.workers.loop import WorkerLimits

        found = ask_model(
            model,
            due,
            known,
            self.writer.memories.path,
            limits=WorkerLimits(settings.number("extract.maxTurns"), run.seconds),
            timer=self.world.timer,
            now=now,
            roots=(root,) if root else (),
            prefix=run.prefix,
            cancel=run.cancel,
            literal=run.literal,
        )
        return replace(found, method="model")


@value_class(frozen=True, slots=True)
class _ExtractionRun:
    """One extraction from one conversation."""

    source: Source
    seconds: float
    session: str = ""
    prefix: Prefix | None = None
    cancel: Cancel | None = None
    dry_run: bool = False
    literal: bool = False
    """Whether the days that are named get no dates."""
    every_turns: int = 1
    """Turns that must have passed since the last extraction."""


_MOST_WITHDRAWN = 40
"""Changes that were undone or forgotten whose texts are read, the newest ones."""


def _without_withdrawn(
    found: Extracted, heard: Sequence[Spoken], recorder: Recorder, now: datetime
) -> Extracted:
    """Leave out drafts whose text was undone or forgotten after their message was written.

    A message without a time counts as older: `remember` saves what a person wants nevertheless.
    """
    if not found.drafts:
        return found
    times = {one.id: one.at for one in heard}
    gone = list[tuple[str, datetime]]()
    with suppress(HistoryError):  # without history nobody knows what was taken back
        gone = recorder.ask_history(now, lambda: list(_withdrawn_texts(recorder)))
    for one in found.drafts if gone else ():
        lead = one.body.partition("\n\n")[0].strip()
        texts = [body for body, at in gone if (times.get(one.message) or at) <= at]
        if any(lead == text.partition("\n\n")[0].strip() for text in texts) or is_echo(lead, texts):
            found = found.without(one, "it was saved once and taken back")
    return found


def _withdrawn_texts(recorder: Recorder) -> Iterator[tuple[str, datetime]]:
    """Yield the texts of extractions that were undone and of memories that a person forgot, and when."""
    undone: dict[str, str] = {}
    taken: list[tuple[HistoryEntry | Operation, str]] = []
    # Newest first, beginning with what history lacks yet: an undo that was undone must not count.
    newest: list[HistoryEntry | Operation] = [*reversed(recorder.pending()), *recorder.history.entries()]
    for done in newest:
        if done.id in undone:
            if done.verb == VERB:
                taken.append((done, undone[done.id]))
        elif done.undoes:
            undone[done.undoes] = done.at
        elif done.verb == "forget" and done.by.actor != "extractor":
            taken.append((done, done.at))
    for done, at in taken[:_MOST_WITHDRAWN]:
        operation = done if isinstance(done, Operation) else recorder.history.operation(done)
        for change in operation.changes:
            text = change.before if done.verb == "forget" else change.after
            if text is not None:
                moment = datetime.fromisoformat(at)
                yield topic_from(change.file, text, moment).body, moment


def messages_due(
    messages: Sequence[Spoken], directory: str, every_turns: int = 1, *, home: str = ""
) -> Skip | tuple[Spoken, ...]:
    """Return the messages to extract from, or why none; what came from memory is marked in them."""
    turns = sum(one.is_prompt for one in messages)
    if not turns:
        return Skip("nobody said anything new")
    if early := too_early(turns, every_turns):
        return early
    if not any(one.uses for one in messages):
        return tuple(messages)
    from memdir.extract.memory_use import memory_writes, with_memory_marked

    if written := memory_writes(messages, directory, home):
        return Skip(f"the host itself saved to memory in these messages ({written[0]})")
    return with_memory_marked(messages, directory)


def _check(messages: Sequence[Mapping[str, Any]]) -> str:
    text = json.dumps(list(messages), sort_keys=True, default=str)
    return f"{len(messages)}:{zlib.crc32(text.encode()):08x}"
