"""The front door of a memory: everyday verbs, and a handle for each other feature; no rules of its own.

It imports late and does without `typing`: a verb loads its own feature alone.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memdir.build import (
    Options,
    Parts,
    all_headers,
    directory_parts,
    from_private,
    project_parts,
    save_drafts,
    topic_called,
)
from memdir.config.location import Verdict
from memdir.config.world import utc_now, world_in
from memdir.memories.topic import Draft
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from memdir.aio import AsyncMemory
    from memdir.context import ContextBuilder
    from memdir.doctor.full_check import Doctor
    from memdir.extract.extractor import Source
    from memdir.extract.result import Extracted
    from memdir.handles.agents import AgentsHandle
    from memdir.handles.history import HistoryHandle
    from memdir.handles.jobs import JobsHandle
    from memdir.handles.models import ModelsHandle
    from memdir.handles.recalls import RecallsHandle
    from memdir.handles.rules import RulesHandle
    from memdir.handles.sync import SyncHandle
    from memdir.handles.team import TeamHandle
    from memdir.handles.transfer import TransferHandle
    from memdir.hosts.setup import HostsHandle
    from memdir.inbox.proposals import Proposals
    from memdir.instructions.project import ProjectInstructions
    from memdir.memories.change import Forgotten, Saved
    from memdir.memories.history.undo import Undone
    from memdir.memories.topic import Header, Kind, Topic
    from memdir.models.protocol import Model, Prefix
    from memdir.notes.update import SessionNotes
    from memdir.recall.recaller import Recall

    Headers = list[Header]

__all__ = ["Memory"]


class Memory:
    """A memory directory as a person or an agent uses it."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts; `Memory.open` and `Memory.at` compose them."""
        self._parts = parts

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
        clock: Callable[[], datetime] = utc_now,
    ) -> "Self":
        """Open the memory of the project that a directory belongs to: layout, settings and place resolved."""
        world = world_in(cwd, os.environ if env is None else env, session or "", clock)
        return cls(project_parts(world, Options(tuple(added), bare, model)))

    @classmethod
    def at(
        cls,
        directory: str | os.PathLike[str],
        state: str | os.PathLike[str] | None = None,
        session: str | None = None,
        *,
        cwd: str | os.PathLike[str] = ".",
        env: Mapping[str, str] | None = None,
        bare: bool = False,
        model: "Model | None" = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> "Self":
        """Open one memory directory by its path, whatever settings say; it is made by the first save."""
        world = world_in(cwd, os.environ if env is None else env, session or "", clock)
        return cls(directory_parts(world, directory, state, Options(bare=bare, model=model)))

    @property
    def directory(self) -> str:
        """Where the memories lie."""
        return self._parts.directory

    @property
    def state(self) -> str:
        """Where our own records about the directory lie: history, trash, caches."""
        return self._parts.state

    @property
    def verdict(self) -> Verdict:
        """Whether memory is on, and which rule decided."""
        return self._parts.verdict

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
        literal: bool = False,
        audience: str = "private",
    ) -> "Saved":
        """Save one memory, or update the one of that name; file and index are durable when this returns."""
        about = kind, name, description, why, how, title
        parts = self._parts if audience == "private" else _audience_parts(self._parts, audience)
        draft = Draft(body, *about, pinned, expires, supersedes, source, saved_at, enforce, literal=literal)
        return save_drafts(parts, [draft], actor, reason, allow_secret=allow_secret, strict=strict)[0]

    def read(self, name: str) -> "Topic":
        """Return one memory by name or file."""
        return topic_called(self._parts, name)

    def list(self, *, kind: "Kind | str | None" = None, limit: int | None = None) -> "Headers":
        """Return headers, newest first: of all memories, of one kind ("none": of those without), or a few."""
        return all_headers(self._parts, kind, limit)

    def edit(self, topic: "Topic", text: str, *, actor: str = "user", allow_secret: bool = False) -> "Saved":
        """Replace the whole text of a memory that still reads as the caller saw it."""
        own, by = self._parts, self._parts.provenance(actor)
        parts, file = own.owner(topic.header.file)
        seen, writer = replace(topic, header=replace(topic.header, file=file)), parts.usable.writer
        saved = writer.edit(seen, text, by, own.world.clock(), allow_secret=allow_secret)
        return from_private(parts, saved)

    def forget(
        self, name: str, *, actor: str = "user", source: str = "user", reason: str = ""
    ) -> "Forgotten":
        """Remove one memory and its pointer; the text goes to the trash and stays in history."""
        own, by = self._parts, self._parts.provenance(actor, source, reason)
        parts, inside = own.owner(name)
        return from_private(parts, parts.usable.writer.forget(inside, by, own.world.clock()))

    def rename(self, name: str, new: str) -> "Saved":
        """Give a memory another name, and the file that goes with it."""
        own, (parts, inside) = self._parts, self._parts.owner(name)
        called = own.owner(new)[1] if parts is not own else new
        by, now = own.provenance("user"), own.world.clock()
        return from_private(parts, parts.usable.writer.rename(inside, called, by, now))

    def undo(self, operation: str | None = None, *, on_collision: str = "stop") -> "Undone":
        """Take back one operation, by default the newest that was not undone and still has an effect."""
        return self.history.undo(operation, on_collision=on_collision)

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        recent_tools: Sequence[str] = (),
        budget: float | None = None,
    ) -> "Recall":
        """Return the memories to show for a prompt, at most `recall.files` of them."""
        return self._parts.recaller.recall(query, limit=limit, recent_tools=recent_tools, budget=budget)

    def extract(
        self,
        transcript: str | os.PathLike[str] | None = None,
        *,
        dry_run: bool = False,
        messages: "Sequence[Mapping[str, Any]] | None" = None,
        prefix: "Prefix | None" = None,
        literal: bool = False,
    ) -> "Extracted":
        """Save what a conversation taught since the last time: a transcript, the newest one, or messages."""
        source = _conversation(self._parts.usable, transcript, messages)
        return self._parts.extractor.extract(source, dry_run=dry_run, prefix=prefix, literal=literal)

    @property
    def aio(self) -> "AsyncMemory":
        """The same verbs for asynchronous callers, each run in a thread."""
        from memdir.aio import AsyncMemory

        return AsyncMemory(self)

    @property
    def history(self) -> "HistoryHandle":
        """What was done: list, diff, undo, restore, and who wrote a memory."""
        from memdir.handles.history import HistoryHandle

        return HistoryHandle(self._parts)

    @property
    def inbox(self) -> "Proposals":
        """The changes that wait for a person: list, show, apply, reject."""
        from memdir.inbox.proposals import Proposals

        return Proposals(self._parts.usable.writer, self._parts.world.clock)

    @property
    def rules(self) -> "RulesHandle":
        """The rules that agents are held to: list, approve, withdraw."""
        from memdir.handles.rules import RulesHandle

        return RulesHandle(self._parts)

    @property
    def instructions(self) -> "ProjectInstructions":
        """The instruction files of the project: load, discover, render, approve, withdraw."""
        return self._parts.instructions

    @property
    def context(self) -> "ContextBuilder":
        """What a model is told at the start of a conversation: build, prompt, index, bill, compaction."""
        return self._parts.context

    @property
    def recalls(self) -> "RecallsHandle":
        """Recalls explained: receipt, why not, stats, rank; and a recall beside the caller."""
        from memdir.handles.recalls import RecallsHandle

        return RecallsHandle(self._parts)

    @property
    def notes(self) -> "SessionNotes":
        """The notes of this conversation, without a session those written last: read, update."""
        return self._parts.usable.notes

    @property
    def jobs(self) -> "JobsHandle":
        """Background work: turns to extract, work, drain, dream."""
        from memdir.handles.jobs import JobsHandle

        return JobsHandle(self._parts)

    @property
    def sync(self) -> "SyncHandle":
        """The remote that this memory is kept in step with: init, run, status."""
        from memdir.handles.sync import SyncHandle

        return SyncHandle(self._parts)

    @property
    def models(self) -> "ModelsHandle":
        """The model that is asked and its costs, and the model by which recall knows meanings."""
        from memdir.handles.models import ModelsHandle

        return ModelsHandle(self._parts)

    @property
    def agent(self) -> "AgentsHandle":
        """The memory of an agent type, `memory.agent("reviewer", scope="project")`; its prompt, snapshots."""
        from memdir.handles.agents import AgentsHandle

        return AgentsHandle(self._parts, type(self))

    @property
    def transfer(self) -> "TransferHandle":
        """Memories from elsewhere and to it: adopt, import, export; and removal for good."""
        from memdir.handles.transfer import TransferHandle

        return TransferHandle(self._parts)

    @property
    def hosts(self) -> "HostsHandle":
        """The agents that memdir serves: their set-up, and the session of one of them."""
        from memdir.hosts.setup import HostsHandle

        return HostsHandle(self._parts)

    @property
    def team(self) -> "TeamHandle":
        """Team memory: set-up, status, promotion, and who taught what."""
        from memdir.handles.team import TeamHandle

        return TeamHandle(self._parts)

    @property
    def doctor(self) -> "Doctor":
        """What is wrong here: examine, status, contradictions."""
        from memdir.doctor.full_check import Doctor

        return Doctor(self._parts)


def _audience_parts(parts: Parts, audience: str) -> Parts:
    from memdir.handles.team import audience_parts

    return audience_parts(parts, audience)


def _conversation(
    parts: Parts, transcript: str | os.PathLike[str] | None, messages: "Sequence[Mapping[str, Any]] | None"
) -> "Source":
    """Return what memories are extracted from: messages, a transcript, or the newest one."""
    from memdir.conversation.search import newest_transcript
    from memdir.extract.extractor import messages_source, transcript_source

    if messages is not None:
        return messages_source(messages, parts.world.session)
    path = transcript or newest_transcript(parts.effective_setup, parts.world.cwd)
    return transcript_source(os.path.abspath(path), named=transcript is not None)
