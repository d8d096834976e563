"""One recall from prompt to text: ranked, chosen, shown, and written down with the reasons.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Event

from memdir.config.enabled import Verdict
from memdir.config.location import Setup, resolve
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.conversation.receipts import RecallCandidate, Receipt, Receipts, receipt_query
from memdir.conversation.state import Conversation
from memdir.errors import Cancelled, MemdirError
from memdir.memories.directory import MemoryDir
from memdir.memories.history.authorship_cache import KnownWriters
from memdir.memories.names import TEAM_FOLDER, is_team_file
from memdir.recall.lexical.corpus import NO_TIME
from memdir.recall.rank import Best, Ranked, by_probability
from memdir.recall.ranking import CombinedRanking, Ranking
from memdir.recall.selector import Choice, choose
from memdir.recall.semantic.meaning import Meaning
from memdir.recall.superseded import NewerWins, newer_wins
from memdir.recall.surface import RecallOutput, Surfacer, is_checkable
from memdir.recall.turn import Late, Limits, RecallTurn, run_within, skip_reason
from memdir.text.clip import tokens
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.memories.topic import Provenance, Topic
    from memdir.models.protocol import Model
    from memdir.verify.project import Project

    _WriterOf = Callable[[str, os.stat_result], Provenance | None]

__all__ = ["LISTED", "Recall", "Recaller", "SharedMemories", "Surroundings", "recaller"]

LISTED = 30
"""Candidates that a receipt lists: what lies further behind was never near."""

_CONSIDERED = 256
"""Memories among which is chosen without a model, besides those that were shown: the others never win."""

_RANKING, _LEAST = 0.9, 0.05
"""Share of the time after which ranking is left behind, and the seconds that it gets in any case."""


@value_class(frozen=True, slots=True)
class Recall:
    """What a prompt is given from memory."""

    files: tuple[str, ...]
    """The memories shown in full, best first, as paths below the memory directory."""
    text: str
    """What the conversation is shown; empty when nothing is clearly useful."""
    receipt: Receipt
    blocks: tuple[str, ...] = ()
    """The same text, of each memory shown in full by itself."""
    likely: tuple[str, ...] = ()
    """The memories shown as one line each."""
    unfinished: bool = False
    """Whether something was left undone for want of time: `Recaller.prepare` does it for the next prompt."""


@value_class(frozen=True, slots=True)
class Recaller:
    """Answers prompts from one memory directory, for one conversation."""

    memories: MemoryDir
    conversation: Conversation
    session: str
    best: "Callable[[str, Callable[[], float], int | None, float], Best]"
    """Return memories, best first, or those for which there was time: `Ranking.best`."""
    writer_of: "Callable[[str, os.stat_result], Provenance | None]"
    findings: "Callable[[Topic, float], Sequence[str]]"
    clock: Callable[[], datetime]
    timer: Callable[[], float]
    """Seconds that only ever grow."""
    limits: Limits = Limits()
    model: "Model | None" = None
    no_model: str = ""
    """Why the model that somebody wanted cannot be asked."""
    off: str = ""
    """That memory is off, and why; empty when it is on."""
    lacks: Callable[[Best], Sequence[str]] = lambda _: ()
    """Say what that ranking had to do without."""
    records: bool = True
    """Whether receipts are written down; a preview leaves no trace."""
    recent: float = 0.0
    """Seconds for which a look at the files is good enough: what a page says may be that old."""
    most_listed: int | None = LISTED
    """Candidates that a receipt lists, besides what was shown; None lists all."""

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        recent_tools: Sequence[str] = (),
        budget: float | None = None,
        called_off: Event | None = None,
    ) -> Recall:
        """Return what is worth showing, within the budget in seconds; no trouble with memory is raised.

        However many are asked for, there are never more than the limits allow.
        """
        limits = self.limits
        usual = limits.budget if self.model is None else limits.model_budget
        turn = RecallTurn(
            query,
            limits.files if limit is None else min(limit, limits.files),
            seconds=usual if budget is None else budget,
            timer=self.timer,
            tools=recent_tools,
            called_off=called_off,
        )
        turn.fallbacks += [f"no model was asked: {self.no_model}"] if self.no_model else []
        try:
            because = self.refusal(query, turn.limit)
            return self._recall_nothing(turn, because) if because else self._recall(turn)
        except Cancelled:
            return self._recall_nothing(turn, "it was called off")
        except (MemdirError, OSError) as error:
            return self._recall_nothing(turn, f"memory could not be used: {error}")

    def refusal(self, query: str, limit: int = 1) -> str:
        """Return why nothing at all is recalled for a prompt; empty when something may be."""
        return self.off or skip_reason(query, limit)

    @property
    def surfacer(self) -> Surfacer:
        """Who shows what was chosen."""
        return Surfacer(self.memories, self.conversation, self.limits, self.writer_of, self.findings)

    def rank(self, query: str) -> list[Ranked]:
        """Return all memories, the one that fits best first."""
        return self.best(query, lambda: 0.0, None, self.recent).ranked

    def choice(
        self, turn: RecallTurn, ranked: Sequence[Ranked], shown: set[str], named: set[str]
    ) -> tuple[NewerWins, Choice]:
        """Leave out what a newer memory contradicts, and choose among the others what to show.

        A model may choose even what is hardly probable.
        """
        current = newer_wins(ranked, 0.0 if self.model else self.limits.likely)
        choice = choose(turn, current.ranked, shown, named, limits=self.limits, model=self.model)
        return current, replace(choice, cuts={**choice.cuts, **current.cuts})

    def prepare(self) -> None:
        """Do without haste what a prompt had no time for, so that the next one finds it done."""
        if self.off:
            return
        self.rank("")
        for receipt in Receipts(self.memories.state).all()[:1]:
            for file in receipt.files:
                with suppress(OSError):
                    self.writer_of(file, os.stat(self.memories.full_path(file), follow_symlinks=False))

    def _recall(self, turn: RecallTurn) -> Recall:
        shown, named = self.surfacer.already_shown()
        is_whole = self.model is not None or self.most_listed is None
        best = self._best(turn, None if is_whole else _CONSIDERED + len(shown))
        if best is None:
            return self._recall_nothing(turn, f"the memories were not ranked: {NO_TIME}")
        turn.fallbacks += (lacking := self.lacks(best))
        turn.unfinished |= any(text.endswith(NO_TIME) for text in lacking)
        if not best.ranked:
            return self._recall_nothing(
                turn, "no memory could be ranked" if lacking else "there is no memory yet"
            )
        current, choice = self.choice(turn, best.ranked, shown, named)
        chosen, likely = [[one.header for one in some] for some in (choice.certain, choice.likely)]
        output = self.surfacer.surface(turn, chosen, self.clock(), likely, current.lines)
        return self._written_down(turn, replace(best, ranked=current.all), choice, output)

    def _best(self, turn: RecallTurn, most: int | None) -> Best | None:
        """Rank beside us: whatever takes too long in there, the prompt goes on without; None says so."""
        seconds = max(_LEAST, turn.seconds_left() * _RANKING)
        try:
            return run_within(
                seconds,
                turn.timer,
                lambda: self.best(turn.query, turn.share_spent, most, self.recent),
                turn.called_off,
            )
        except Late:
            if turn.called_off.is_set():
                raise Cancelled("The recall was called off.") from None
            turn.unfinished = True
            return None

    def _recall_nothing(self, turn: RecallTurn, because: str) -> Recall:
        receipt = self._receipt(turn, because=because)
        return Recall((), "", receipt, unfinished=turn.unfinished)

    def _written_down(self, turn: RecallTurn, best: Best, choice: Choice, output: RecallOutput) -> Recall:
        cuts = {**choice.cuts, **output.cuts}
        shown = {row.file for row in output.shown} | {row.file for row in output.named}
        candidates = []
        for place, one in enumerate(by_probability(best.ranked)):
            file = one.header.file
            if file in shown or self.most_listed is None or place < self.most_listed:
                cut = "" if file in shown else cuts.get(file, "it was not chosen")
                about = one.score, one.lexical, one.semantic, one.notes, cut, one.reasons
                candidates.append(RecallCandidate(file, *about))
        method = "semantic" if best.without_vectors < best.total else "lexical"
        receipt = self._receipt(
            turn,
            method="model" if choice.by_model else method,
            shown=output.shown,
            named=output.named,
            candidates=tuple(candidates),
            others=best.total - len(candidates),
            max_lines=self.limits.lines,
            max_bytes=self.limits.bytes,
            tokens=tokens(output.text),
        )
        blocks, unfinished = output.blocks, turn.unfinished
        return Recall(receipt.files, output.text, receipt, blocks, receipt.likely, unfinished)

    def _receipt(self, turn: RecallTurn, **about: object) -> Receipt:
        """Write the recall down, also an empty one."""
        receipt = Receipt(
            os.urandom(4).hex(),
            utc_stamp(self.clock()),
            receipt_query(turn.query),
            session=self.session,
            fallbacks=tuple(turn.fallbacks),
            model_tokens=turn.model_tokens,
            milliseconds=turn.milliseconds(),
            **about,  # type: ignore[arg-type]
        )
        if self.records:
            Receipts(self.memories.state).add(receipt)
        return receipt


@value_class(frozen=True, slots=True)
class Surroundings:
    """What a recall has to know besides the memories: where it happens, when, and whom it may ask."""

    setup: Setup | None
    """None for a bare directory: then nothing is known of a project that its memories speak about."""
    verdict: Verdict
    world: World
    writer_of: "Callable[[str], Provenance | None]"
    """Asks history who wrote a file."""
    meaning: Meaning
    project: "Callable[[], Project]"
    """Looks at the checkout that memories speak about anew."""
    model: "Model | None" = None
    """The model of the caller, in place of the one that is configured."""
    asks: bool = True
    """Whether a model is asked at all: a hook that a prompt waits for asks none."""
    team: "SharedMemories | None" = None
    """Team memory, where it is on."""


@value_class(frozen=True, slots=True)
class SharedMemories:
    """What a recall has to know of team memory."""

    memories: MemoryDir
    meaning: Meaning
    writer_of: "Callable[[str], Provenance | None]"
    """Asks the history of the team's directory who wrote a file."""


