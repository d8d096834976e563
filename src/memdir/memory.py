"""The front door: one verb per user story, no rules of its own."""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memdir.config.enabled import Verdict
from memdir.config.locate import Setup, resolved, state_for
from memdir.core.value import value_class
from memdir.errors import MemoryOff

if TYPE_CHECKING:  # what only some verbs need is imported by them: a prompt must not wait for the doctor
    from memdir.briefing import Briefing
    from memdir.core.clip import Clipped
    from memdir.core.kinds import Kind
    from memdir.core.topic import Draft, Header, Provenance, Topic
    from memdir.doctor.finding import Report
    from memdir.instructions.instruction import Discovery, Instruction
    from memdir.prompt.assemble import Context, HostTexts
    from memdir.prompt.bill import Bill
    from memdir.store.history import Entry
    from memdir.store.memory_dir import MemoryDir
    from memdir.store.saved import Forgotten, Saved
    from memdir.store.status import Status
    from memdir.store.undo import Undone
    from memdir.store.writer import Writer

    Entries = list[Entry]
    Headers = list[Header]
    Instructions = list[Instruction]

__all__ = ["Memory"]

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
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Wrap a directory; `Memory.open` and `Memory.at` find it."""
        self._directory, self._state, self._verdict, self._setup = directory, state, verdict, setup
        self._env, self._session, self._clock = env, session or "", clock
        self._cwd, self._added, self._bare = os.path.abspath(cwd), tuple(added), bare

    @classmethod
    def open(
        cls,
        cwd: str | os.PathLike[str] = ".",
        env: Mapping[str, str] | None = None,
        session: str | None = None,
        *,
        added: Sequence[str] = (),
        bare: bool = False,
    ) -> Self:
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
        )

    @classmethod
    def at(
        cls,
        directory: str | os.PathLike[str],
        state: str | os.PathLike[str] | None = None,
        session: str | None = None,
    ) -> Self:
        """Open one bare memory directory; it is made by the first save."""
        env, path = os.environ, os.path.realpath(directory)
        place = os.path.abspath(state) if state is not None else state_for(path, env=env, home=_home(env))
        return cls(path, place, env=env, session=session)

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
    ) -> "Saved":
        """Save one memory, or update the one of that name; durable and pointed at when this returns."""
        from memdir.core.topic import Draft

        draft = Draft(
            body, kind, name, description, why, how, title, pinned, expires, supersedes, source, saved_at
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
        return self._writer.save(drafts, by, self._clock(), allow_secret=allow_secret, strict=strict)

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
        from memdir.store.trust import known_writer

        return known_writer(self._writer, self.read(name).header.file)

    def edit(self, topic: "Topic", text: str, *, actor: str = "user", allow_secret: bool = False) -> str:
        """Replace the whole text of a memory that still reads as the caller saw it; return the operation."""
        self._must_be_on()
        by = self._by(actor)
        return self._writer.edit(topic, text, by, self._clock(), allow_secret=allow_secret).id

    def forget(self, name: str, *, actor: str = "user", reason: str = "") -> "Forgotten":
        """Remove one memory and its pointer; the text goes to the trash and stays in history."""
        self._must_be_on()
        return self._writer.forget(name, self._by(actor, reason=reason), self._clock())

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
        """Let instructions load again: the model no longer sees them."""
        self._briefing.conversation.forget_instructions()

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
        return examined(Patient(self._writer, self._setup, discovery), self._clock(), fix=fix)

    def status(self) -> "Status":
        """Return the figures of this directory: place, counts, sizes, what waits."""
        from memdir.store.status import status_of

        return status_of(self._writer)

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
        from memdir.briefing import Briefing
        from memdir.store.conversation import Conversation

        home = _home(self._env)
        setup = self._setup or resolved(env=self._env, cwd=self._cwd, home=home)
        setup = replace(setup, verdict=self._verdict)
        talk = Conversation(self.state, self._session)
        return Briefing(
            lambda: self._memories,
            setup,
            self._env,
            home,
            self._cwd,
            talk,
            added=self._added,
            bare=self._bare,
        )

    @cached_property
    def _writer(self) -> "Writer":
        from memdir.store.git import git_path
        from memdir.store.writer import Writer

        return Writer(self._memories, git_path(self._env.get("PATH", os.defpath)))

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

    def __getattr__(self, verb: str) -> Callable[..., Awaitable[Any]]:
        """Return a verb as a coroutine function."""
        import asyncio

        method = getattr(self._memory, verb)

        async def run(*arguments: Any, **keywords: Any) -> Any:
            return await asyncio.to_thread(method, *arguments, **keywords)

        return run


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")
