"""The front door: one verb per user story, no rules of its own."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from memdir.text.value import replace, value_class
from memdir.upkeep import Upkeep

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for either
if TYPE_CHECKING:  # what only some verbs need is imported by them: a prompt must not wait for the doctor
    from collections.abc import Collection
    from typing import Any

    from memdir.conversation.compaction import CompactionDecision
    from memdir.conversation.receipts import Receipt
    from memdir.conversation.search import TranscriptMatches
    from memdir.instructions.instruction import Discovery, Instruction, Layer
    from memdir.memories.change import Edit, Forgotten, Saved
    from memdir.memories.kinds import Kind
    from memdir.memories.topic import Draft, Header, Provenance, Topic
    from memdir.prompt.bill import Bill
    from memdir.prompt.context import Context, HostTexts
    from memdir.prompt.guide import Reader
    from memdir.recall.explain import Stats, WhyNot
    from memdir.recall.prefetch import Prefetch
    from memdir.recall.ranked import Ranked
    from memdir.recall.recaller import Recall
    from memdir.recall.search import Hit
    from memdir.text.clip import Clipped

    Headers = list[Header]
    Hits = list[Hit]
    Instructions = list[Instruction]
    RankedMemories = list[Ranked]

__all__ = ["Memory"]


class Memory(Upkeep):
    """A memory directory as a person or an agent uses it."""

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
        literal: bool = False,
    ) -> "Saved":
        """Save one memory, or update the one of that name; durable and pointed at when this returns."""
        from memdir.memories.topic import Draft

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
            literal=literal,
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
        """Save several memories in one step: one lock, one commit, undone together.

        A rule that an agent saves in its own shell is not the user's: it asks until the user approves it.
        """
        from memdir.memories.draft import least_trusted
        from memdir.memories.history.agent_shell import PLANTED, as_agents

        self._must_be_on()
        by = self._by(actor, least_trusted(draft.source for draft in drafts), reason)
        planted = as_agents(self._world.env, drafts, by)
        drafts, by = planted or (drafts, by)
        saved = self._writer.save(drafts, by, self._world.clock(), allow_secret=allow_secret, strict=strict)
        return [replace(one, warnings=(*one.warnings, PLANTED)) for one in saved] if planted else saved

    def contradictions(self, name: str) -> "Sequence[str]":
        """Return hints at what a memory may contradict, each with how to replace that."""
        from memdir.memories.contradiction.rivals import rival_hints

        return rival_hints(self._memories, self._memories.file_of(name))

    def list(self, *, kind: "Kind | str | None" = None, limit: int | None = None) -> "Headers":
        """Return headers, newest first: of all memories, of one kind ("none": of those without), or a few."""
        return self._memories.scan(limit) if kind is None else self._memories.of_kind(kind, limit)

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
        limit: int | None = None,
        recent_tools: Sequence[str] = (),
        budget: float | None = None,
    ) -> "Recall":
        """Return what is worth showing for a prompt; however many are asked for, `recall.files` at most."""
        return self._recaller.recall(query, limit=limit, recent_tools=recent_tools, budget=budget)

    def rank(self, query: str) -> "RankedMemories":
        """Return all memories, the one that fits the query best first."""
        self._must_be_on()
        return self._ranking.ranked(query)

    def prefetch(
        self, query: str, *, limit: int | None = None, recent_tools: Sequence[str] = ()
    ) -> "Prefetch":
        """Start a recall that runs beside the caller; cancelling it cancels what it asks a model."""
        from memdir.recall.prefetch import Prefetch

        recall, talk = self._recaller.recall, self._conversation
        return Prefetch(
            lambda off: recall(query, limit=limit, recent_tools=recent_tools, called_off=off),
            lambda unseen: talk.give_back(unseen.files),
        )

    def why(self, recall: str | None = None) -> "Receipt":
        """Return the receipt of a recall by its id, or of the newest."""
        from memdir.conversation.receipts import Receipts

        self._must_be_on()
        return Receipts(self._state).one(recall)

    def recalled_text(self, receipt: "Receipt") -> str:
        """Return the very text that a recall gave; a `Conflict` when a file changed since."""
        from memdir.recall.surfacing import rebuilt

        self._must_be_on()
        return rebuilt(self._memories, receipt)

    def why_not(self, name: str, query: str) -> "WhyNot":
        """Return which rule keeps a memory from being recalled for a query."""
        from memdir.recall.explain import why_not

        self._must_be_on()
        return why_not(self._recaller, self.read(name).header.file, query)

    def recall_stats(self) -> "Stats":
        """Return what was recalled and what never was, and how long it took."""
        from memdir.conversation.receipts import Receipts
        from memdir.recall.explain import stats_of

        self._must_be_on()
        return stats_of(Receipts(self._state).all(), [header.file for header in self.list()])

    def semantic_missing(self) -> str:
        """Say why recall goes by words alone, and what to do about it; empty when it knows meanings too."""
        from memdir.recall.semantic.model import semantic_missing

        return semantic_missing(self._settled.place.config_home)

    def unlearned(self) -> int:
        """Return how many memories have no vectors although there is a model to compute them with."""
        return len(self._meaning.missing())

    def search(
        self, pattern: str, *, plain: bool = False, exact_case: bool = False, context: int = 0
    ) -> "Hits":
        """Return the lines of all memories that match a regular expression or a plain text."""
        from memdir.recall.search import searched

        self._must_be_on()
        return [*searched(self._memories, pattern, plain=plain, exact_case=exact_case, context=context)]

    def search_transcripts(self, pattern: str, *, limit: int = 10) -> "TranscriptMatches":
        """Return the newest messages of past conversations here that hold all the words of a pattern."""
        from memdir.conversation.search import search_past

        self._must_be_on()
        return search_past(self._settled, self._world.cwd, pattern, limit)

    def edit(self, topic: "Topic", text: str, *, actor: str = "user", allow_secret: bool = False) -> "Saved":
        """Replace the whole text of a memory that still reads as the caller saw it."""
        self._must_be_on()
        return self._writer.edit(topic, text, self._by(actor), self._world.clock(), allow_secret=allow_secret)

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
        from memdir.inbox.proposal import apply_edits

        self._must_be_on()
        by = self._by(actor, source, reason)
        return apply_edits(self._writer, edits, by, self._world.clock(), verb=verb).id

    def forget(
        self, name: str, *, actor: str = "user", source: str = "user", reason: str = ""
    ) -> "Forgotten":
        """Remove one memory and its pointer; the text goes to the trash and stays in history."""
        self._must_be_on()
        return self._writer.forget(name, self._by(actor, source, reason), self._world.clock())

    def rename(self, name: str, new: str) -> "Saved":
        """Give a memory another name, and the file that goes with it."""
        self._must_be_on()
        return self._writer.rename(name, new, self._by("user"), self._world.clock())

    def index(self) -> "Clipped":
        """Return the healed index as a prompt may load it."""
        from memdir.text.clip import clip_index

        self._must_be_on()
        return clip_index(self._memories.view())

    def instructions(
        self,
        touched: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: "Collection[Layer | str] | None" = None,
    ) -> "Instructions":
        """Return the instruction files of the conversation in order, or what touching files adds to them.

        `layers` chooses among managed, user, project, local, memory and team.
        """
        return self._briefing.instructions(touched, with_externals=with_externals, layers=layers)

    def discovery(
        self,
        touched: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: "Collection[Layer | str] | None" = None,
    ) -> "Discovery":
        """Return the same with what was left out and why; the conversation does not count it as seen."""
        return self._briefing.discovery(touched, with_externals=with_externals, layers=layers)

    def rendered(
        self, instructions: "Sequence[Instruction]", *, layers: "Collection[Layer | str] | None" = None
    ) -> str:
        """Return instructions, or those of some layers, as the text that a model reads."""
        return self._briefing.rendered(instructions, layers)

    def approve_instruction(self, path: str) -> str:
        """Let this project import one file from outside; the approval is kept outside the project."""
        return self._briefing.approve(path)

    def withdraw_instruction(self, path: str) -> str:
        """Take such an approval back; return the path it was for."""
        return self._briefing.withdraw(path)

    def prompt(
        self,
        *,
        mode: str = "",
        form: str = "",
        with_index: bool = False,
        reader: "Reader | None" = None,
        preview: bool = False,
    ) -> str:
        """Return what a model is told about its memory; empty when memory is off.

        A conversation begins with it: the directory is made, and the load is noted; not in a preview.
        """
        return self._briefing.prompt(
            mode=mode, form=form, with_index=with_index, reader=reader, preview=preview
        )

    def context(
        self, host: "HostTexts | None" = None, *, form: str = "", reader: "Reader | None" = None
    ) -> "Context":
        """Return every part of the context, with place, side of the cache boundary and tokens."""
        from memdir.prompt.context import HostTexts

        return self._briefing.context(host or HostTexts(), form=form, reader=reader)

    def bill(self, window: int = 200_000) -> "Bill":
        """Return what a conversation is told at its start, what that costs, and what could be trimmed."""
        return self._briefing.bill(window)

    def compaction(self, used: int, *, window: int, output: int, failures: int = 0) -> "CompactionDecision":
        """Tell an agent of your own whether to compact its conversation now, and why: all in tokens."""
        from memdir.conversation.compaction import Breaker, compaction, threshold

        number = self._settled.settings.number
        at = threshold(window, output, number("compact.reserveTokens"))
        return compaction(used, at, Breaker(failures, number("compact.failures")))

    def after_compaction(self) -> None:
        """Let instructions load and memories be shown again: the model no longer sees them."""
        self.attendant.compacted()


@value_class(frozen=True, slots=True)
class Aio:
    """The verbs of `Memory` as coroutines; each runs the same method in a thread."""

    _memory: Memory

    def __getattr__(self, verb: str) -> "Callable[..., Awaitable[Any]]":
        """Return a verb as a coroutine function."""
        import asyncio
        from functools import partial

        return partial(asyncio.to_thread, getattr(self._memory, verb))
