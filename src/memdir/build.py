"""Composes a memory: finds its directory and settings, and makes each part when a verb first needs it.

A hook opens a memory for one event and needs two or three of these parts, so each is imported when made. The
functions below see private and team memory as one.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from contextlib import suppress
from functools import cached_property, partial

from memdir.config.location import REMOTES_FILE, Setup, Verdict, memory_enabled, resolve, state_for
from memdir.config.settings import Settings
from memdir.config.world import World, variable
from memdir.memories.names import TEAM_FOLDER
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from memdir.context import ContextBuilder
    from memdir.conversation.state import Conversation
    from memdir.dream.schedule import DreamSchedule
    from memdir.extract.extractor import Extractor
    from memdir.instructions.project import ProjectInstructions
    from memdir.memories.change import Operation, Saved
    from memdir.memories.directory import MemoryDir
    from memdir.memories.history.recorder import Recorder
    from memdir.memories.topic import Draft, Header, Kind, Provenance, Topic
    from memdir.memories.writer import Writer
    from memdir.models.build import ModelChoice, NoModel
    from memdir.models.protocol import Model
    from memdir.notes.update import SessionNotes
    from memdir.recall.recaller import Recaller
    from memdir.recall.semantic.vectors import VectorStore
    from memdir.rules.compiler import CompiledRules
    from memdir.transfer.orphans import ProjectIdentity
    from memdir.verify.project import Project

    T = TypeVar("T")

__all__ = [
    "Options",
    "Parts",
    "all_headers",
    "all_topics",
    "directory_parts",
    "from_private",
    "project_parts",
    "readable",
    "save_drafts",
    "topic_called",
]

_LEARNED_AT_ONCE = 16
"""Memories whose vectors a change computes by itself, 13 ms each; of more, workers and `learn` do it."""

_ON = Verdict(on=True, because="the directory was named by the caller", rule="at")


@value_class(frozen=True, slots=True)
class Options:
    """What the opener of a memory may ask for."""

    added: tuple[str, ...] = ()
    """Directories whose instructions count too, after those of the project."""
    bare: bool = False
    """Whether this is bare mode: memory is off, and no prompt speaks of it."""
    model: "Model | None" = None
    """The model of the caller, in place of the one that is configured."""


_PLAIN = Options()


def project_parts(world: World, options: Options = _PLAIN) -> "Parts":
    """Return the parts of the memory of the project that the working directory belongs to."""
    setup = resolve(world, bare=options.bare)
    directory, state = os.path.realpath(setup.place.directory), setup.place.state
    return Parts(world, directory, state, setup.verdict, setup, options=options)


def directory_parts(
    world: World,
    directory: str | os.PathLike[str],
    state: str | os.PathLike[str] | None,
    options: Options = _PLAIN,
) -> "Parts":
    """Return the parts of one memory directory, whatever settings say."""
    path = os.path.realpath(directory)
    place = os.path.abspath(state) if state is not None else state_for(path, world)
    verdict = memory_enabled(world.env, Settings(), bare=options.bare)
    return Parts(world, path, place, _ON if verdict.rule == "default" else verdict, options=options)


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
        options: Options = _PLAIN,
        shared: bool = False,
    ) -> None:
        """Take what is known from the start; without a set-up no project is known.

        `shared` says that this is the directory of a team.
        """
        self.world, self.directory, self.state = world, directory, state
        self.verdict, self.setup, self.options, self.shared = verdict, setup, options, shared

    @cached_property
    def effective_setup(self) -> Setup:
        """The set-up of the project, or of the working directory where only a directory was named."""
        return self.setup or replace(resolve(self.world), verdict=self.verdict)

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
        if setup is not None and not may_be_on:  # a quick look: most hooks ask, and for most it is off
            named = os.path.exists(os.path.join(setup.place.config_home, REMOTES_FILE))
            may_be_on = named or setup.settings["team.enabled"].value is True
        if self.shared or not may_be_on or not self.team_verdict.on:
            return None
        return self.team_folder

    @cached_property
    def team_folder(self) -> "Parts":
        """The team's directory below this one, whether team memory is on or not."""
        directory, state = os.path.join(self.directory, TEAM_FOLDER), os.path.join(self.state, "team")
        setup = self.setup
        if setup is not None:
            setup = replace(setup, place=replace(setup.place, directory=directory, state=state))
        place = self.world, directory.rstrip("/"), state, self.verdict, setup
        return Parts(*place, options=self.options, shared=True)

    def look_again(self) -> None:
        """Forget whether team memory is on, and the parts that depend on it."""
        for name in ("team", "team_verdict", "team_folder", "instructions", "context", "recaller"):
            self.__dict__.pop(name, None)

    @property
    def usable(self) -> "Parts":
        """These parts; `MemoryOff` is raised while memory is off."""
        self.verdict.require_on()
        return self

    @property
    def audiences(self) -> "tuple[Parts, ...]":
        """This directory, and that of the team where it is on."""
        return (self, self.team) if self.team is not None else (self,)

    def owner(self, name: str) -> "tuple[Parts, str]":
        """Return whose memory a name means and what it is called there: `team/x` is x in team memory."""
        if len(name) > len(TEAM_FOLDER) and name.startswith(TEAM_FOLDER) and self.team:
            return self.team, name.removeprefix(TEAM_FOLDER)
        return self, name

    @cached_property
    def memories(self) -> "MemoryDir":
        """The memory directory."""
        from memdir.memories.directory import MemoryDir

        setup = self.setup
        indexed = setup is None or not setup.settings.flag("skipIndex")
        root = setup.place.root if setup else ""
        admit = partial(_admit, self.directory) if self.shared else None
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

        after = partial(_after_change, self, signs=self.setup is not None and not self.shared)
        if self.setup is None:
            return Writer(self.memories, git_path(self.world.env), afterwards=after)
        return Writer(
            *(self.memories, git_path(self.world.env), partial(_anchors, self), after),
            instructions=lambda: [one.text for one in self.instructions.discover().loaded],
        )

    @cached_property
    def conversation(self) -> "Conversation":
        """What was shown in this conversation."""
        from memdir.conversation.state import Conversation

        return Conversation(self.state, self.world.session)

    @cached_property
    def instructions(self) -> "ProjectInstructions":
        """The instruction files of the project."""
        from memdir.instructions.project import ProjectInstructions

        team, options = self.team.memories if self.team else None, self.options
        place = self.effective_setup, self.world, self.conversation
        return ProjectInstructions(self.memories, team, *place, options.added, options.bare)

    @cached_property
    def context(self) -> "ContextBuilder":
        """What a model is told at the start of a conversation."""
        from memdir.context import ContextBuilder

        team = self.team.memories if self.team else None
        place = self.effective_setup, self.world, self.conversation, self.instructions
        return ContextBuilder(self.memories, team, *place, self.options.bare)

    @cached_property
    def model_choice(self) -> "ModelChoice":
        """The model that is asked, counted and capped, and what named it; or none, and why."""
        from memdir.models.build import model_for

        return model_for(self.effective_setup, self.world, self.options.model)

    def _model(self) -> "Model | NoModel":
        return self.model_choice.model

    @cached_property
    def vectors(self) -> "VectorStore":
        """The vectors of the memories."""
        from memdir.recall.semantic.vectors import VectorStore
        from memdir.recall.semantic.weights import weights_folder

        return VectorStore(self.memories, weights_folder(self.world.env))

    @cached_property
    def recaller(self) -> "Recaller":
        """What answers prompts, and may ask a model."""
        return self.recaller_for(asks=True)

    def recaller_for(self, *, asks: bool) -> "Recaller":
        """Return what answers prompts; a prompt that waits asks no model, and loads nothing for one."""
        from memdir.recall.limits import Limits
        from memdir.recall.recaller import Recaller

        setup = self.setup
        named = self.options.model or (setup and setup.settings["model"].value)
        asks = asks and bool(named or variable(self.world.env, "MEMDIR_MODEL") is not None)
        return Recaller(
            self.audiences,
            self.conversation,
            self.world,
            Limits.of(setup.settings) if setup else Limits(),
            model=self._model() if asks else None,
            project=self.project if setup else None,
            off=self.verdict.off,
        )

    @cached_property
    def extractor(self) -> "Extractor":
        """What saves memories out of conversations."""
        from memdir.extract.extractor import Extractor

        return Extractor(self.writer, self.effective_setup, self.world, self._model)

    @cached_property
    def notes(self) -> "SessionNotes":
        """The notes of this conversation."""
        from memdir.notes.update import SessionNotes

        place = self.directory, self.state, self.effective_setup, self.world
        return SessionNotes(*place, self._model)

    @cached_property
    def dreams(self) -> "DreamSchedule":
        """What consolidates the memories."""
        from memdir.dream.schedule import DreamSchedule

        place = self.writer, self.effective_setup, self.world
        project = self.project if self.setup else None
        return DreamSchedule(*place, self._model, self.instructions, project)

    @cached_property
    def identity(self) -> "ProjectIdentity":
        """What the project is recognised by, and the memories elsewhere that may be its own."""
        from memdir.transfer.orphans import ProjectIdentity

        return ProjectIdentity(self.effective_setup.place, self.world)

    def compiled_rules(self) -> "CompiledRules":
        """Return the rules of this directory and of the team's as their files say them now."""
        from memdir.rules.compiler import compile_rules

        team = self.team.writer if self.team else None
        return compile_rules(lambda: self.recorder, self.directory, self.state, team)

    def learn(self, seconds: float, most: int | None = None) -> int:
        """Compute vectors that are missing, for so many seconds; return how many were computed."""
        timer = self.world.timer
        end = timer() + seconds
        return sum([one.vectors.learn(most=most, late=lambda: timer() > end) for one in self.audiences])

    def project(self) -> "Project":
        """Return the checkout that memories speak about, looked at anew."""
        from memdir.config.identity import checkout_root
        from memdir.memories.history.git import git_path
        from memdir.verify.project import Project

        return Project(checkout_root(self.world.cwd), git_path(self.world.env), home=self.world.home)

    def provenance(self, actor: str, source: str = "user", reason: str = "") -> "Provenance":
        """Return the provenance of a change made now; an unknown actor or source is refused."""
        from memdir.memories.refusals import refuse_unknown_writer
        from memdir.memories.topic import Provenance

        refuse_unknown_writer(actor, source)
        return Provenance(actor=actor, source=source, session=self.world.session, reason=reason)

    def writer_of(self, file: str) -> "Provenance | None":
        """Return who wrote a memory through memdir; None when its header only claims it."""
        from memdir.memories.history.authorship import known_writer

        by = known_writer(self.recorder, file)
        if not (by and by.actor == "sync" and self.shared):
            return by
        from memdir.team.log import with_person

        return with_person(by, os.path.join(self.state, "sync"), file, self.recorder.version_now)


