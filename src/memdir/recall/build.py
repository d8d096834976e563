"""Everything that a recall needs, put together for one memory directory and one conversation.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Callable, Sequence

from memdir.config.enabled import Verdict
from memdir.config.location import Setup, resolve
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.conversation.state import Conversation
from memdir.memories.directory import MemoryDir
from memdir.memories.history.authorship_cache import KnownWriters
from memdir.memories.names import TEAM_FOLDER, is_team_file
from memdir.recall.ranking import CombinedRanking, Ranking
from memdir.recall.recaller import Recaller
from memdir.recall.semantic.meaning import Meaning
from memdir.recall.surface import is_checkable
from memdir.recall.turn import Limits
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.memories.topic import Provenance, Topic
    from memdir.models.protocol import Model
    from memdir.verify.project import Project

    _WriterOf = Callable[[str, os.stat_result], Provenance | None]

__all__ = ["SharedMemories", "Surroundings", "recaller"]


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
    own = Ranking(memories, world.clock, meaning.toward)
    ranking: Ranking | CombinedRanking = own
    writers: _WriterOf = KnownWriters(memories.state, around.writer_of).of
    if team := around.team:
        shared = Ranking(team.memories, world.clock, team.meaning.toward, pins=False)
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
        lacks=lambda best: [*ranking.lacks(), *([] if ranking.hurried else meaning.lacks(best))],
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
