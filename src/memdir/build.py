"""Composes a memory: finds its directory and settings, and makes each part when a verb first needs it.

A hook opens a memory for one event and needs two or three of these parts, so each is imported when made.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial

from memdir.config.enabled import Verdict, memory_enabled
from memdir.config.location import Setup, remotes_path, resolve, state_for
from memdir.config.settings import Settings
from memdir.config.world import World
from memdir.memories.names import TEAM_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.context import ContextBuilder
    from memdir.conversation.state import Conversation
    from memdir.dream.build import Dreams
    from memdir.extract.extractor import Extractor
    from memdir.hosts.session import HostSession
    from memdir.instructions.project import ProjectInstructions, RenderTexts
    from memdir.memories.change import Operation
    from memdir.memories.directory import MemoryDir
    from memdir.memories.history.recorder import Recorder
    from memdir.memories.topic import Provenance
    from memdir.memories.writer import Writer
    from memdir.models.build import ModelChoice
    from memdir.models.protocol import Model
    from memdir.notes.build import SessionNotes
    from memdir.recall.recaller import Recaller
    from memdir.recall.semantic.meaning import Meaning
    from memdir.transfer.orphans import ProjectIdentity
    from memdir.verify.project import Project
    from memdir.verify.verdicts import MemoryVerdict

__all__ = ["Parts", "directory_parts", "look_again", "project_parts", "team_parts"]

_LEARNED_AT_ONCE = 16
"""Memories whose vectors a change computes by itself, 13 ms each; of more, workers and `learn` do it."""

_ON = Verdict(on=True, because="the directory was named by the caller", rule="at")


def project_parts(
    world: World, *, added: Sequence[str] = (), bare: bool = False, model: "Model | None" = None
) -> "Parts":
    """Return the parts of the memory of the project that the working directory belongs to."""
    setup = resolve(env=world.env, cwd=world.cwd, home=world.home, bare=bare)
    place = os.path.realpath(setup.place.directory), setup.place.state
    return Parts(world, *place, setup.verdict, setup, added=tuple(added), bare=bare, model=model)


def directory_parts(
    world: World,
    directory: str | os.PathLike[str],
    state: str | os.PathLike[str] | None,
    *,
    bare: bool = False,
    model: "Model | None" = None,
) -> "Parts":
    """Return the parts of one memory directory, whatever settings say."""
    path = os.path.realpath(directory)
    place = os.path.abspath(state) if state is not None else state_for(path, env=world.env, home=world.home)
    verdict = memory_enabled(world.env, Settings(), bare=bare)
    verdict = _ON if verdict.rule == "default" else verdict
    return Parts(world, path, place, verdict, bare=bare, model=model)


class Parts:
    """One memory directory with everything that works on it."""

    def __init__(
        self,
        world: World,
        directory: str,
        state: str,
        verdict: Verdict,
        setup: Setup | None = None,
        *,
        added: tuple[str, ...] = (),
        bare: bool = False,
        model: "Model | None" = None,
        shared: bool = False,
    ) -> None:
        """Take what is known from the start; without a set-up nothing is known of a project.

        `shared` says that this is the directory of a team.
        """
        self.world, self.directory, self.state = world, directory, state
        self.verdict, self.setup = verdict, setup
        self._added, self._bare, self._model, self._shared = added, bare, model, shared
        self.options: dict[str, Any] = {"added": added, "bare": bare, "model": model}

    @cached_property
    def effective_setup(self) -> Setup:
        """The set-up of the project, or of the working directory where only a directory was named."""
        from memdir.text.value import replace

        world = self.world
        if self.setup is not None:
            return self.setup
        return replace(resolve(env=world.env, cwd=world.cwd, home=world.home), verdict=self.verdict)

    @cached_property
    def team_verdict(self) -> Verdict:
        """Whether team memory is on, and which rule decided."""
        from memdir.team.audience import remote_audiences, team_enabled

        known = "team" in remote_audiences(self.effective_setup.place.config_home, self.directory)
        settings = self.setup.settings if self.setup else None
        return team_enabled(self.verdict, settings, known=known, directory=self.directory)

    @cached_property
    def team(self) -> "Parts | None":
        """The team's directory below this one, with the same parts; None while team memory is off."""
        setup, may_be_on = self.setup, os.path.isdir(os.path.join(self.directory, TEAM_FOLDER))
        if setup is not None and not may_be_on:  # a glance: nearly every hook asks, and for most it is off
            named = os.path.exists(remotes_path(setup.place.config_home))
            may_be_on = named or setup.settings["team.enabled"].value is True
        if self._shared or not may_be_on or not self.team_verdict.on:
            return None
        return team_parts(self)

    @property
    def audiences(self) -> "tuple[Parts, ...]":
        """This directory, and that of the team where it is on."""
        return (self, self.team) if self.team is not None else (self,)

    @cached_property
    def memories(self) -> "MemoryDir":
        """The memory directory."""
        from memdir.memories.directory import MemoryDir

        setup = self.setup
        indexed = setup is None or not setup.settings.flag("skipIndex")
        root = setup.place.root if setup else ""
        admit = partial(_admit, self.directory) if self._shared else None
        return MemoryDir(self.directory, self.state, indexed=indexed, root=root, admit=admit)

    @cached_property
    def recorder(self) -> "Recorder":
        """The journal and the history of the directory, to ask who wrote what."""
        from memdir.memories.history.git import git_path
        from memdir.memories.history.recorder import Recorder

        return Recorder(self.directory, self.state, git_path(self.world.env))

    @cached_property
    def writer(self) -> "Writer":
        """What changes memories."""
        from memdir.memories.history.git import git_path
        from memdir.memories.writer import Writer

        after = partial(_after_change, self, signs=self.setup is not None and not self._shared)
        if self.setup is None:
            return Writer(self.memories, git_path(self.world.env), afterwards=after)
        anchors, texts = partial(_anchors, self), partial(_instruction_texts, self)
        return Writer(self.memories, git_path(self.world.env), anchors, after, texts)

    @cached_property
    def conversation(self) -> "Conversation":
        """What was shown in this conversation."""
        from memdir.conversation.state import Conversation

        return Conversation(self.state, self.world.session)

    @cached_property
    def instructions(self) -> "ProjectInstructions":
        """The instruction files of the project."""
        from memdir.instructions.project import ProjectInstructions

        place, how = (self.effective_setup, self.world, self.conversation), (self._added, self._bare)
        return ProjectInstructions(
            lambda: self.memories, *place, _instruction_words, *how, self._team_memories
        )

    @cached_property
    def context(self) -> "ContextBuilder":
        """What a model is told at the start of a conversation."""
        from memdir.context import ContextBuilder

        place = self.effective_setup, self.world, self.conversation, self.instructions
        return ContextBuilder(lambda: self.memories, *place, self._bare, self._team_memories)

    def _team_memories(self) -> "MemoryDir | None":
        return self.team.memories if self.team else None

    @cached_property
    def model_choice(self) -> "ModelChoice":
        """The model that is asked, counted and capped, and what named it; or none, and why."""
        from memdir.models.build import model_for

        return model_for(self.effective_setup, self.world, self._model)

    @cached_property
    def meaning(self) -> "Meaning":
        """The vectors of the memories."""
        from memdir.recall.semantic.meaning import Meaning
        from memdir.recall.semantic.weights import weights_folder

        return Meaning(self.memories, weights_folder(self.world.env))

    @cached_property
    def recaller(self) -> "Recaller":
        """What answers prompts, and may ask a model."""
        return self.recaller_for(asks=True)

    def recaller_for(self, *, asks: bool) -> "Recaller":
        """Return what answers prompts; a prompt that waits asks no model."""
        from memdir.recall.recaller import SharedMemories, Surroundings, recaller

        team = self.team
        shared = SharedMemories(team.memories, team.meaning, team.writer_of) if team else None
        place = self.setup, self.verdict, self.world, self.writer_of, self.meaning, self.project
        return recaller(self.memories, self.conversation, Surroundings(*place, self._model, asks, shared))

    @cached_property
    def extractor(self) -> "Extractor":
        """What saves memories out of conversations."""
        from memdir.extract.extractor import extractor

        return extractor(
            self.writer, self.effective_setup, self.verdict, self.world, model=lambda: self.model_choice.model
        )

    @cached_property
    def notes(self) -> "SessionNotes":
        """The notes of this conversation."""
        from memdir.notes.build import SessionNotes

        place = self.directory, self.state, self.effective_setup, self.world
        return SessionNotes(*place, lambda: self.model_choice.model)

    @cached_property
    def dreams(self) -> "Dreams":
        """What consolidates the memories."""
        from memdir.dream.build import Dreams

        place = self.writer, self.effective_setup, self.verdict, self.world
        claims = partial(_instruction_texts, self), partial(_checked_claims, self)
        return Dreams(*place, lambda: self.model_choice.model, *claims)

    @cached_property
    def identity(self) -> "ProjectIdentity":
        """What the project is recognised by, and the memories elsewhere that may be its own."""
        from memdir.transfer.orphans import ProjectIdentity

        return ProjectIdentity(self.effective_setup.place, self.world)

    @cached_property
    def host_session(self) -> "HostSession":
        """What serves a conversation of a host, event by event; the directory must belong to a project."""
        from memdir.hosts.session import HostSession

        return HostSession(
            self.effective_setup,
            self.world,
            lambda: self.writer,
            lambda: self.context,
            lambda: self.instructions,
            lambda asks: self.recaller_for(asks=asks),
            self.project,
            lambda: self.notes.read().for_compaction,
            lambda: self.team.writer if self.team else None,
            lambda: self.identity.notice(),  # noqa: PLW0108 - made only when it is asked
        )

    def learn(self, seconds: float, most: int | None = None) -> int:
        """Compute vectors that are missing, for so many seconds; return how many were computed."""
        timer = self.world.timer
        end = timer() + seconds
        return sum([one.meaning.learn(most=most, late=lambda: timer() > end) for one in self.audiences])

    def project(self) -> "Project":
        """Return the checkout that memories speak about, looked at anew."""
        from memdir.config.identity import checkout_root
        from memdir.memories.history.git import git_path
        from memdir.verify.project import Project

        return Project(checkout_root(self.world.cwd), git_path(self.world.env), home=self.world.home)

    def provenance(self, actor: str, source: str = "user", reason: str = "") -> "Provenance":
        """Return who makes a change now; a writer that nothing knows is refused."""
        from memdir.memories.refusals import refuse_unknown_writer
        from memdir.memories.topic import Provenance

        refuse_unknown_writer(actor, source)
        return Provenance(actor=actor, source=source, session=self.world.session, reason=reason)

    def writer_of(self, file: str) -> "Provenance | None":
        """Return who wrote a memory through memdir; None when its header only claims it."""
        from memdir.memories.history.authorship import known_writer

        by = known_writer(self.recorder, file)
        if not (by and by.actor == "sync" and self._shared):
            return by
        from memdir.team.log import with_person

        return with_person(by, os.path.join(self.state, "sync"), file, self.recorder.version_now)


