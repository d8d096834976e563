"""Everything that a recall needs, put together for one memory directory and one conversation."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.config.enabled import Verdict
from memdir.config.layout import CLAUDE
from memdir.config.locate import Setup, resolved
from memdir.config.variables import config_home, variable
from memdir.core.topic import Header
from memdir.core.value import value_class
from memdir.errors import MemdirError
from memdir.recall.answer import Recaller
from memdir.recall.gates import chosen
from memdir.recall.limits import Limits
from memdir.recall.ranking import Ranking
from memdir.store.conversation import Conversation
from memdir.store.known_writers import KnownWriters
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.core.topic import Provenance, Topic
    from memdir.llm.protocol import Model
    from memdir.recall.rank import Near
    from memdir.recall.semantic.library import Library
    from memdir.recall.verify.project import Project

__all__ = ["Surroundings", "recaller"]


@value_class(frozen=True, slots=True)
class Surroundings:
    """What a recall has to know besides the memories: where it happens, when, and whom it may ask."""

    setup: Setup | None
    """None for a bare directory: then nothing is known of a project that its memories speak about."""
    verdict: Verdict
    env: Mapping[str, str]
    home: str
    cwd: str
    session: str
    clock: Callable[[], datetime]
    timer: Callable[[], float]
    """Seconds that only ever grow."""
    writer_of: "Callable[[str], Provenance | None]"
    """Asks history who wrote a file."""
    model: "Model | None" = None
    """The model of the caller, in place of the one that is configured."""
    asks: bool = True
    """Whether a model is asked at all: a hook that a prompt waits for asks none."""


def recaller(memories: MemoryDir, conversation: Conversation, around: Surroundings) -> Recaller:
    """Return what answers prompts from this directory."""
    model, no_model = _model(around)
    return Recaller(
        memories=memories,
        conversation=conversation,
        session=around.session,
        rank=Ranking(memories, around.clock, _Meaning(memories, around).toward).ranked,
        choose=chosen,
        writer_of=KnownWriters(memories.state, around.writer_of).of,
        findings=lambda topic, seconds: _findings(topic, around, seconds),
        clock=around.clock,
        timer=around.timer,
        limits=Limits.of(around.setup.settings) if around.setup else Limits(),
        model=model,
        no_model=no_model,
        off="" if around.verdict.on else around.verdict.because,
    )


def _model(around: Surroundings) -> "tuple[Model | None, str]":
    """Return the model to ask, or None and the reason where one was wanted; nothing is loaded for none."""
    if not around.asks:
        return None, ""
    configured = around.setup is not None and around.setup.settings["model"].value
    if around.model is None and not configured and variable(around.env, "MEMDIR_MODEL") is None:
        return None, ""
    from memdir.llm.choice import NoModel
    from memdir.store.model_choice import model_for

    setup = around.setup or resolved(env=around.env, cwd=around.cwd, home=around.home)
    chosen = model_for(setup, around.env, session=around.session, clock=around.clock, given=around.model)
    if isinstance(chosen.model, NoModel):
        return None, chosen.model.because if chosen.model.wrong else ""
    return chosen.model, ""


class _Meaning:
    """How near memories lie to a query, where vectors were computed before; a prompt computes none."""

    def __init__(self, memories: MemoryDir, around: Surroundings) -> None:
        self._memories, self._around = memories, around
        self._library: Library | None = None

    def toward(self, query: str, headers: Sequence[Header]) -> "Near | None":
        """Return it; None without vectors, and when anything about them fails: then words alone count."""
        if not os.path.exists(os.path.join(self._memories.state, "vectors")):
            return None
        from memdir.recall.semantic.library import Library

        self._library = self._library or Library(self._memories, self._config_home())
        with suppress(MemdirError, OSError, ValueError):
            return self._library.toward(query, headers)
        return None

    def _config_home(self) -> str:
        around = self._around
        return (
            around.setup.place.config_home
            if around.setup
            else config_home(CLAUDE, around.env, around.home).path
        )


def _findings(topic: "Topic", around: Surroundings, seconds: float) -> Sequence[str]:
    from memdir.recall.checkable import is_checkable

    if around.setup is None or not is_checkable(topic):
        return ()
    from memdir.recall.verify.check import verified
    from memdir.recall.verify.findings import finding_lines

    return finding_lines(verified(topic, _project(around), around.clock(), seconds))


def _project(around: Surroundings) -> "Project":
    from memdir.config.identity import checkout_root
    from memdir.recall.verify.project import Project
    from memdir.store.git import git_path

    return Project.at(checkout_root(around.cwd), git_path(around.env.get("PATH", "")), home=around.home)