def readable(parts: Parts, name: str) -> tuple[Parts, str]:
    """Return whose memory a name means and what it is called there, to read it.

    A memory of the team is also found by its bare name where no private one has it.
    """
    owner, inside = parts.owner(name)
    if parts.team is None or owner is not parts:
        return owner, inside
    from memdir.errors import NoSuchMemory

    for one in parts.audiences:
        with suppress(NoSuchMemory):
            one.memories.scan()
            return one, one.memories.file_of(name)
    return parts, name


def topic_called(parts: Parts, name: str) -> "Topic":
    """Return one memory by name or file, as private memory sees it."""
    owner, inside = readable(parts, name)
    return from_private(owner, owner.memories.read(inside))


def from_private(parts: Parts, value: "T") -> "T":
    """Return a value of one directory as private memory sees it: a file of the team lies in its folder."""
    if not parts.shared:
        return value
    from memdir.team.audience import as_team

    return as_team(value)


def all_headers(parts: Parts, kind: "Kind | str | None" = None, limit: int | None = None) -> "list[Header]":
    """Return the headers of private and team memories, newest first."""
    found = parts.memories.scan(limit, kind)
    if parts.team is None:
        return found
    found += [from_private(parts.team, header) for header in parts.team.memories.scan(limit, kind)]
    return sorted(found, key=lambda header: header.saved_at, reverse=True)[:limit]