def recaller(memories: MemoryDir, conversation: Conversation, around: Surroundings) -> Recaller:
    """Return what answers prompts from this directory."""
    model, no_model = _model(around)
    world, meaning = around.world, around.meaning
    own = Ranking(memories, world.clock, meaning.nearness_to)
    ranking: Ranking | CombinedRanking = own
    writers: _WriterOf = KnownWriters(memories.state, around.writer_of).of
    if team := around.team:
        shared = Ranking(team.memories, world.clock, team.meaning.nearness_to, pins=False)
        ranking = CombinedRanking(own, shared)
        writers = _writers(writers, KnownWriters(team.memories.state, team.writer_of).of)
    return Recaller(
        memories=memories,
        conversation=conversation,
        session=world.session,
        best=ranking.best,
        writer_of=writers,
        findings=lambda topic, seconds: _findings(around, topic, seconds) if around.setup else (),
        clock=world.clock,
        timer=world.timer,
        limits=Limits.of(around.setup.settings) if around.setup else Limits(),
        model=model,
        no_model=no_model,
        off=around.verdict.off,
        lacks=lambda best: [*ranking.limitations(), *([] if ranking.hurried else meaning.limitations(best))],
    )


def _findings(around: Surroundings, topic: "Topic", seconds: float) -> Sequence[str]:
    """Return one line for each claim of a memory that could be checked in time; the first loads checks."""
    if not is_checkable(topic):
        return ()
    from memdir.verify.check import verify
    from memdir.verify.verdicts import finding_lines

    return finding_lines(verify(topic, around.project(), around.world.clock(), seconds))


def _writers(private: "_WriterOf", team: "_WriterOf") -> "_WriterOf":
    """Return what tells the writer of a private memory, or of one in the folder of the team."""
    return lambda file, status: (
        team(file[len(TEAM_FOLDER) :], status) if is_team_file(file) else private(file, status)
    )


def _model(around: Surroundings) -> "tuple[Model | None, str]":
    """Return the model to ask, or None and the reason where one was wanted; nothing is loaded for none."""
    if not around.asks:
        return None, ""
    configured = around.setup is not None and around.setup.settings["model"].value
    if around.model is None and not configured and variable(around.world.env, "MEMDIR_MODEL") is None:
        return None, ""
    from memdir.models.build import NoModel, model_for

    setup = around.setup or resolve(env=around.world.env, cwd=around.world.cwd, home=around.world.home)
    chosen = model_for(setup, around.world, around.model)
    if isinstance(chosen.model, NoModel):
        return None, chosen.model.because if chosen.model.wrong else ""
    return chosen.model, ""