def team_parts(private: Parts) -> Parts:
    """Return the same parts for the directory of the team, whether team memory is on or not."""
    from memdir.text.value import replace

    directory, state = os.path.join(private.directory, TEAM_FOLDER), os.path.join(private.state, "team")
    setup = private.setup
    if setup is not None:
        setup = replace(setup, place=replace(setup.place, directory=directory, state=state))
    return Parts(
        private.world, directory.rstrip("/"), state, private.verdict, setup, **private.options, shared=True
    )


def look_again(parts: Parts) -> None:
    """Forget whether team memory is on, and what was made by it."""
    for name in ("team", "team_verdict", "instructions", "context", "recaller"):
        parts.__dict__.pop(name, None)


def _admit(directory: str, file: str, text: str) -> None:
    from memdir.team.admission import admit_to_team

    admit_to_team(directory, file, text)


def _instruction_words() -> "RenderTexts":
    from memdir.context import instruction_words

    return instruction_words()


def _checked_claims(parts: Parts, seconds: float = 5.0) -> "list[MemoryVerdict]":
    """Check what all memories claim about the project; nothing where there is none."""
    from memdir.verify.check import verify_all

    if parts.setup is None:
        return []
    return verify_all(parts.memories.topics(), parts.project(), parts.world.clock(), seconds)


def _after_change(parts: Parts, operation: "Operation", *, signs: bool) -> None:
    """Do what the next prompt or tool call would wait for: vectors of a few memories, rules; sign in once."""
    if signs and "identity" not in parts.__dict__:
        parts.identity.sign()
    if len(operation.files) <= _LEARNED_AT_ONCE:  # nobody waits for many
        written = [parts.memories.catalog.header(file) for file in operation.files]
        parts.meaning.learn([header for header in written if header])
    if any("enforce" in (change.text_after or "") for change in operation.changes):
        from memdir.rules.compiler import compile_rules

        compile_rules(lambda: parts.recorder, parts.directory, parts.state)


def _instruction_texts(parts: Parts) -> list[str]:
    """Return the texts that every conversation here is given."""
    return [one.text for one in parts.instructions.discover().loaded]


def _anchors(parts: Parts, text: str) -> str:
    """Return what a text names in the project as it is now; no save fails for want of that."""
    from memdir.verify.claims.parser import claims_in

    with suppress(Exception):
        if claims := claims_in(text):
            from memdir.verify.check import anchors

            return anchors(claims, text, parts.project())
    return ""
