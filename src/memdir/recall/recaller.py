"""One recall from prompt to text: ranked, chosen, shown, and written down with the reasons.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event

from memdir.config.world import World
from memdir.conversation.receipts import RecallCandidate, Receipt, Receipts, receipt_query
from memdir.conversation.state import Conversation
from memdir.errors import Cancelled, MemdirError
from memdir.memories.history.authorship_cache import KnownWriters
from memdir.memories.names import TEAM_FOLDER, is_team_file
from memdir.recall.fusion import Ranked, by_probability
from memdir.recall.lexical.corpus import NO_TIME
from memdir.recall.limits import Late, Limits, RecallTurn, skip_reason
from memdir.recall.ranker import Ranker, Ranking, rank_together
from memdir.recall.selector import Choice, choose
from memdir.recall.surface import RecallOutput, Surfacer, is_checkable
from memdir.text.clip import tokens
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from memdir.memories.directory import MemoryDir
    from memdir.memories.topic import Provenance, Topic
    from memdir.models.build import NoModel
    from memdir.models.protocol import Model
    from memdir.recall.semantic.vectors import VectorStore
    from memdir.verify.project import Project

    class RecalledDirectory(Protocol):
        """A directory that memories are recalled from."""

        @property
        def memories(self) -> MemoryDir: ...
        @property
        def vectors(self) -> VectorStore: ...
        def writer_of(self, file: str) -> Provenance | None: ...


__all__ = ["Recall", "Recaller", "WhyNot"]

_CONSIDERED = 256
"""Memories to choose from without a model, besides those shown before: the others never win."""

_RANKING, _LEAST = 0.9, 0.05
"""Share of the time after which ranking is abandoned, and the seconds that it gets in any case."""


@value_class(frozen=True, slots=True)
class Recall:
    """What a prompt is given from memory."""

    text: str
    """What the conversation is shown; empty when nothing is clearly useful."""
    receipt: Receipt
    blocks: tuple[str, ...] = ()
    """The same text, of each memory shown in full by itself."""
    unfinished: bool = False
    """Whether something was left undone for want of time: `Recaller.prepare` does it for the next prompt."""

    @property
    def files(self) -> tuple[str, ...]:
        """The memories shown in full, best first, as paths below the memory directory."""
        return self.receipt.files

    @property
    def likely(self) -> tuple[str, ...]:
        """The memories shown as one line each."""
        return self.receipt.likely


@value_class(frozen=True, slots=True)
class WhyNot:
    """Which rule keeps a memory from being recalled for a query."""

    file: str
    query: str
    because: str
    """Empty when it would be recalled."""
    rank: int = 0
    """Its place among all memories, 1 the best; 0 when none were ranked."""
    of: int = 0
    ranked: Ranked | None = None
    best: Ranked | None = None


class Recaller:
    """Answers prompts from a memory directory, and that of the team where it is on, for one conversation."""

    def __init__(
        self,
        directories: "Sequence[RecalledDirectory]",
        conversation: Conversation,
        world: World,
        limits: Limits,
        *,
        model: "Model | NoModel | None" = None,
        project: "Callable[[], Project] | None" = None,
        off: str = "",
    ) -> None:
        """Take the directories, the private one first, and the model to ask; without one none is asked.

        `project` looks at the checkout that memories speak about; without it no claims are checked. `off`
        says that memory is off and why.
        """
        self.memories, self.conversation, self.limits = directories[0].memories, conversation, limits
        self.model: Model | None = None
        self._world, self._project, self._off, self._no_model = world, project, off, ""
        if model is not None:
            from memdir.models.build import NoModel

            if not isinstance(model, NoModel):
                self.model = model
            elif model.wrong:
                self._no_model = model.because
        self._rankers = [
            Ranker(one.memories, world.clock, one.vectors, pins=not number)
            for number, one in enumerate(directories)
        ]
        self._writers = [KnownWriters(one.memories.state, one.writer_of) for one in directories]

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        recent_tools: Sequence[str] = (),
        budget: float | None = None,
        called_off: Event | None = None,
        conversation: Conversation | None = None,
    ) -> Recall:
        """Return the memories to show within the budget in seconds, and write down why.

        Never raises: a failure becomes an empty result with the reason. However many are asked for, there are
        never more than the limits allow.
        """
        limits = self.limits if limit is None else replace(self.limits, files=min(limit, self.limits.files))
        usual = limits.budget if self.model is None else limits.model_budget
        turn = RecallTurn(
            query,
            limits,
            conversation or self.conversation,
            usual if budget is None else budget,
            self._world.timer,
            model=self.model,
            tools=recent_tools,
            called_off=called_off,
        )
        if self._no_model:
            turn.fallbacks.append(f"no model was asked: {self._no_model}")
        recall = self._answer(turn)
        Receipts(self.memories.state).add(recall.receipt)
        return recall

    def preview(self, query: str, *, seconds: float, recent: float, most_listed: int | None) -> Recall:
        """Return what a new conversation would be shown; nothing is recorded, and no model is asked."""
        nobody, timer = Conversation("", ""), self._world.timer
        turn = RecallTurn(query, self.limits, nobody, seconds, timer, recent=recent, most_listed=most_listed)
        return self._answer(turn)

    def rank(self, query: str) -> list[Ranked]:
        """Return all memories, the one that fits best first."""
        return self.ranking(query, lambda: 0.0, None, 0.0).ranked

    def why_not(self, file: str, query: str) -> WhyNot:
        """Return which rule keeps this file out; nothing is shown, charged or written down."""
        limits, timer = self.limits, self._world.timer
        if because := self._off or skip_reason(query, limits.files):
            return WhyNot(file, query, because)
        turn = RecallTurn(query, limits, self.conversation, limits.model_budget, timer, model=self.model)
        ranked, choice = choose(turn, self.rank(query), *self._surfacer(turn).already_shown())
        ranked = by_probability(ranked)
        files = [one.header.file for one in ranked]
        if file not in files:
            return WhyNot(file, query, "it is not among the memories that can be read", 0, len(ranked))
        place = files.index(file)
        is_chosen = file in {one.header.file for one in (*choice.certain, *choice.likely)}
        because = "" if is_chosen else choice.cuts.get(file, "it was not chosen")
        return WhyNot(file, query, because, place + 1, len(ranked), ranked[place], ranked[0])

    def prepare(self) -> None:
        """Do what a prompt had no time for, so that it is done for the next one."""
        if self._off:
            return
        self.rank("")
        for receipt in Receipts(self.memories.state).all()[:1]:
            for file in receipt.files:
                with suppress(OSError):
                    self.writer_of(file, os.stat(self.memories.full_path(file), follow_symlinks=False))

    def ranking(self, query: str, spent: Callable[[], float], most: int | None, recent: float) -> Ranking:
        """Rank the memories of all directories: see `rank_together`."""
        return rank_together(self._rankers, query, spent, most, recent)

    def writer_of(self, file: str, status: os.stat_result) -> "Provenance | None":
        """Return who wrote the file with this stat through memdir; None when nobody is known to have."""
        private, *team = self._writers
        if team and is_team_file(file):
            return team[0].of(file[len(TEAM_FOLDER) :], status)
        return private.of(file, status)

    def findings(self, topic: "Topic", seconds: float) -> Sequence[str]:
        """Return one line for each claim of a memory that could be checked in so many seconds."""
        if self._project is None or not is_checkable(topic):
            return ()
        from memdir.verify.check import verify
        from memdir.verify.verdicts import finding_lines

        return finding_lines(verify(topic, self._project(), self._world.clock(), seconds))

    def _surfacer(self, turn: RecallTurn) -> Surfacer:
        return Surfacer(self.memories, turn, self.writer_of, self.findings)

    def _answer(self, turn: RecallTurn) -> Recall:
        """Return the memories to show, or none with the reason."""
        try:
            because = self._off or skip_reason(turn.query, turn.limits.files)
            return self._nothing(turn, because) if because else self._recall(turn)
        except Cancelled:
            return self._nothing(turn, "it was called off")
        except (MemdirError, OSError) as error:
            return self._nothing(turn, f"memory could not be used: {error}")

    def _recall(self, turn: RecallTurn) -> Recall:
        surfacer = self._surfacer(turn)
        shown, named = surfacer.already_shown()
        is_whole = turn.model is not None or turn.most_listed is None
        most = None if is_whole else _CONSIDERED + len(shown)
        try:  # in a thread: if it takes too long, the prompt goes on without it
            seconds = max(_LEAST, turn.seconds_left() * _RANKING)
            found = turn.run(lambda: self.ranking(turn.query, turn.share_spent, most, turn.recent), seconds)
        except Late:
            turn.unfinished = True
            return self._nothing(turn, f"the memories were not ranked: {NO_TIME}")
        turn.fallbacks += found.limitations
        turn.unfinished |= any(text.endswith(NO_TIME) for text in found.limitations)
        if not found.ranked:
            broken = "no memory could be ranked"
            return self._nothing(turn, broken if found.limitations else "there is no memory yet")
        ranked, choice = choose(turn, found.ranked, shown, named)
        output = surfacer.surface(choice, self._world.clock())
        return self._result(turn, replace(found, ranked=ranked), choice, output)

    def _nothing(self, turn: RecallTurn, because: str) -> Recall:
        return Recall("", self._receipt(turn, because=because), unfinished=turn.unfinished)

    def _result(self, turn: RecallTurn, found: Ranking, choice: Choice, output: RecallOutput) -> Recall:
        cuts, candidates = {**choice.cuts, **output.cuts}, list[RecallCandidate]()
        shown = {row.file for row in output.blocks} | {row.file for row in output.lines}
        for place, one in enumerate(by_probability(found.ranked)):
            file = one.header.file
            if file in shown or turn.most_listed is None or place < turn.most_listed:
                cut = "" if file in shown else cuts.get(file, "it was not chosen")
                about = one.score, one.lexical, one.semantic, one.notes, cut, one.reasons
                candidates.append(RecallCandidate(file, *about))
        method = "semantic" if found.without_vectors < found.total else "lexical"
        receipt = self._receipt(
            turn,
            method="model" if choice.by_model else method,
            shown=tuple(output.blocks),
            named=tuple(output.lines),
            candidates=tuple(candidates),
            others=found.total - len(candidates),
            max_lines=turn.limits.lines,
            max_bytes=turn.limits.bytes,
            tokens=tokens(output.text),
        )
        return Recall(output.text, receipt, tuple(output.blocks.values()), turn.unfinished)

    def _receipt(self, turn: RecallTurn, **about: object) -> Receipt:
        return Receipt(
            os.urandom(4).hex(),
            utc_stamp(self._world.clock()),
            receipt_query(turn.query),
            session=turn.conversation.session,
            fallbacks=tuple(turn.fallbacks),
            model_tokens=turn.model_tokens,
            milliseconds=turn.milliseconds(),
            **about,  # type: ignore[arg-type]
        )