def all_topics(parts: Parts) -> "Iterator[Topic]":
    """Yield every memory read whole, the private ones first."""
    for one in parts.audiences:
        yield from (from_private(one, topic) for topic in one.memories.topics())


def save_drafts(
    parts: Parts, drafts: "Sequence[Draft]", actor: str, reason: str, *, allow_secret: bool, strict: bool
) -> "list[Saved]":
    """Save drafts, and return them as private memory sees them.

    A rule that is saved in an agent's shell counts as the agent's, with a warning.
    """
    from memdir.memories.draft import least_trusted

    writer, world, warnings = parts.usable.writer, parts.world, tuple[str, ...]()
    if parts.shared:
        from memdir.team.audience import from_team

        drafts = [from_team(draft) for draft in drafts]
    by = parts.provenance(actor, least_trusted(draft.source for draft in drafts), reason)
    if any(draft.enforce.strip() for draft in drafts):
        from memdir.memories.history.authorship import SAVED_BY_AGENT, as_agents

        if planted := as_agents(world.env, drafts, by):
            (drafts, by), warnings = planted, (SAVED_BY_AGENT,)
    saved = writer.save(drafts, by, world.clock(), allow_secret=allow_secret, strict=strict)
    if warnings:
        saved = [replace(one, warnings=(*one.warnings, *warnings)) for one in saved]
    return [from_private(parts, one) for one in saved] if parts.shared else saved


def _admit(directory: str, file: str, text: str) -> None:
    from memdir.team.admission import admit_to_team

    admit_to_team(directory, file, text)


def _after_change(parts: Parts, operation: "Operation", *, signs: bool) -> None:
    """After a change: compute vectors of a few memories and compile rules, so that no hook waits for it."""
    if signs and "identity" not in parts.__dict__:
        parts.identity.sign()
    if len(operation.files) <= _LEARNED_AT_ONCE:  # nobody waits for many
        parts.vectors.learn([*filter(None, map(parts.memories.catalog.header, operation.files))])
    # Few memories have this word; the compiler finds out which of them hold a rule.
    if any("enforce" in (change.after or "") for change in operation.changes):
        parts.compiled_rules()


def _anchors(parts: Parts, text: str) -> str:
    """Return the anchors of a text: what it names in the project as it is now; never raises: then none."""
    from memdir.verify.claims.parser import claims_in

    with suppress(Exception):  # a save never fails because of them
        if claims := claims_in(text):
            from memdir.verify.check import anchors

            return anchors(claims, text, parts.project())
    return ""
