"""The parts behind the front door: found once, each made when a verb first needs it."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from memdir.config.enabled import Verdict, memory_enabled
from memdir.config.location import Setup, resolve, state_for
from memdir.config.settings import Settings
from memdir.config.world import World, home_of, utc_now
from memdir.text.suppress import suppress

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for either
if TYPE_CHECKING:  # what only some verbs need is imported by them: a prompt must not wait for the doctor
    from typing import Self

    from memdir.context import Briefing
    from memdir.conversation.state import Conversation
    from memdir.dream.build import Dreams
    from memdir.memories.change import Operation
    from memdir.memories.directory import MemoryDir
    from memdir.memories.topic import Provenance
    from memdir.memories.writer import Writer
    from memdir.models.build import ModelChoice
    from memdir.models.protocol import Model
    from memdir.recall.ranking import Ranking
    from memdir.recall.recaller import Recaller
    from memdir.recall.semantic.meaning import Meaning
    from memdir.rules.book import RuleBook
    from memdir.verify.project import Project
    from memdir.verify.verdicts import MemoryVerdict

__all__ = ["Parts"]

_LEARNED_AT_ONCE = 16
"""Memories whose vectors a change computes by itself, 13 ms each; workers and `learn` do the rest."""

_ON = Verdict(on=True, because="the directory was named by the caller", rule="at")


class Parts:
    """One memory directory with everything that works on it."""

    def __init__(
        self,
        directory: str,
        state: str,
        *,
        world: World,
        verdict: Verdict = _ON,
        setup: Setup | None = None,
        added: Sequence[str] = (),
        bare: bool = False,
        model: "Model | None" = None,
    ) -> None:
        """Wrap a directory; `Memory.open` and `Memory.at` find it."""
        self._directory, self._state, self._verdict, self._setup = directory, state, verdict, setup
        self._world, self._added, self._bare = world, tuple(added), bare
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
        clock: Callable[[], datetime] = utc_now,
    ) -> "Self":
        """Open the memory of the project that a directory belongs to: layout, settings and place resolved."""
        env = os.environ if env is None else env
        world = World(env, os.path.abspath(cwd), home_of(env), clock, session or "")
        setup = resolve(env=env, cwd=world.cwd, home=world.home, bare=bare)
        return cls(
            os.path.realpath(setup.place.directory),
            setup.place.state,
            world=world,
            verdict=setup.verdict,
            setup=setup,
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
        cwd: str | os.PathLike[str] = ".",
        env: Mapping[str, str] | None = None,
        bare: bool = False,
        model: "Model | None" = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> "Self":
        """Open one memory directory by its path, whatever settings say; it is made by the first save."""
        env, path = os.environ if env is None else env, os.path.realpath(directory)
        world = World(env, os.path.abspath(cwd), home_of(env), clock, session or "")
        place = os.path.abspath(state) if state is not None else state_for(path, env=env, home=world.home)
        verdict = memory_enabled(env, Settings(), bare=bare)
        verdict = _ON if verdict.rule == "default" else verdict
        return cls(path, place, world=world, verdict=verdict, bare=bare, model=model)

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

    @cached_property
    def model_choice(self) -> "ModelChoice":
        """The model that is asked, counted and capped, and what named it; or none, and why."""
        from memdir.models.build import model_for

        return model_for(self._settled, self._world, self._model)

    @cached_property
    def _settled(self) -> Setup:
        return self._setup or resolve(env=self._world.env, cwd=self._world.cwd, home=self._world.home)

    @cached_property
    def _memories(self) -> "MemoryDir":
        from memdir.memories.directory import MemoryDir

        setup = self._setup
        indexed = setup is None or not setup.settings.flag("skipIndex")
        return MemoryDir(
            self._directory, self._state, indexed=indexed, root=setup.place.root if setup else ""
        )

    @cached_property
    def _briefing(self) -> "Briefing":
        from memdir.context import Briefing
        from memdir.text.value import replace

        return Briefing(
            lambda: self._memories,
            replace(self._settled, verdict=self._verdict),
            self._world,
            self._conversation,
            added=self._added,
            bare=self._bare,
        )

    @cached_property
    def _conversation(self) -> "Conversation":
        from memdir.conversation.state import Conversation

        return Conversation(self._state, self._world.session)

    @cached_property
    def _ranking(self) -> "Ranking":
        from memdir.recall.ranking import Ranking

        return Ranking(self._memories, self._world.clock, self._meaning.toward)

    @cached_property
    def _meaning(self) -> "Meaning":
        from memdir.recall.semantic.meaning import Meaning

        return Meaning(self._memories, self._settled.place.config_home)

    @cached_property
    def _recaller(self) -> "Recaller":
        return self._recaller_that(asks=True)

    def _recaller_that(self, *, asks: bool) -> "Recaller":
        from memdir.recall.build import Surroundings, recaller

        around = Surroundings(
            self._setup,
            self._verdict,
            self._world,
            self._writer_of,
            self._meaning,
            self._model,
            asks,
        )
        return recaller(self._memories, self._conversation, around)

    @cached_property
    def _dreams(self) -> "Dreams":
        from memdir.dream.build import Dreams

        return Dreams(
            self._writer,
            self._settled,
            self._verdict,
            self._world,
            lambda: self.model_choice.model,
            self._instructed,
            self._checked,
        )

    def _checked(self, seconds: float = 5.0) -> "list[MemoryVerdict]":
        """Check what all memories claim about the project; nothing where there is none."""
        from memdir.verify.check import verify_all

        if self._setup is None:
            return []
        return verify_all(self._memories.topics(), self._project(), self._world.clock(), seconds)

    def _learn(self, operation: "Operation") -> None:
        """Compute the vectors of what an operation wrote, of a few memories at the most."""
        written = [self._memories.catalog.header(file) for file in operation.files]
        self._meaning.learn([header for header in written if header], _LEARNED_AT_ONCE)

    def _writer_of(self, file: str) -> "Provenance | None":
        from memdir.memories.history.trust import known_writer

        return known_writer(self._writer, file)

    @cached_property
    def _rule_book(self) -> "RuleBook":
        from memdir.rules.book import RuleBook

        return RuleBook(self._directory, self._state, self._settled.place.config_home)

    @cached_property
    def _writer(self) -> "Writer":
        from memdir.memories.history.git import git_path
        from memdir.memories.writer import Writer

        git = git_path(self._world.env.get("PATH", os.defpath))
        if self._setup is None:
            return Writer(self._memories, git, afterwards=self._learn)
        return Writer(self._memories, git, self._anchors, self._learn, self._instructed)

    def _instructed(self) -> list[str]:
        """Return the texts that every conversation here is given."""
        return [one.text for one in self._briefing.discovery().loaded]

    def _anchors(self, text: str) -> str:
        """Return what a text names in the project as it is now; no save fails for want of that."""
        from memdir.verify.claims.parser import claims_in

        with suppress(Exception):
            if claims_in(text):
                from memdir.verify.check import anchors

                return anchors(text, self._project())
        return ""

    def _project(self) -> "Project":
        from memdir.recall.working_tree import Tree

        return Tree(self._world.cwd, self._world.home, self._world.env).project()

    def _by(self, actor: str, source: str = "user", reason: str = "") -> "Provenance":
        from memdir.memories.draft import refuse_unknown_writer
        from memdir.memories.topic import Provenance

        refuse_unknown_writer(actor, source)
        return Provenance(actor=actor, source=source, session=self._world.session, reason=reason)

    def _must_be_on(self) -> None:
        self._verdict.require_on()
