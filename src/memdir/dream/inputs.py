"""The input of a dream and its unchecked draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memdir.config.world import World
from memdir.dream.daily_log import LogDay
from memdir.dream.ledger import Fate
from memdir.dream.sources import Sources
from memdir.dream.statements import with_day
from memdir.memories.change import Change
from memdir.memories.topic import Topic
from memdir.models.protocol import Cancel, Model
from memdir.text.value import field, value_class

__all__ = ["DreamContext", "DreamDraft", "DreamInput", "sources_of"]


@value_class(frozen=True, slots=True)
class DreamContext:
    """The world, settings, model and callbacks of one dream."""

    world: World
    now: datetime
    """When the dream began: all that it writes has this time."""
    model: Model | None = None
    seconds: float = 120.0
    stale_seconds: float = 3_600.0
    max_deletes: int = 10
    instructions: Callable[[], str] = str
    """What people wrote for agents in this project."""
    transcripts: tuple[str, ...] = ()
    """Folders of past conversations."""
    drifted: Callable[[], Sequence[str]] = tuple
    """Lines that name memories whose claims no longer hold."""
    cancel: Cancel | None = None
    progress: Callable[[str], object] = str
    """Is called with a line about each step."""


@value_class(frozen=True, slots=True)
class DreamDraft:
    """The changes that a model or rules suggest, unchecked."""

    edits: tuple[Change, ...] = ()
    fates: Mapping[str, Fate] = field(default_factory=dict)
    """What it says became of statements, by their ids."""
    proposals: tuple[tuple[tuple[Change, ...], str], ...] = ()
    """Changes that are for a person to decide, each with the reason."""
    reports: tuple[str, ...] = ()
    summary: str = ""
    failed: str = ""
    dealt_with: frozenset[str] = frozenset()
    """Lines of logs, by file and number, that need not be looked at again."""


@value_class(frozen=True, slots=True)
class DreamInput:
    """The memories and logs of one dream."""

    topics: tuple[Topic, ...]
    """The newest first."""
    texts: Mapping[str, str]
    """Every memory as it stands on disk, by its file."""
    logs: tuple[LogDay, ...]
    protected: frozenset[str]
    waiting: tuple[str, ...] = ()
    """Days of logs that are too many for this dream."""


def sources_of(texts: Mapping[str, str], inputs: DreamInput, context: DreamContext) -> Sources:
    """Return what these memories may be changed by: each other, the logs, and for a model all it was told."""
    lines = [one for log in inputs.logs for line in log.text.split("\n") for one in with_day(line, log.day)]
    if context.model is not None:
        lines += [*context.drifted(), *context.instructions().split("\n")]
    return Sources(texts, lines)
